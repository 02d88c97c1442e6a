import {
  estimator,
  history,
  MinutebookError,
  type Entry,
  type Message,
  type Relay,
  type TokenCounter,
} from 'minutebook'
import type { Clock } from 'minutebook/clock'
import {
  callNames,
  createDeriver,
  createPauses,
  receiptsOf,
  type CallPrompt,
  type KeptReceipt,
  type Pause,
  type PreviousCall,
  type Receipt,
} from 'minutebook/inspect'
import { tokensRead } from 'minutebook/wire'
import { causeOf, causeText, type CacheCause } from './cache-cause.ts'
import { createCacheMatcher, type CacheMatch, type CachePrompt, type PromptChange } from './cache-difference.ts'
import { settingsIn, type Functions } from './recorded-settings.ts'

/**
 * How much of a prompt could the server take from its cache, and why not more? Computed from the receipts of this call
 * and of the one before it, next to what the server says. All counts are in the tokens in which the receipt of the call
 * counts its prompt: as the server reported it, or else as it was predicted.
 */
export interface CacheUsage {
  /** The whole prompt, with its tools. */
  readonly total: number
  /** The whole previous prompt. 0 if there was none. */
  readonly previous: number
  /**
   * How much of the previous prompt need not be read again: what the server says that it had, or else what both prompts
   * begin with.
   */
  readonly kept: number
  /**
   * What had to be read again, although the previous prompt had it. What is new in a prompt does not count. `kept` and
   * `lost` together are never more than `total`, nor more than `previous`.
   */
  readonly lost: number
  /** What that took, if the server says how long it read. */
  readonly seconds?: number
  /** The first difference to the previous prompt. Absent if that is the beginning of this one. */
  readonly difference?: PromptChange
  /** Why it was lost. Absent if nothing was. */
  readonly cause?: CacheCause
  /** The cause in words. */
  readonly why?: string
  /** What the server says that it took from its cache. Absent if it does not say. */
  readonly cached?: number
  /** What the server answered since the previous prompt. Absent if nothing, or if that is not known. */
  readonly between?: Receipt['between']
}

/** The cache use of a recorded call. */
export interface CallCacheUsage extends CacheUsage {
  /** The id of its receipt. */
  readonly receipt: string
  /** The name of the call, as `turn` or `receipt` of `dump` take it: `3`, `3.2`, or the beginning of the receipt's id. */
  readonly call: string
  readonly model: string | null
}

/**
 * The cache use of a call, with what the server reported of it. Default: nothing, because it has not answered yet. Then
 * it is what the server can take from its cache.
 */
export type CacheFinding = (reported?: Receipt['tokens']['reported']) => CacheUsage

/**
 * Measures the cache use of the relays of a thread: of each only once, if it is asked again. Returns undefined if the
 * previous prompt cannot be derived any more.
 */
export type CacheMeter = (relay: Pick<Relay, 'previous' | 'prediction'>) => Promise<CacheFinding | undefined>

/**
 * Creates a meter for the relays of a thread, which counts each message only once. With a clock that can pause, others
 * can work in between. Ask before you record the answer: the previous prompt is still in memory then.
 *
 * @example
 * const cacheOf = createCacheMeter({ counter, clock: systemClock })
 * const found = await cacheOf(relay)
 * const { receipt } = await relay.answer(await ask(relay.messages))
 * const { kept, lost, why } = found!(receipt.tokens.reported)
 */
export function createCacheMeter({ counter, clock }: Pick<CacheUsageOptions, 'counter' | 'clock'> = {}): CacheMeter {
  const compare = createComparison(createPauses(clock), counter)
  const known = new WeakMap<PreviousCall, Promise<Shared>>()
  return async ({ previous, prediction: { predicted, uncalibrated: total } }) => {
    const found = await previous()
    if (!found) return undefined
    const { receipt, between, change } = found
    const measure = async (): Promise<Shared> => {
      if ('now' in change) return compare(cachePromptOf(change.now), cachePromptOf(change.before))
      const kept = total - change.added
      return { match: { total, previous: kept, kept, lost: 0 } }
    }
    const shared = known.get(found) ?? measure()
    known.set(found, shared)
    const { match, changed } = await shared
    return (reported = {}) =>
      explained(match, changed, { between, tokens: { predicted, reported }, before: receipt?.tokens })
  }
}

/** What two prompts have in common, and the cause of their first difference. */
interface Shared {
  readonly match: CacheMatch
  readonly changed?: CacheCause | undefined
}

