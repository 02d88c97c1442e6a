import { MinutebookError } from '../log/error.ts'
import { canonicalJson } from '../log/json.ts'
import { checkList, checkNames, type OptionNames } from '../log/options.ts'
import { estimator } from '../tokens/estimator.ts'
import { checkedCount, countTools, type TokenCounter } from '../tokens/tokens.ts'
import { pricesOf, type Prices } from './cost.ts'
import type { DigestOptions } from './digest.ts'
import { recordOf, usableDigester, type Digester, type DigesterData } from './digester.ts'
import { checkPolicy, defaultPolicy, notesInHead, type Policy } from './policy.ts'
import { markerText } from './framing.ts'
import type { Profile } from './profile.ts'

/** The options of `compile`. Only `window` is required. */
export interface CompileOptions {
  /** The model's context window in tokens, for prompt and answer together. */
  readonly window: number
  /**
   * Tokens kept free for the answer. Default: an eighth of the window, but only once the conversation no longer fits
   * whole.
   */
  readonly reserve?: number | undefined
  /** What is kept, and how. Default: `defaultPolicy()`. */
  readonly policy?: Policy | undefined
  /** Your own functions, or templates, that shorten JSON answers and tool results to one line. */
  readonly digesters?: readonly (Digester | DigesterData)[] | undefined
  /** Counts tokens. Default: an estimate that errs on the high side. */
  readonly counter?: TokenCounter | undefined
  /** What the model's chat template allows. Default: everything. */
  readonly profile?: Profile | undefined
  /** The tool schemas sent with the request. They take room in the window, too. */
  readonly tools?: readonly unknown[] | undefined
}

/** The names of the options above. */
const compileOptions: OptionNames<CompileOptions> = {
  window: true,
  reserve: true,
  policy: true,
  digesters: true,
  counter: true,
  profile: true,
  tools: true,
}

/** For folds that only count. `compile` refuses it: it needs a real window. */
export const unlimited: CompileOptions = { window: Infinity }

/** The checked options, and the numbers that follow from them. */
export interface Settings {
  readonly options: CompileOptions
  readonly policy: Policy
  readonly prices: Prices
  readonly digesting: DigestOptions
  readonly window: number
  readonly reserve: number
  /** Tokens of the tool schemas. */
  readonly tools: number
  /** If all entries together cost at most this, everything is sent whole. */
  readonly whole: number
  /** If not, this is what the entries of the prompt may cost. */
  readonly budget: number
  /** The most that the marker can cost. 0 if the policy has no marker. */
  readonly marker: number
}

export function settingsOf(options: CompileOptions): Settings {
  checkNames('compile', options, compileOptions)
  const { window, policy = defaultPolicy(), counter = estimator, profile = {}, digesters = [], tools = [] } = options
  checkList('digesters', digesters)
  checkList('tools', tools)
  checkPolicy(policy)
  if (options !== unlimited) checkTokens('window', window)
  if (options.reserve !== undefined) checkTokens('reserve', options.reserve)
  const prices = pricesOf(counter, profile)
  const schemas = countTools(counter, tools)
  const reserve = options.reserve ?? Math.floor(window / 8)
  const taken = schemas + prices.prompt
  return {
    options,
    policy,
    prices,
    digesting: { digesters: chooseDigesters(digesters, policy.digesters), counter, line: policy.outline?.line ?? 64 },
    window,
    reserve,
    tools: schemas,
    whole: window - (options.reserve ?? 0) - taken,
    budget: window - reserve - taken,
    marker: policy.marker === null ? 0 : prices.ours + widestMarker(policy.marker, counter),
  }
}

/** The digesters that a policy has or names, in the policy's order. If it has none, all that are given. */
export function chooseDigesters(
  given: readonly (Digester | DigesterData)[],
  chosen: readonly (string | DigesterData)[] | undefined,
): readonly Digester[] {
  const digesters = given.map(usableDigester)
  if (!chosen) return digesters
  return chosen.map((name) => {
    if (typeof name !== 'string') return usableDigester(name)
    const found = digesters.find((digester) => digester.id === name)
    if (found) return found
    throw new MinutebookError('unknown_digester', `The policy names the digester ${name}.`, 'Pass it in digesters.', {
      name,
    })
  })
}

/** All settings that the counts of entries depend on, as one text. Equal keys mean equal counts. */
export function countsKey({ prices, digesting, policy }: Settings): string {
  return canonicalJson([
    prices.counter.name,
    prices.profile,
    digesting.line,
    digesting.digesters.map(recordOf),
    ...(notesInHead(policy) ? ['notes in head'] : []),
  ])
}

/** All other settings that epochs depend on, as one text. */
export function layoutKey({ whole, budget, policy }: Settings): string {
  return canonicalJson([whole, budget, policy])
}

function widestMarker(marker: string, counter: TokenCounter): number {
  return Math.max(...[1, 8_888_888].map((messages) => checkedCount(counter, markerText(marker, messages))))
}

function checkTokens(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return
  const shown = typeof value === 'string' ? `the text "${value}"` : String(value)
  throw new MinutebookError(`invalid_${name}`, `${name} is ${shown}.`, 'Pass a number of tokens, 0 or more.', {
    [name]: value,
  })
}
