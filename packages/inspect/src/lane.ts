import { estimator, history, MinutebookError, type Entry } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import {
  counterNamed,
  createDeriver,
  messageTokens,
  receiptsOf,
  recallWords,
  type DeriveFunction,
  type KeptReceipt,
  type Prompt,
  type RecallWords,
} from 'minutebook/inspect'
import type { Plan, Verdict } from 'minutebook/compile'
import { traits, unknownEntry } from 'minutebook/store'
import { settingsIn, type Functions } from './recorded-settings.ts'
import { isSeen, isWithout, verdictOf } from './verdict.ts'

/** Did the model have it? What happened to one entry in each model call that came after it. */
export interface Lane {
  readonly entry: string
  /** The last entry of the branch whose calls these are. */
  readonly head: string
  /** Oldest first. */
  readonly calls: readonly LaneCall[]
  /** How many calls before these are left out, because only the newest ones were asked for. */
  readonly earlier: number
}

/** What happened to the entry in one model call. */
export interface LaneCall {
  /** The id of the call's receipt. */
  readonly receipt: string
  /** The number of the call's turn on the branch, counted from 1. */
  readonly turn: number
  /** Null if the prompt cannot be derived. */
  readonly verdict: Verdict | null
  /** Why it has this verdict, or none. */
  readonly reason: string
  /** What was sent of the entry, in tokens. The cost of a line that covers it is not counted. */
  readonly tokens: number
  /** True if the derived prompt is, byte for byte, what was sent. */
  readonly same: boolean
  /** The turn since which no prompt had the entry. Only if this one did not have it either. */
  readonly since?: number
  /** What recall looked for. Only if the prompt was compiled without the entry, and recall was on. */
  readonly recall?: RecallQuery
}

/** What recall looked for and found, for one prompt. */
export interface RecallQuery extends RecallWords {
  /** How many other entries were recalled, and what these cost. */
  readonly entries: number
  readonly tokens: number
}

/** What a lane is made with. */
export interface LaneOptions extends Functions {
  /** The last entry of a branch. Default: the newest branch that has the entry. */
  readonly head?: string | undefined
  /** The most calls. The newest ones are chosen. Default: all. */
  readonly calls?: number | undefined
  /** With a clock that can pause, others can work in between. */
  readonly clock?: Clock | undefined
}

/**
 * Follows one entry through the model calls of its branch. The log is folded once for all of them. A call whose prompt
 * cannot be derived any more has no verdict, and its reason says why. Throws `unknown_entry` if the log does not have
 * the entry, or if the branch does not.
 *
 * @example
 * const { calls } = await laneOf(log, entry.id)
 * const without = calls.filter(({ verdict }) => verdict === 'omitted')
 */
export async function laneOf(log: readonly Entry[], id: string, options: LaneOptions = {}): Promise<Lane> {
  const entry = log.find((known) => known.id === id)
  if (!entry) throw unknownEntry(id)
  const head = options.head ?? newestEnd(log, entry)
  const branch = history(log, { head })
  if (!branch.some((known) => known.id === id)) throw unknownEntry(id)
  const all = callsAfter(branch, entry)
  const chosen = all.slice(Math.max(0, all.length - (options.calls ?? all.length)))
  const calls = await following(log, entry, chosen, turnsOf(branch), options)
  return { entry: id, head, calls, earlier: all.length - chosen.length }
}

/** The newest chained entry that follows an entry, or the entry itself. */
function newestEnd(log: readonly Entry[], { id, kind, parent }: Entry): string {
  const start = traits[kind].chained ? id : parent
  const after = new Set([start])
  let end = start
  for (const entry of log) {
    if (!traits[entry.kind].chained || (entry.id !== start && !after.has(entry.parent))) continue
    after.add(entry.id)
    end = entry.id
  }
  if (end === null) throw unknownEntry(id)
  return end
}

/** The calls of a branch whose prompt could have the entry. */
function callsAfter(branch: readonly Entry[], entry: Entry): KeptReceipt[] {
  if (!traits[entry.kind].prompted) return []
  const places = new Map(branch.map(({ id }, place) => [id, place]))
  const seqs = new Map(branch.map(({ id, seq }) => [id, seq]))
  const place = places.get(traits[entry.kind].chained ? entry.id : (entry.parent ?? '')) ?? 0
  return receiptsOf(branch).filter(
    ({ head, upto }) => (places.get(head) ?? -1) >= place && (seqs.get(upto) ?? -1) >= entry.seq,
  )
}