/** Compares prompts, and counts each message only once. Without `before`: the first call of a thread. */
function createComparison(
  pause: Pause,
  counter: TokenCounter = estimator,
): (now: CachePrompt, before: CachePrompt | undefined) => Promise<Shared> {
  const compare = createCacheMatcher(counter, pause)
  const asRead = createReading()
  return async (sent, sentBefore) => {
    const [now, before] = [asRead(sent), sentBefore && asRead(sentBefore)]
    const match = await compare(now, before ?? { ...now, messages: [], tools: [] })
    return { match, changed: match.difference && before && causeOf(now, before, match.difference) }
  }
}

/**
 * Prompts as servers read them: a single block of text is the same as the text alone. Agents send their newest message
 * as a block, to mark it for the cache, and as a text in later requests. Each message is converted only once.
 */
function createReading(): (prompt: CachePrompt) => CachePrompt {
  const read = new WeakMap<Message, Message>()
  const once = (message: Message): Message => {
    const found = read.get(message) ?? withText(message)
    read.set(message, found)
    return found
  }
  return (prompt) => ({ ...prompt, messages: prompt.messages.map(once) })
}

function withText(message: Message): Message {
  const { content } = message as { readonly content?: unknown }
  if (!Array.isArray(content) || content.length !== 1) return message
  const { type, text, ...others } = Object(content[0]) as Readonly<Record<string, unknown>>
  const isText = type === 'text' && typeof text === 'string' && Object.keys(others).length === 0
  return isText ? { ...message, content: text } : message
}

/** What is known of a call next to its prompt. */
interface CallFacts {
  readonly between?: Receipt['between'] | undefined
  /** The counts of its receipt. Before the server has answered, nothing is reported in them. */
  readonly tokens: PromptCounts
  /** The same of the previous call. Absent if there was none. */
  readonly before?: PromptCounts | undefined
}

type PromptCounts = Pick<Receipt['tokens'], 'predicted' | 'reported'>

/**
 * Puts the calculation next to what the server says. The server knows better: what it took from its cache is kept, and
 * if that is clearly less than it could take, something else took its place.
 */
function explained(
  match: CacheMatch,
  changed: CacheCause | undefined,
  { between, tokens, before }: CallFacts,
): CacheUsage {
  const { total, previous, kept, lost } = withinCached(scaledTo(tokens, before, match), tokens, before)
  const { cached, seconds } = tokens.reported
  const missing = cached === undefined || isBelowLeast(tokens.reported, total) ? 0 : Math.max(0, kept - cached)
  const regained = cached === undefined ? 0 : Math.max(0, cached - kept)
  const byChange = changed === undefined || regained >= lost * nearlyAll ? 0 : lost - regained
  const byServer = missing > missedAtLeast(kept, between) ? missing : 0
  const all = byChange + byServer
  const cause = all === 0 ? undefined : byServer > byChange ? (between ?? 'server') : changed
  const { difference } = match
  return {
    total,
    previous,
    // A server may also have its own answer in the cache, which is not a part of the previous prompt.
    kept: Math.min(cached ?? kept, previous, total),
    lost: all,
    ...(seconds !== undefined && all > 0 && { seconds: (seconds * all) / Math.max(1, total - (cached ?? 0)) }),
    ...(difference && changed && { difference }),
    ...(cause && { cause, why: causeText(cause, difference?.place) }),
    ...(cached !== undefined && { cached }),
    ...(between && { between }),
  }
}

/**
 * A match in the tokens of its call. If the previous call counted fewer tokens for the same text, these count: so a part
 * of a prompt is never more than the whole of it, as either receipt counts it.
 */
function scaledTo(tokens: PromptCounts, before: PromptCounts | undefined, match: CacheMatch): CacheMatch {
  const total = promptTokens(tokens)
  const earlier = before ? promptTokens(before) / Math.max(1, match.previous) : 0
  const scale = Math.min(total / Math.max(1, match.total), earlier)
  const previous = Math.round(match.previous * scale)
  const kept = Math.min(Math.round(match.kept * scale), previous, total)
  return { total, previous, kept, lost: Math.min(Math.round(match.lost * scale), previous - kept, total - kept) }
}

/** What a receipt counts as its whole prompt: what the server reported, or else what was predicted. */
function promptTokens({ predicted, reported }: PromptCounts): number {
  return tokensRead(reported) ?? predicted
}

/**
 * A server that says how much it wrote to its cache keeps only what a client marks. Nothing behind the last mark of the
 * previous prompt can be kept or lost.
 */
