import { defineState, MinutebookError, type StateReader, type TokenCounter } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Config, StateConfig } from '../config/config.ts'
import { loadCounter } from '../upstream/counter.ts'

/** Counters beside the estimator under which prompts were made: each knows its name. */
export interface CountersAtHand {
  readonly counters?: readonly TokenCounter[] | undefined
}

/**
 * The counter that the newest settings among these entries name, as it is or calibrated. Undefined: the estimator, or
 * one that is not at hand.
 */
export function countersAtHand(
  entries: readonly StoredEntry[],
  { counters = [] }: CountersAtHand,
): TokenCounter | undefined {
  const name = counterName(entries)
  return counters.find((counter) => name === counter.name || name.startsWith(`${counter.name}×`))
}

function counterName(entries: readonly StoredEntry[]): string {
  const { counter } = settingsIn(entries)
  return typeof counter === 'string' ? counter : ''
}

/** What the newest settings entry among these says; nothing where there is none. */
export function settingsIn(entries: readonly StoredEntry[]): {
  readonly model?: unknown
  readonly counter?: unknown
  readonly window?: unknown
} {
  const entry = entries.findLast(({ kind, status }) => kind === 'settings' && status !== 'erased')
  return entry ? (JSON.parse(entry.text) as object) : {}
}

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

/**
 * The reader of a state that the settings name: the newest result of its tools that fits its schema. Undefined where
 * there is none of that name.
 */
export function configuredState(states: readonly StateConfig[], name: string): StateReader<unknown> | undefined {
  const config = states.find((state) => state.name === name)
  if (!config) return undefined
  const known = readers.get(config) ?? readerOf(config)
  readers.set(config, known)
  return known
}

export function unknownStateError(): MinutebookError {
  return new MinutebookError(
    'unknown_state',
    'No state of this name is configured.',
    'Add it to states in the settings of the server.',
  )
}

/** Settings never change. */
const readers = new WeakMap<StateConfig, StateReader<unknown>>()

function readerOf(config: StateConfig): StateReader<unknown> {
  const schema: z.ZodType = config.schema ? z.fromJSONSchema(config.schema as never) : z.unknown()
  const tools = Object.fromEntries(config.tools.map((tool) => [tool, { schema }]))
  return defineState<Record<string, z.ZodType>, unknown>({
    name: `states/${config.name}`,
    version: versionOf(config),
    tools,
  })
}

/** What was worked out under other settings is forgotten. */
function versionOf(config: StateConfig): number {
  return createHash('sha256')
    .update(JSON.stringify([config.tools, config.schema]))
    .digest()
    .readUInt32BE()
}
