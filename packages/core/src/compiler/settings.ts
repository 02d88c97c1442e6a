import { MinutebookError } from '../log/error.ts'
import { canonicalJson } from '../log/json.ts'
import { estimator } from '../tokens/estimator.ts'
import { checkedCount, countTools, type TokenCounter } from '../tokens/tokens.ts'
import { pricesOf, type Prices } from './cost.ts'
import { chooseDigesters, type Digester, type Digesting } from './digest.ts'
import { checkPolicy, defaultPolicy, markerText, type Policy } from './policy.ts'
import type { Profile } from './profile.ts'

/** What `compile` takes beside the conversation. Only `window` is needed. */
export interface CompileOptions {
  /** The model's window in tokens, prompt and answer together. */
  readonly window: number
  /** Tokens kept free for the answer. By default an eighth of the window once the conversation no longer fits whole. */
  readonly reserve?: number | undefined
  /** What is kept, and how: `defaultPolicy()` unless another is given. */
  readonly policy?: Policy | undefined
  /** Renderings of your own for the digests of JSON answers and tool results. */
  readonly digesters?: readonly Digester[] | undefined
  /** Counts tokens; an estimate on the safe side unless another is given. */
  readonly counter?: TokenCounter | undefined
  /** What the model's chat template allows; everything unless told. */
  readonly profile?: Profile | undefined
  /** The tool schemas that go with the request: they take room in the window too. */
  readonly tools?: readonly unknown[] | undefined
}

/** For folds that only count: `compile` will not take it for a window. */
export const unlimited: CompileOptions = { window: Infinity }

/** The options, checked, with what follows from them. */
export interface Settings {
  readonly options: CompileOptions
  readonly policy: Policy
  readonly prices: Prices
  readonly digesting: Digesting
  readonly window: number
  readonly reserve: number
  /** Tokens of the tool schemas. */
  readonly tools: number
  /** What all entries together may cost to be sent whole. */
  readonly whole: number
  /** What the entries of a fitted prompt may cost. */
  readonly budget: number
  /** The most that the marker costs; 0 without one. */
  readonly marker: number
}

export function settingsOf(options: CompileOptions): Settings {
  const { window, policy = defaultPolicy(), counter = estimator, profile = {}, digesters = [], tools = [] } = options
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

/** What the counts of entries depend on: equal keys, equal counts. */
export function countsKey({ prices, digesting }: Settings): string {
  return canonicalJson([prices.counter.name, prices.profile, digesting.line, digesting.digesters.map(({ id }) => id)])
}

/** What epochs depend on beside the counts. */
export function layoutKey({ whole, budget, policy }: Settings): string {
  return canonicalJson([whole, budget, policy])
}

function widestMarker(marker: string, counter: TokenCounter): number {
  return Math.max(...[1, 8_888_888].map((messages) => checkedCount(counter, markerText(marker, messages))))
}

function checkTokens(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return
  const shown = typeof value === 'string' ? `the text "${value}"` : String(value)
  throw new MinutebookError(`invalid_${name}`, `${name} is ${shown}; pass a number of tokens, 0 or more.`, {
    [name]: value,
  })
}
