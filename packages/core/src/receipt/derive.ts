import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { sha256 } from '../log/hash.ts'
import { atOnce, type Steps } from '../log/steps.ts'
import { settingsOf, type CompileOptions } from '../policy/settings.ts'
import { optionsFor, settingsFrom, type CallSettings, type Functions } from './call-settings.ts'
import { createFollower, type Follower } from './follower.ts'
import type { Checkpoint } from '../record/checkpoint.ts'
import { isForgotten, unread } from '../record/forgotten.ts'
import { createLine } from '../record/line.ts'
import { cameAs, createFinder } from './as-it-came.ts'
import { createMeter, fits } from './prediction.ts'
import { promptOf, type Prompt } from './prompt.ts'
import type { Receipt } from './receipt.ts'

/** How prompts are made under settings of the past. */
export interface Derivation {
  readonly settings: CallSettings
  readonly follow: Follower
}

export type Derive = (receipt: Receipt) => Prompt

/** Derives step by step. */
export type Deriving = (receipt: Receipt) => Steps<Prompt>

/**
 * Derives prompts of the past from a log and its receipts, under other options where some are given. Whether one is the
 * prompt that was sent says its hash. Throws `cannot_derive` where what it was made of is gone. Costs least where the
 * receipts come in their order. `known`: by the hash of their settings, what is at hand already. `start`: what the log goes on
 * from, where it is only the end of one; it throws `forgotten` then where that does not tell.
 */
export function createDeriver(...given: Parameters<typeof createDeriving>): Derive {
  const deriving = createDeriving(...given)
  return (receipt) => atOnce(deriving(receipt))
}

/** The same, step by step. */
export function createDeriving(log: readonly Entry[], functions: Functions, changes: Partial<CompileOptions> = {}, known: Map<string, Derivation> = new Map(), start?: Checkpoint): Deriving {
  const places = new Map(log.map(({ id }, index) => [id, index]))
  const line = createLine(log, start?.head)
  const find = createFinder(log)
  const settingsBy = new Map<string, CallSettings>()
  const settingsAt = ({ settings: hash }: Receipt): CallSettings => {
    const settings = known.get(hash)?.settings ?? settingsBy.get(hash) ?? recorded(log, hash)
    settingsBy.set(hash, settings)
    return settings
  }
  return function* (receipt) {
    if (start && (start.settings !== receipt.settings || !places.has(receipt.upto) || receipt.sent)) throw unread()
    // What came later, on whatever branch, was not there yet.
    const upto = places.get(receipt.upto) ?? fail('an entry of this model call is not in the log')
    const settings = settingsAt(receipt)
    const came = receipt.sent && cameAs(receipt, settings, line(receipt.head, upto + 1), find)
    if (came && fitsStill(came, settings, functions, changes)) return came
    const { follow } = known.get(receipt.settings) ?? { follow: createFollower({ ...optionsFor(settings, functions), ...changes }) }
    known.set(receipt.settings, { settings, follow })
    return yield* promptOf(yield* follow(line(receipt.head, upto + 1), start), settings.tools, settings.wire)
  }
}

/** Whether what went as it came would have done so under other options. */
function fitsStill({ messages, tools }: Prompt, settings: CallSettings, functions: Functions, changes: Partial<CompileOptions>): boolean {
  if (Object.keys(changes).length === 0) return true
  const { prices: { counter }, window, reserve } = settingsOf({ ...optionsFor(settings, functions), ...changes })
  const meter = createMeter(counter)
  return fits(meter.predict(messages.map((message) => meter.message(message)), tools), window, reserve)
}

/** The prompt; undefined where it cannot be derived. */
export function* derivable(derive: Deriving, receipt: Receipt): Steps<Prompt | undefined> {
  try {
    return yield* derive(receipt)
  } catch (error) {
    if (MinutebookError.isInstance(error) && !isForgotten(error)) return undefined
    throw error
  }
}

function recorded(log: readonly Entry[], hash: string): CallSettings {
  return settingsFrom(log.find(({ kind, text }) => kind === 'settings' && sha256(text) === hash) ?? fail('the settings of this model call were erased'))
}

function fail(why: string): never {
  throw new MinutebookError('cannot_derive', `This prompt cannot be derived any more: ${why}.`)
}
