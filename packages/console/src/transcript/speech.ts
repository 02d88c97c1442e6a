import { createContext, use } from 'react'
import type { Entry } from '../api/entries.ts'
import type { Live } from '../api/live.ts'

/** What a tool is said to have answered. */
export interface TypedResult {
  readonly id?: string | undefined
  readonly name: string
  readonly text: string
}

/**
 * Everything that can be said on a thread. Nothing of it rejects: what fails is in `error`. True where it is on record.
 */
export interface Speech {
  /** After an entry, or at the end; null: from the beginning. */
  readonly say: (message: string, after?: string | null) => Promise<boolean>
  /** Gives the results of the calls that the branch ends with, in their order. */
  readonly giveResults: (results: readonly TypedResult[], after: string) => Promise<boolean>
  /** Has a question answered once more. */
  readonly again: (question: Entry) => Promise<boolean>
  readonly stop: () => void
  readonly live: Live
  readonly isSending: boolean
  readonly error: Error | undefined
  /** Whether the thread came through the gateway: then its tools are run by hand. */
  readonly isRelayed: boolean
  /** The run that the thread belongs to: then nobody speaks here. */
  readonly run?: string | undefined
}

export const SpeechContext = createContext<Speech | undefined>(undefined)

export function useSpeech(): Speech {
  const speech = use(SpeechContext)
  if (!speech) throw new Error('No speech: render this below SpeechContext.')
  return speech
}
