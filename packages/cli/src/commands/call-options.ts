import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { CallChoice } from 'minutebook/inspect'
import { readingCommand, type ReadingOptions } from './reading.ts'

/** Which model call is meant. */
export interface CallOptions extends ReadingOptions {
  readonly turn?: string | number
  readonly receipt?: string
}

/** A command about one model call. */
export function callCommand(name: string, description: string): Command {
  return readingCommand(name, description)
    .argument('[thread]', 'its id, or the beginning of it; the newest unless told')
    .option('--turn <n>', 'the last model call of this turn: its number from 1, or the id of its question', turnOf)
    .option('--receipt <id>', 'the model call with this receipt')
}

export function choiceOf({ turn, receipt }: CallOptions): CallChoice {
  return { turn, receipt }
}

function turnOf(text: string): string | number {
  if (/^[0-9a-f]{64}$/.test(text)) return text
  const turn = Number(text)
  if (!Number.isSafeInteger(turn) || turn < 1)
    throw new InvalidArgumentError('A turn is a number from 1 on, or the id of a question.')
  return turn
}
