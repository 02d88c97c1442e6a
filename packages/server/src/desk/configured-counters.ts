import type { TokenCounter } from 'minutebook'
import type { Config } from '../config.ts'
import { loadCounter } from '../counter.ts'

/**
 * The counters that the settings of models name, as far as they can be loaded: what prompts of the past may have been
 * made under.
 */
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
