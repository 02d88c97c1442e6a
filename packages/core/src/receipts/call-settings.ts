import type { Digester } from '../compiler/digest.ts'
import type { Policy } from '../compiler/policy.ts'
import type { Profile } from '../compiler/profile.ts'
import { settingsOf, type CompileOptions } from '../compiler/settings.ts'
import type { Entry } from '../log/entry.ts'
import { fail, MinutebookError } from '../log/error.ts'
import { canonicalJson } from '../log/json.ts'
import type { Model, ToolSchema } from '../models/model.ts'
import { counterNamed } from '../tokens/tokens.ts'

/**
 * What does a prompt depend on, apart from the log? These settings are plain data, recorded as an entry whenever they
 * change.
 */
export interface CallSettings {
  /** The version of the compiler. Another version may make another prompt of the same log. */
  readonly compiler: number
  readonly model: string | null
  readonly wire: Model['wire'] | null
  /** What the model says about itself, if it does. */
  readonly facts?: Model['facts']
  readonly window: number
  readonly reserve: number | null
  readonly policy: Policy
  readonly profile: Profile
  /** By name, because functions cannot be stored. */
  readonly counter: string
  readonly digesters: readonly string[]
  readonly tools: readonly ToolSchema[]
}

/** The functions that settings name but cannot store. */
export type Functions = Pick<CompileOptions, 'counter' | 'digesters'>

const compiler = 1

export function callSettings(model: Model, options: CompileOptions, tools: readonly ToolSchema[]): CallSettings {
  const { window, policy, prices, digesting } = settingsOf(options)
  return {
    compiler,
    model: model.model ?? null,
    wire: model.wire ?? null,
    ...(model.facts && { facts: model.facts }),
    window,
    reserve: options.reserve ?? null,
    policy,
    profile: prices.profile,
    counter: prices.counter.name,
    digesters: digesting.digesters.map(({ id }) => id),
    tools,
  }
}

export function settingsText(settings: CallSettings): string {
  return canonicalJson(settings)
}

/** The settings that an entry records. */
export function settingsFrom(entry: Entry): CallSettings {
  return JSON.parse(entry.text) as CallSettings
}

/** Turns recorded settings back into options. Throws `cannot_derive` if a function that they name was not passed. */
export function optionsFor(settings: CallSettings, { counter, digesters = [] }: Functions): CompileOptions {
  const { window, reserve, policy, profile, tools } = settings
  if (settings.compiler !== compiler)
    throw new MinutebookError(
      'cannot_derive',
      `This prompt was made by version ${settings.compiler} of the compiler, and this is version ${compiler}.`,
      'Use a release with that version.',
    )
  const atHand = counterNamed(settings.counter, settingsOf({ window, ...(counter && { counter }) }).prices.counter)
  if (!atHand) throw missing(`the counter "${settings.counter}"`, 'counter')
  const byId = new Map<string, Digester>(digesters.map((digester) => [digester.id, digester]))
  const named = settings.digesters.map(
    (id): Digester => byId.get(id) ?? fail(missing(`the digester "${id}"`, 'digesters')),
  )
  return { window, ...(reserve !== null && { reserve }), policy, profile, counter: atHand, digesters: named, tools }
}

function missing(what: string, option: string): MinutebookError {
  return new MinutebookError(
    'cannot_derive',
    `This prompt was compiled with ${what}, which was not passed.`,
    `Open the thread with it as ${option}.`,
  )
}
