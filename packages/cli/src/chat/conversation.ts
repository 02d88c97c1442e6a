import type { Archive } from '@minutebook/server'
import type { Message } from 'minutebook'
import type { Gateway } from './ask.ts'

/** A chat in a terminal: what its client knows. */
export interface Conversation {
  readonly gateway: Gateway
  readonly desk: Archive
  readonly models: readonly string[]
  model: string
  system: string | undefined
  thread: string | undefined
  /** The question that was answered last; undefined where it was not. */
  turn: string | undefined
  messages: Message[]
}

/** Forgets what was said: the next message begins a new thread. */
export function beginAnew(conversation: Conversation): void {
  conversation.thread = undefined
  conversation.turn = undefined
  conversation.messages = conversation.system === undefined ? [] : [{ role: 'system', content: conversation.system }]
}
