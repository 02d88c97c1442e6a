import type { KeptDecision } from 'minutebook/inspect'

/**
 * Who made a decision, in words: what the login proves, then the name that the caller gave. Undefined if neither is known.
 *
 * @example
 * deciderText({ via: { channel: 'key', key: 'desk' }, by: 'ann' }) // 'Key desk (for ann)'
 */
export function deciderText({ via, by }: Pick<KeptDecision, 'via' | 'by'>): string | undefined {
  if (!via) return by
  const { channel, key } = via
  const login = logins.get(channel) ?? channel
  const whose = key === undefined ? '' : ` ${channel === 'key' ? '' : 'of '}${key}`
  return `${login}${whose}${by === undefined ? '' : ` (for ${by})`}`
}

const logins: ReadonlyMap<string, string> = new Map([
  ['key', 'Key'],
  ['console', 'Console session'],
  ['local', 'Local token'],
  ['open', 'Somebody without a key'],
])