function withinCached(match: CacheMatch, tokens: PromptCounts, before: PromptCounts | undefined): CacheMatch {
  const isExplicit = (tokens.reported.written ?? before?.reported.written) !== undefined
  if (!isExplicit || !before) return match
  const { cached = 0, written = 0 } = before.reported
  const inCache = Math.round(((cached + written) * match.previous) / Math.max(1, promptTokens(before)))
  const kept = Math.min(match.kept, inCache)
  return { ...match, kept, lost: Math.min(match.lost, Math.max(0, inCache - match.kept)) }
}

/** With this share of a loss found again, there was none: servers count a little differently. */
const nearlyAll = 0.9

/** How much a server must have missed before it counts. Servers cache in blocks, and an estimate may be wrong. */
function missedAtLeast(kept: number, between: Receipt['between']): number {
  return between ? Math.min(kept / 2, Math.max(128, kept / 10)) : Math.max(128, kept / 5)
}

/**
 * Hosted servers cache only prompts of 1,024 tokens and more. A server that reports how long it read is a local engine,
 * which has no such limit.
 */
function isBelowLeast({ cached, seconds }: PromptCounts['reported'], read: number): boolean {
  return cached === 0 && seconds === undefined && read < 1152
}

/** A prompt with what its receipt and its settings say. */
function cachePromptOf({ messages, pieces, unchanged, receipt, settings }: CallPrompt): CachePrompt {
  const { epoch, promptOptions = {}, options, mode } = receipt
  const { model, tools, wire, window } = settings
  const own = {
    ...(options?.output?.sent && { output: options.output.hash }),
    // A turn asks Ollama for its window. A relay has the options of its client.
    ...(wire === 'ollama' && mode === undefined && { num_ctx: String(window) }),
  }
  return { messages, tools, pieces, model, options: { ...own, ...promptOptions }, epoch, isCompiled: !unchanged }
}

/** What the cache use of recorded calls is computed with. */
export interface CacheUsageOptions extends Functions {
  /** The id of a receipt: only of this call. Default: of all calls. */
  readonly receipt?: string | undefined
  /** With a clock that can pause, others can work in between. */
  readonly clock?: Clock | undefined
}

/**
 * How much of each recorded prompt could the server take from its cache, and why not more? Of all calls of a log, on all
 * branches, oldest first: that is how the server got them. Without those whose prompt, or the one before, cannot be
 * derived any more.
 *
 * @example
 * for (const { call, kept, previous, why } of await cacheUsage(await store.read('garden'), { counter }))
 *   console.log(call, `${kept} of ${previous} tokens`, why ?? '')
 */
export async function cacheUsage(
  log: readonly Entry[],
  { receipt: chosen, ...functions }: CacheUsageOptions = {},
): Promise<CallCacheUsage[]> {
  const receipts = receiptsOf(log)
  const names = callNames(log, history(log))
  const compare = createComparison(createPauses(functions.clock), functions.counter)
  const derive = createDeriver(log, functions)
  const settingsBy = settingsIn(log)
  let known = new Map<string, CachePrompt | undefined>()
  const promptOf = async (receipt: KeptReceipt): Promise<CachePrompt | undefined> => {
    if (known.has(receipt.id)) return known.get(receipt.id)
    const settings = settingsBy.get(receipt.settings)
    const prompt = settings && (await derive(receipt).catch(notDerived))
    return prompt && cachePromptOf({ ...prompt, pieces: prompt.compiled.pieces, receipt, settings })
  }
  const uses: CallCacheUsage[] = []
  for (const [index, receipt] of receipts.entries()) {
    if (chosen !== undefined && receipt.id !== chosen) continue
    const earlier = callBefore(receipts, index)
    const before = earlier && (await promptOf(earlier))
    const now = await promptOf(receipt)
    known = new Map([[receipt.id, now]])
    if (earlier) known.set(earlier.id, before)
    if (!now || (earlier && !before)) continue
    const { id, between, tokens } = receipt
    const { match, changed } = await compare(now, before)
    const usage = explained(match, changed, { between, tokens, before: earlier?.tokens })
    uses.push({ receipt: id, call: names.get(id) ?? id, model: now.model, ...usage })
  }
  return uses
}

/** What a prompt is that cannot be derived any more. Throws any other error. */
function notDerived(error: unknown): undefined {
  if (!MinutebookError.isInstance(error)) throw error
}

/** The newest call that the server had accepted when this one was made. */
function callBefore(receipts: readonly KeptReceipt[], index: number): KeptReceipt | undefined {
  const { length } = receipts[index]!
  for (let at = index - 1; at >= 0; at--) {
    const earlier = receipts[at]!
    if (earlier.seq < length && earlier.outcome !== 'refused') return earlier
  }
  return undefined
}
