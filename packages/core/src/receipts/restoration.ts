import { compiling, type CompileResult } from '../compiler/compile.ts'
import { verdictAt } from '../compiler/explain.ts'
import { entriesOf, refold, type Fold } from '../compiler/fold.ts'
import type { Plan } from '../compiler/plan.ts'
import { adjusted, firstAndRecent, type Policy } from '../compiler/policy.ts'
import type { CompileOptions } from '../compiler/settings.ts'
import { isSeen, type Verdict } from '../compiler/verdict.ts'
import { followBranch, unknownEntry } from '../log/branch.ts'
import { entryOf, type Entry } from '../log/entry.ts'
import { fail, MinutebookError } from '../log/error.ts'
import { pinnable, pinnedIn } from '../log/pins.ts'
import { createPauses, inSlices, type Clock, type Steps } from '../log/time.ts'
import { estimator } from '../tokens/estimator.ts'
import { messageTokens } from '../tokens/prediction.ts'
import { checkedCount, counterNamed, type TokenCounter } from '../tokens/tokens.ts'
import { entriesOfRequest, recordedSettings } from './derive.ts'
import { createFinder } from './message-reference.ts'
import { createFoldCache } from '../past/fold-branch.ts'
import { optionsFor, type CallSettings, type Functions, type Receipt } from './receipt.ts'

/** What would have kept an entry in a prompt that did not have it, and at what price? */
export interface Restoration {
  /** Pin the entry, change the policy, have a larger window, or say it in the system text. */
  readonly by: 'pin' | 'policy' | 'window' | 'system'
  /** How many tokens more the prompt has with it. It may be fewer: then this is negative. */
  readonly tokens: number
  /** What then happens to the entry. */
  readonly verdict: Verdict
  /** The changed settings. Only of `policy` and `window`. */
  readonly changes?: PromptChanges
  /** True if all pinned entries together would need more than their share of the window, so that some are clipped. */
  readonly exceeds?: true
}

/** Changed settings of a call. Shares are from 0 to 1. */
export interface PromptChanges {
  readonly window?: number
  readonly outline?: number
  readonly recall?: number
  readonly preset?: 'firstAndRecent'
}

/** What to try to bring an entry back, in this order: first other policies, then larger windows, up to `largest`. */
export function changesToTry(window: number, largest: number): PromptChanges[] {
  const windows = [1.5, 2, 3, 4, 8, 16, 32]
    .map((factor) => Math.round(window * factor))
    .filter((size) => size <= largest)
  return [
    { recall: 0.4 },
    { recall: 0.8 },
    { outline: 0, recall: 0.8 },
    { preset: 'firstAndRecent' },
    ...windows.map((size) => ({ window: size })),
  ]
}

/** The changes in words. */
export function changesText({ window, outline, recall, preset }: PromptChanges): string {
  if (window !== undefined) return `a window of ${String(window).replace(/\B(?=(?:\d{3})+$)/g, ',')} tokens`
  if (preset !== undefined) return 'send the newest exchanges only'
  const share = `${Math.round((recall ?? 0) * 100)}% of the room for what is recalled`
  return outline === 0 ? `no outline, and ${share}` : `keep ${share}`
}

/** What would have kept an entry, in words. */
export function restorationText({ by, changes = {} }: Pick<Restoration, 'by' | 'changes'>): string {
  if (by === 'pin') return 'pin it'
  return by === 'system' ? 'say it in the system text' : changesText(changes)
}

/**
 * Finds what would have kept an entry in the prompt of a call: a pin, the first other policy and the smallest larger
 * window that do, and the system text. Nothing is sent. Of a request that was passed through unchanged, only the client
 * decides what it has, so that no setting would help. Empty if the call cannot be derived any more.
 *
 * @example
 * const [first] = await restorationsOf(log, receipt, entry.id) // { by: 'pin', tokens: 42, verdict: 'verbatim' }
 */
export async function restorationsOf(
  log: readonly Entry[],
  receipt: Receipt,
  id: string,
  options: Functions & { readonly clock?: Clock | undefined } = {},
): Promise<Restoration[]> {
  const entry = log.find((known) => known.id === id) ?? fail(unknownEntry(id))
  try {
    return await inSlices(restoring(log, receipt, entry, options), createPauses(options.clock))
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code === 'cannot_derive') return []
    throw error
  }
}

