import { setTimeout as pause } from 'node:timers/promises'
import { measureStream, type MeasuredStream, type StreamPath } from './measured-stream.ts'

export interface Load {
  readonly streams: number
  readonly deltas: number
  /** Milliseconds from one delta to the next. */
  readonly pace: number
  readonly path: StreamPath
}

interface Said {
  readonly role: string
  readonly content: string
}

/** Clients that each hold a conversation and re-send all of it with every turn. */
export interface Crowd {
  /**
   * One turn of everybody: they begin one after the other while the first one lasts, so that nobody waits for a herd.
   */
  turn(): Promise<MeasuredStream[]>
}

export function crowd(url: string, name: string, { streams, deltas, pace, path }: Load): Crowd {
  const histories: Said[][] = Array.from({ length: streams }, () => [])
  let turns = 0
  return {
    turn: async () => {
      turns++
      return Promise.all(
        histories.map(async (history, number) => {
          await pause((deltas * pace * number) / streams)
          history.push({
            role: 'user',
            content: `Question ${turns} of client ${number} at ${name}: what does the ledger say?`,
          })
          const measured = await measureStream(
            url,
            path,
            chatBody(path, {
              model: `paced:${deltas}:${pace}`,
              system: `You answer client ${number} of ${name}, briefly.`,
              messages: history,
            }),
          )
          history.push({ role: 'assistant', content: measured.text })
          return measured
        }),
      )
    },
  }
}

interface ChatWords {
  readonly model: string
  readonly system: string
  readonly messages: readonly Said[]
}

/** The body of a streamed chat in the protocol of a path. */
function chatBody(path: StreamPath, { model, system, messages }: ChatWords): string {
  return JSON.stringify(
    path === '/v1/messages'
      ? { model, max_tokens: 1000, system, messages, stream: true }
      : { model, messages: [{ role: 'system', content: system }, ...messages], stream: true },
  )
}
