import type { Store, TokenCounter } from 'minutebook'
import { receiptsOf } from 'minutebook/inspect'
import { sha256, type StoredEntry } from 'minutebook/store'
import type { Config } from '../config/config.ts'
import { loadCounter } from '../upstream/counter.ts'

/** Counters other than the estimator with which prompts were made, by name. */
export interface CountersAtHand {
  readonly counters?: readonly TokenCounter[] | undefined
}

/**
 * The counter of a call among these entries, plain or calibrated: of the one with this receipt (its id or the beginning
 * of it), else of the newest. Undefined: the estimator, or one that is not available.
 */
export function countersAtHand(
  entries: readonly StoredEntry[],
  { counters = [] }: CountersAtHand,
  receipt?: string,
): TokenCounter | undefined {
  const name = counterName(entries, receipt)
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

function counterName(entries: readonly StoredEntry[], receipt: string | undefined): string {
  const { counter } = settingsIn(entries, receipt)
  return typeof counter === 'string' ? counter : ''
}

/**
 * The settings of the call. They are recorded only once on a branch, so they may be older than those of other calls. If
 * they are not among the entries, the newest that are; empty if none are.
 */
function settingsIn(entries: readonly StoredEntry[], receipt = ''): { readonly counter?: unknown } {
  const calls = entries.filter(({ kind, status }) => kind === 'receipt' && status !== 'erased')
  const call = (receipt !== '' && calls.find(({ id }) => id.startsWith(receipt))) || calls.at(-1)
  const settings = entries.filter(({ kind, status }) => kind === 'settings' && status !== 'erased')
  const hash = call && receiptsOf([call])[0]?.settings
  const entry = settings.find(({ text }) => sha256(text) === hash) ?? settings.at(-1)
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
