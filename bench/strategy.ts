import type { Message } from './conversation.ts'

/** One row of the benchmark: a way to turn a log into a prompt. */
export interface Strategy {
  readonly name: string
  /** What it promises to have in every prompt; a broken promise of ours fails the run. */
  readonly pins: { readonly first: boolean; readonly latest: boolean }
  /** Ours are held to window, pins and plan; the others are only reported. */
  readonly ours: boolean
  open(budget: Budget): Session
}

export interface Budget {
  readonly window: number
  readonly reserve: number
}

/** One conversation as it is played to a strategy. */
export interface Session {
  add(message: Message): void
  /** The prompt for the log so far, which ends with a user message. */
  prompt(): Prompt | Promise<Prompt>
  /** The prompt for the log so far and one more question, which does not join the log. */
  ask(question: Message, evidence: readonly number[]): Prompt | Promise<Prompt>
}

export interface Prompt {
  readonly messages: readonly Message[]
  /** What became of the message at this index of the log (the question's index is the log's length). */
  fate(index: number): Fate
}

export type Fate = 'verbatim' | 'clipped' | 'gone'

/** A prompt that consists of some of the log's own messages, unchanged. */
export function promptOfKept(log: readonly Message[], kept: readonly number[]): Prompt {
  const indexes = new Set(kept)
  return {
    messages: kept.map((index) => log[index] as Message),
    fate: (index) => (indexes.has(index) ? 'verbatim' : 'gone'),
  }
}
