import type { Message } from '../../log/message.ts'
import type { Measured } from './meter.ts'

/** What an upstream does with a prompt that is longer than its window. */
export type OnOverflow =
  /** Answers 400. */
  | 'refuse'
  /** Cuts it, says nothing, and answers 200: as Ollama does where it is not told otherwise. */
  | 'halve'
  /** Drops the oldest messages until it fits, and keeps the system text; says nothing, and answers 200: as Ollama does with a chat. */
  | 'drop'
  /** Refuses where the request says `truncate: false`, halves elsewhere. */
  | 'obey'

/** What is left of a prompt for the model. */
export interface Seen {
  readonly messages: readonly Message[]
  readonly tokens: number
}

/** A prompt with room for not one more token is too long: there must be one for the answer. */
export function fits({ total }: Measured, window: number): boolean {
  return total < window
}

/** The system text, and the newest messages that fit beside it. */
export function dropped({ messages, each, head }: Measured, window: number): Seen {
  const first = messages[0]?.['role'] === 'system' ? 1 : 0
  const kept = head + (first === 1 ? (each[0] ?? 0) : 0)
  let tokens = kept
  let from = messages.length
  while (from > first && tokens + (each[from - 1] ?? 0) < window) tokens += each[--from] ?? 0
  return { messages: [...messages.slice(0, first), ...messages.slice(from)], tokens }
}

/**
 * About half of the window: of what is not kept at the beginning, half is given up. The model sees the newest messages
 * that fit in there; of a last one that does not, it sees something, which is nothing that a message could show.
 */
export function halved({ messages, each }: Measured, window: number, keep: number): Seen {
  const tokens = window - Math.max(1, Math.floor((window - Math.min(keep, window - 1)) / 2))
  let room = tokens
  let from = messages.length
  while (from > 0 && (each[from - 1] ?? 0) <= room) room -= each[--from] ?? 0
  return { messages: messages.slice(from), tokens }
}
