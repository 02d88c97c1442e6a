/**
 * The id under which something that a client sent is kept: by the channel that it came through and the client's own id.
 * So what one client calls its request is never what another channel, or we ourselves, call something else.
 */
export function senderId(channel: Channel, id: string): string {
  return `${channel}:${id}`
}

/** The client's own id of something that came through a channel; undefined if it did not, or had none. */
export function idFrom(channel: Channel, kept: unknown): string | undefined {
  const prefix = `${channel}:`
  return typeof kept === 'string' && kept.startsWith(prefix) ? kept.slice(prefix.length) : undefined
}

/** Whether something came through a channel, by the id under which it is kept. */
export function isFrom(channel: Channel, kept: unknown): boolean {
  return idFrom(channel, kept) !== undefined
}

/**
 * `chat`: the gateway's chats. `response`: OpenAI's stateful protocol. `turn`: turns of ours. `console`: what is said
 * on a thread of the gateway in its client's place.
 */
export type Channel = 'chat' | 'response' | 'turn' | 'console'
