import {
  estimator,
  firstAndRecent,
  history,
  MinutebookError,
  type CompileOptions,
  type Entry,
  type Policy,
  type TokenCounter,
} from 'minutebook'
import type { Clock } from 'minutebook/clock'
import {
  withShares,
  checkedCount,
  counterNamed,
  createDeriver,
  messageTokens,
  type CallSettings,
  type DeriveFunction,
  type Prompt,
  type Receipt,
} from 'minutebook/inspect'
import type { Plan, Verdict } from 'minutebook/compile'
import { entryOf, traits, unknownEntry } from 'minutebook/store'
import { settingsIn, type Functions } from './recorded-settings.ts'
import { isSeen, verdictOf } from './verdict.ts'

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
  options: RestorationOptions = {},
): Promise<Restoration[]> {
  const entry = log.find((known) => known.id === id)
  if (!entry) throw unknownEntry(id)
  try {
    return await restorations(log, receipt, entry, options)
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code === 'cannot_derive') return []
    throw error
  }
}

/** What restorations are found with. */
export interface RestorationOptions extends Functions {
  /** With a clock that can pause, others can work in between. */
  readonly clock?: Clock | undefined
}

async function restorations(
  log: readonly Entry[],
  receipt: Receipt,
  entry: Entry,
  options: RestorationOptions,
): Promise<Restoration[]> {
  const settings = settingsIn(log).get(receipt.settings)
  const upto = log.findIndex(({ id }) => id === receipt.upto) + 1
  const counter = settings && counterNamed(settings.counter, options.counter ?? estimator)
  if (!counter || upto === 0 || entry.status === 'erased') return []
  const branch = history(log.slice(0, upto), { head: receipt.head })
  const system: Restoration[] =
    entry.text === '' ? [] : [{ by: 'system', tokens: checkedCount(counter, entry.text), verdict: 'verbatim' }]
  if (receipt.sent) return [...pinAsSent(branch, entry, counter), ...system]
  const derive = createDeriver(log, options)
  const before = await attempt(derive(receipt))
  // Only the client can add what it did not send.
  if (!before?.planned().some(({ id }) => id === entry.id)) return system
  const pin = isPinnable(branch, entry) ? await pinned(log, receipt, entry, options, before.compiled.plan) : []
  const changed = await firstChanges((changes) => derive(receipt, changes), entry.id, settings, before.compiled.tokens)
  return [...pin, ...changed, ...system]
}

/** Undefined if the required messages do not fit. */
async function attempt(prompt: ReturnType<DeriveFunction>): Promise<Prompt | undefined> {
  try {
    return await prompt
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code !== 'cannot_derive') return undefined
    throw error
  }
}

async function firstChanges(
  derive: (changes: Partial<CompileOptions>) => Promise<Prompt>,
  id: string,
  { window, policy }: CallSettings,
  tokens: number,
): Promise<Restoration[]> {
  const found = new Map<Restoration['by'], Restoration>()
  for (const changes of changesToTry(window, window * mostTimes)) {
    const by = changes.window === undefined ? 'policy' : 'window'
    if (found.has(by)) continue
    const made = await attempt(derive(optionsWith(changes, policy)))
    const verdict = made && verdictOf(made.compiled.plan, made.planned(), id)?.verdict
    if (verdict && isSeen(verdict)) found.set(by, { by, tokens: made.compiled.tokens - tokens, verdict, changes })
  }
  return [...found.values()]
}

/** The largest window to try, as a multiple of the recorded one. */
const mostTimes = 32

function optionsWith({ window, preset, ...shares }: PromptChanges, recorded: Policy): Partial<CompileOptions> {
  if (window !== undefined) return { window }
  return { policy: preset ? firstAndRecent({ overflow: recorded.overflow }) : withShares(recorded, shares) }
}

/** The prompt as it would have been with the entry pinned since it was said. */
async function pinned(
  log: readonly Entry[],
  // A pin counts on the branch, also if the prompt held only what the client sent.
  { request: _request, ...receipt }: Receipt,
  entry: Entry,
  options: RestorationOptions,
  before: Plan,
): Promise<Restoration[]> {
  const pin = entryOf({ role: 'system', content: '' }, entry, { kind: 'pin' })
  const place = log.findIndex(({ id }) => id === entry.id)
  const made = await attempt(createDeriver(log.toSpliced(place + 1, 0, pin), options)(receipt))
  const found = made && verdictOf(made.compiled.plan, made.planned(), entry.id)
  if (!found || !isSeen(found.verdict)) return []
  const { plan, tokens } = made.compiled
  const quoted = pinnedTokens(plan) - pinnedTokens(before)
  const exceeds = plan.parts.some((part) => part.shape === 'pins' && part.clips.length > 0)
  return [
    {
      by: 'pin',
      tokens: quoted > 0 ? quoted : Math.max(0, tokens - before.tokens),
      verdict: found.verdict,
      ...(exceeds && { exceeds: true as const }),
    },
  ]
}

function pinnedTokens({ parts }: Plan): number {
  return parts.reduce((sum, part) => (part.shape === 'pins' ? sum + part.tokens : sum), 0)
}

/** A pinned message that the client leaves out is added to its request. */
function pinAsSent(branch: readonly Entry[], entry: Entry, counter: TokenCounter): Restoration[] {
  if (!isPinnable(branch, entry)) return []
  return [{ by: 'pin', tokens: messageTokens(counter, entry.raw), verdict: 'verbatim' }]
}

/** True for a message of the branch that no prompt must have yet. */
function isPinnable(branch: readonly Entry[], { id, kind }: Entry): boolean {
  const { chained, pinned: always } = traits[kind]
  if (!chained || always || !branch.some((known) => known.id === id)) return false
  const revoked = new Set(branch.flatMap((known) => (known.kind === 'revocation' ? [known.text] : [])))
  return !branch.some(
    (pin) => pin.kind === 'pin' && pin.parent === id && pin.status !== 'erased' && !revoked.has(pin.id),
  )
}