function* restoring(log: readonly Entry[], receipt: Receipt, entry: Entry, functions: Functions): Steps<Restoration[]> {
  const settings = recordedSettings(log, receipt.settings)
  const upto = log.findIndex(({ id }) => id === receipt.upto) + 1
  if (!settings || upto === 0 || entry.status === 'erased') return []
  const branch = followBranch(log)(receipt.head, upto)
  if (!branch) return []
  const options = optionsFor(settings, functions)
  const counter = counterNamed(settings.counter, functions.counter ?? estimator) ?? estimator
  const system: Restoration[] =
    entry.text === '' ? [] : [{ by: 'system', tokens: checkedCount(counter, entry.text), verdict: 'verbatim' }]
  if (receipt.sent) return [...pinAsSent(branch, entry, counter), ...system]
  const entries = receipt.request ? entriesOfRequest(receipt, branch, createFinder(log)) : branch
  // Only the client can add what it did not send.
  if (!entries.some(({ id: known }) => known === entry.id)) return system
  const fold = yield* createFoldCache(options)(entries)
  const before = yield* attempt(fold)
  if (!before) return system
  const pin = yield* pinned(entries, entry, options, before.plan)
  const changed = yield* firstChanges(fold, entry.id, settings, before.tokens)
  return [...pin, ...changed, ...system]
}

/** Undefined if the required messages do not fit. */
function* attempt(fold: Fold): Steps<CompileResult | undefined> {
  try {
    return yield* compiling(fold)
  } catch (error) {
    if (MinutebookError.isInstance(error)) return undefined
    throw error
  }
}

function* firstChanges(fold: Fold, id: string, { window, policy }: CallSettings, tokens: number): Steps<Restoration[]> {
  const found = new Map<Restoration['by'], Restoration>()
  const index = entriesOf(fold).findIndex((entry) => entry.id === id)
  for (const changes of index < 0 ? [] : changesToTry(window, window * mostTimes)) {
    const by = changes.window === undefined ? 'policy' : 'window'
    if (found.has(by)) continue
    const changed = refold(fold, { ...fold.settings.options, ...optionsWith(changes, policy) })
    yield fold.length * replayWork
    const made = yield* attempt(changed)
    const verdict = made && verdictAt(made.plan, entriesOf(changed), index)?.verdict
    if (verdict && isSeen(verdict)) found.set(by, { by, tokens: made.tokens - tokens, verdict, changes })
  }
  return [...found.values()]
}

/** The largest window to try, as a multiple of the recorded one. */
const mostTimes = 32
/** What it takes to find the epochs of one entry again, in the unit of `Steps`. */
const replayWork = 100

function optionsWith({ window, preset, ...shares }: PromptChanges, recorded: Policy): Partial<CompileOptions> {
  if (window !== undefined) return { window }
  return { policy: preset ? firstAndRecent({ overflow: recorded.overflow }) : adjusted(recorded, shares) }
}

/** The prompt as it would have been with the entry pinned since it was said. */
function* pinned(branch: readonly Entry[], entry: Entry, options: CompileOptions, before: Plan): Steps<Restoration[]> {
  if (!isPinnable(branch, entry)) return []
  const place = branch.findIndex(({ id }) => id === entry.id)
  const pin = entryOf({ role: 'system', content: '' }, entry, { kind: 'pin' })
  const fold = yield* createFoldCache(options)(branch.toSpliced(place + 1, 0, pin))
  const made = yield* attempt(fold)
  const entries = entriesOf(fold)
  const found =
    made &&
    verdictAt(
      made.plan,
      entries,
      entries.findIndex(({ id }) => id === entry.id),
    )
  if (!found || !isSeen(found.verdict)) return []
  const quoted = pinnedTokens(made.plan) - pinnedTokens(before)
  const tokens = quoted > 0 ? quoted : Math.max(0, made.tokens - before.tokens)
  const exceeds = made.plan.parts.some((part) => part.shape === 'pins' && part.clips.length > 0)
  return [{ by: 'pin', tokens, verdict: found.verdict, ...(exceeds && { exceeds: true as const }) }]
}

function pinnedTokens({ parts }: Plan): number {
  return parts.reduce((sum, part) => (part.shape === 'pins' ? sum + part.tokens : sum), 0)
}

/** A pinned message that the client leaves out is added to its request. */
function pinAsSent(branch: readonly Entry[], entry: Entry, counter: TokenCounter): Restoration[] {
  if (!isPinnable(branch, entry)) return []
  return [{ by: 'pin', tokens: messageTokens(counter, entry.raw), verdict: 'verbatim' }]
}

function isPinnable(branch: readonly Entry[], { id }: Entry): boolean {
  try {
    return pinnable(branch, id).id === id && !pinnedIn(branch).has(id)
  } catch {
    return false
  }
}
