import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { sha256 } from '../log/hash.ts'
import type { CompileOptions } from '../policy/settings.ts'
import { optionsFor, settingsFrom, type CallSettings, type Functions } from './call-settings.ts'
import { createFollower, type Follower } from './follower.ts'
import type { Checkpoint } from '../record/checkpoint.ts'
import { isForgotten, unread } from '../record/forgotten.ts'
import { createLine } from '../record/line.ts'
import { promptOf, type Prompt } from './prompt.ts'
import type { Receipt } from './receipt.ts'

/** How prompts are made under settings of the past. */
export interface Derivation {
  readonly settings: CallSettings
  readonly follow: Follower
}

export type Derive = (receipt: Receipt) => Prompt

/**
 * Derives prompts of the past from a log and its receipts, under other options where some are given. Whether one is the
 * prompt that was sent says its hash. Throws `cannot_derive` where what it was made of is gone. Costs least where the
 * receipts come in their order. `known`: by the hash of their settings, what is at hand already. `start`: what the log goes on
 * from, where it is only the end of one; it throws `forgotten` then where that does not tell.
 */
export function createDeriver(log: readonly Entry[], functions: Functions, changes: Partial<CompileOptions> = {}, known: Map<string, Derivation> = new Map(), start?: Checkpoint): Derive {
  const places = new Map(log.map(({ id }, index) => [id, index]))
  const line = createLine(log, start?.head)
  return (receipt) => {
    if (start && (start.settings !== receipt.settings || !places.has(receipt.upto))) throw unread()
    const { settings, follow } = known.get(receipt.settings) ?? recorded(log, receipt, functions, changes)
    known.set(receipt.settings, { settings, follow })
    // What came later, on whatever branch, was not there yet.
    const upto = places.get(receipt.upto) ?? fail('an entry of this model call is not in the log')
    return promptOf(follow(line(receipt.head, upto + 1), start), settings.tools, settings.wire)
  }
}

/** The prompt; undefined where it cannot be derived. */
export function derivable(derive: Derive, receipt: Receipt): Prompt | undefined {
  try {
    return derive(receipt)
  } catch (error) {
    if (MinutebookError.isInstance(error) && !isForgotten(error)) return undefined
    throw error
  }
}

function recorded(log: readonly Entry[], receipt: Receipt, functions: Functions, changes: Partial<CompileOptions>): Derivation {
  const entry = log.find(({ kind, text }) => kind === 'settings' && sha256(text) === receipt.settings) ?? fail('the settings of this model call were erased')
  const settings = settingsFrom(entry)
  return { settings, follow: createFollower({ ...optionsFor(settings, functions), ...changes }) }
}

function fail(why: string): never {
  throw new MinutebookError('cannot_derive', `This prompt cannot be derived any more: ${why}.`)
}
