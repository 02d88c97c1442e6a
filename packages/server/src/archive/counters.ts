import type { Store, TokenCounter } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import type { Config } from '../config/config.ts'
import { loadCounter } from '../upstream/counter.ts'

/** Counters other than the estimator with which prompts were made, by name. */
export interface CountersAtHand {
  readonly counters?: readonly TokenCounter[] | undefined
}

/**
 * The counter that the newest settings among these entries name, plain or calibrated. Undefined: the estimator, or one
 * that is not available.
 */
export function countersAtHand(
  entries: readonly StoredEntry[],
  { counters = [] }: CountersAtHand,
): TokenCounter | undefined {
  const name = counterName(entries)
  return counters.find((counter) => name === counter.name || name.startsWith(`${counter.name}×`))
}

/** The same for a thread that may be damaged: what cannot be read names no counter. */
export async function newestCounter(
  store: Store,
  thread: string,
  options: CountersAtHand,
): Promise<TokenCounter | undefined> {
  try {
    return countersAtHand(await store.read(thread, { last: 64 }), options)
  } catch {
    // If it is the store that fails, it fails again at the next call.
    return undefined
  }
}

function counterName(entries: readonly StoredEntry[]): string {
  const { counter } = settingsIn(entries)
  return typeof counter === 'string' ? counter : ''
}

/** What the newest settings entry among these says; empty if it does not exist. */
function settingsIn(entries: readonly StoredEntry[]): {
  readonly model?: unknown
  readonly counter?: unknown
  readonly window?: unknown
} {
  const entry = entries.findLast(({ kind, status }) => kind === 'settings' && status !== 'erased')
  return entry ? (JSON.parse(entry.text) as object) : {}
}

/** The counters of the configured models, as far as they can be loaded: past prompts may have been made with them. */
export function configuredCounters(config: Config): Promise<readonly TokenCounter[]> {
  const known = loaded.get(config) ?? load(config)
  loaded.set(config, known)
  return known
}

/** Loading one may take seconds, and settings never change. */
const loaded = new WeakMap<Config, Promise<readonly TokenCounter[]>>()

async function load({ models }: Config): Promise<readonly TokenCounter[]> {
  const names = new Set(
    Object.values(models).flatMap(({ counter }) => (counter === undefined || counter === 'estimate' ? [] : [counter])),
  )
  const counters = await Promise.all([...names].map((name) => loadCounter(name).catch(() => undefined)))
  return counters.filter((counter) => counter !== undefined)
}