/** Where a chained entry is on its branch. */
export interface TurnPosition {
  /** The number of its turn, counted from 1. 0 before the first turn. */
  readonly turn: number
  /** The user entry of that turn. Null before the first turn. */
  readonly question: string | null
}

/** The turn of each chained entry of a branch. */
export function turnsOf(branch: readonly Entry[]): ReadonlyMap<string, TurnPosition> {
  let place: TurnPosition = { turn: 0, question: null }
  return new Map(
    branch
      .filter(({ kind }) => traits[kind].chained)
      .map(({ id, kind }) => {
        if (kind === 'user') place = { turn: place.turn + 1, question: id }
        return [id, place]
      }),
  )
}

async function following(
  log: readonly Entry[],
  entry: Entry,
  receipts: readonly KeptReceipt[],
  turns: ReadonlyMap<string, TurnPosition>,
  functions: LaneOptions,
): Promise<LaneCall[]> {
  const derive = createDeriver(log, functions)
  const settings = settingsIn(log)
  const byId = new Map(log.map((each) => [each.id, each]))
  const calls: LaneCall[] = []
  let since: number | undefined
  for (const receipt of receipts) {
    const { turn } = turns.get(receipt.head) ?? { turn: 0 }
    const recalls = settings.get(receipt.settings)?.policy.recall != null
    const found = await callOf(derive, receipt, entry, functions, { recalls, recorded: (id) => byId.get(id) })
    since = isWithout(found.verdict) ? (since ?? turn) : undefined
    calls.push({ receipt: receipt.id, turn, ...found, ...(since !== undefined && { since }) })
    await functions.clock?.pause?.()
  }
  return calls
}

/** What is known of a call, to say what recall looked for. */
interface SearchContext {
  /** True if its policy has recall. */
  readonly recalls: boolean
  /** The recorded entry with this id. */
  readonly recorded: (id: string) => Entry | undefined
}

type Found = Omit<LaneCall, 'receipt' | 'turn' | 'since'>

async function callOf(
  derive: DeriveFunction,
  receipt: KeptReceipt,
  entry: Entry,
  functions: Functions,
  context: SearchContext,
): Promise<Found> {
  if (entry.status === 'erased') return unknownCall('it was erased')
  try {
    const prompt = await derive(receipt)
    return { ...foundIn(prompt, entry, functions, context), same: prompt.hash === receipt.hash }
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    return unknownCall(error.problem)
  }
}

function unknownCall(reason: string): Found {
  return { verdict: null, reason, tokens: 0, same: false }
}

function foundIn(
  { compiled: { plan }, planned, unchanged, ofRequest }: Prompt,
  entry: Entry,
  { counter = estimator }: Functions,
  { recalls, recorded }: SearchContext,
): Omit<Found, 'same'> {
  const entries = planned()
  const found = verdictOf(plan, entries, entry.id)
  if (!found && ofRequest && traits[entry.kind].chained)
    return { verdict: 'omitted', reason: 'left out by the client', tokens: 0 }
  if (!found) return { verdict: 'hidden', reason: 'replaced or revoked', tokens: 0 }
  const { index, verdict, reason } = found
  const span = plan.spans.find(({ from, to }) => from === index && to === index + 1)
  const whole = (): number => messageTokens(counterNamed(plan.counter, counter) ?? counter, entry.raw)
  const tokens = isSeen(verdict) ? span?.tokens || whole() : 0
  const isSearched = isWithout(verdict) && !unchanged && traits[entry.kind].chained && recalls
  const recall = isSearched ? searchOf(entries, entry, plan.parts, recorded) : undefined
  return { verdict, reason, tokens, ...(recall && { recall }) }
}

/** Recall compares the newest user entry with older ones. */
function searchOf(
  entries: readonly Entry[],
  entry: Entry,
  parts: Plan['parts'],
  recorded: SearchContext['recorded'],
): RecallQuery | undefined {
  const question = entries.findLast(({ kind }) => kind === 'user')
  // A prompt may have a system text of a client as a user entry, and people do not see it.
  const shown = question && recorded(question.id)
  if (!shown || shown.id === entry.id) return undefined
  const recalled = parts.filter((part) => part.shape === 'recall')
  return {
    ...recallWords(shown, entry),
    entries: recalled.reduce((sum, part) => sum + part.entries.length, 0),
    tokens: recalled.reduce((sum, part) => sum + part.tokens, 0),
  }
}
