import type { Entry } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import { argumentsText } from '../log/message.ts'
import { itemWork, reading, type Steps } from '../log/time.ts'
import { at, exchangeStart, remember, spokenStep, type View } from './columns.ts'
import { quotedCost, totalTokens } from './cost.ts'
import { withinRights, type Fold } from './fold.ts'
import { appendStems, indexedIn, scannedCharacters, type StemIndex } from './stem-index.ts'
import { memorySource, rankEntries, type RecallFacts, type IndexSource, type Ranking } from './rank-entries.ts'
import type { RecallSetting } from './policy.ts'

/** Reads what recall needs of a log that is not in memory. */
export interface RecallReader {
  /** For the index of a fold, of which a part may be stored. */
  source(index: StemIndex): IndexSource
  /** The entries with these seqs, in order. */
  entries(seqs: readonly number[]): Promise<readonly Entry[]>
}

/** Entries from before the cut, quoted because the latest message asks about them. */
export interface RecallPart {
  readonly shape: 'recall'
  readonly tier: 'recall'
  readonly entries: readonly { readonly index: number; readonly tokens: number }[]
  readonly tokens: number
}

/** Which entries may be recalled, and how many. */
interface RecallLimits {
  /** Only entries before this one. */
  readonly before: number
  /** Entries that the prompt has already. */
  readonly present: ReadonlySet<number>
  /** The room of which the policy gives recall a share. */
  readonly base: number
  /** The tokens that are left in the prompt. */
  readonly room: number
}

/** What does the latest user entry ask about? The older entries that it recalls. */
export function* recallEntries(
  fold: Fold,
  { before, present, base, room }: RecallLimits,
  read: RecallReader | undefined,
): Steps<RecallPart | undefined> {
  const { settings, columns } = fold
  const setting = settings.policy.recall
  if (!setting || fold.exchanges === 0 || room <= settings.prices.recall) return undefined
  const asked = exchangeStart(fold, fold.exchanges - 1)
  const query = at(columns.entries, asked)
  if (query.kind !== 'user') return undefined
  yield* indexEntries(fold, asked)
  const source = read ? read.source(columns.index) : memorySource(columns.index)
  const share = setting.largest * (asks(query.text) ? 1 : setting.statement)
  const largest = Math.min(room, Math.floor(Math.max(0, base) * share))
  const found = yield* rankEntries(source, query.text, {
    count: asked,
    before: Math.min(before, asked),
    most: Math.max(256, largest / 4),
    reads: setting.reads,
  })
  yield* source.loadFacts(found.candidates.slice(0, likely).map(({ entry }) => entry))
  const units = yield* selectUnits(found, setting, largest - settings.prices.recall, function* (entry) {
    const facts = yield* source.factsOf(entry)
    const unit = facts ? yield* storedUnit(source, entry, facts) : recallUnit(fold, entry)
    return unit?.entries.some((each) => present.has(each)) ? undefined : unit
  })
  if (units.length === 0) return undefined
  const entries = units.flatMap((unit) => unit.entries.map((index, place) => ({ index, tokens: unit.costs[place]! })))
  yield* readEntries(
    fold,
    source,
    entries.map(({ index }) => index),
    read,
  )
  return {
    shape: 'recall',
    tier: 'recall',
    entries,
    tokens: settings.prices.recall + totalTokens(entries),
  }
}

/** True if the text has a question mark of any script. If it misses a question, less is recalled. */
export function asks(text: string): boolean {
  return ['?', '？', '؟', '\u037e'].some((mark) => text.includes(mark))
}

/** About how many candidates are looked at. */
const likely = 64

/** What is recalled together: one entry, or calls with all their results. */
export interface Unit {
  readonly from: number
  /** In the order of the log. The first is at `from`. */
  readonly entries: readonly number[]
  /** What each of them costs, and all together. */
  readonly costs: readonly number[]
  readonly tokens: number
}

/**
 * Chooses what to recall: the best value first. Skips what no longer fits, and stops at the first that is not worth it.
 * Returns units in the order of the log.
 */
export function* selectUnits(
  { candidates, weight }: Ranking,
  setting: RecallSetting,
  room: number,
  unitOf: (entry: number) => Steps<Unit | undefined>,
): Steps<Unit[]> {
  const best = candidates[0]
  if (!best || weight < setting.leastWeight) return []
  const chosen = new Map<number, Unit>()
  let left = room
  for (const { entry, tokens, score, value } of candidates) {
    if (value < best.value * setting.ofBest || left <= 0) break
    if (tokens > left || score < weight * setting.ofWeight) continue
    const unit = yield* unitOf(entry)
    if (!unit || chosen.has(unit.from) || unit.tokens > left) continue
    chosen.set(unit.from, unit)
    left -= unit.tokens
  }
  return [...chosen.values()].sort((one, other) => one.from - other.from)
}

/** Adds all entries before `count` to the search index. */
export function* indexEntries({ columns }: View, count: number): Steps<void> {
  const { index, entries } = columns
  // Read the length again each time: another caller may have extended the index in between.
  while (indexedIn(index) < count) {
    const next = indexedIn(index)
    const entry = at(entries, next)
    const { pinned, chained } = traits[entry.kind]
    const called = entry.calls.map((call) => `${call.name} ${argumentsText(call)}`)
    appendStems(index, pinned || !chained ? '' : [entry.text, ...called].join(' '), at(columns.text, next))
    yield itemWork + Math.min(entry.text.length, scannedCharacters)
  }
}

/**
 * The entry itself, or the whole step if it is a call or a result. Never a note: the newest notes are in every prompt,
 * and older ones are out of date.
 */
function recallUnit(fold: Fold, index: number): Unit | undefined {
  if (!isRecallable(fold, index)) return undefined
  return unitOf(isCall(fold, index) ? spokenStep(fold, index) : [index], (each) => recalledCost(fold, each))
}

export function isRecallable({ columns }: Fold, index: number): boolean {
  const { kind, text, calls } = at(columns.entries, index)
  return !traits[kind].pinned && traits[kind].chained && (text !== '' || calls.length > 0)
}

export function isCall({ columns }: Fold, index: number): boolean {
  const { kind, calls } = at(columns.entries, index)
  return calls.length > 0 || kind === 'tool'
}

/** The same for an entry that is not in memory. */
function* storedUnit(source: IndexSource, index: number, facts: RecallFacts): Steps<Unit | undefined> {
  if (!facts.isRecallable) return undefined
  if (!facts.isCall) return unitOf([index], () => facts.cost)
  let [from, first] = [index, facts]
  while (!first.startsStep && from > 0) first = (yield* source.factsOf(--from))!
  const step: number[] = []
  const costs = new Map<number, number>()
  let each: RecallFacts | undefined = first
  for (let next = from; each && (next === from || !each.startsStep); each = yield* source.factsOf(++next)) {
    if (!each.isSpoken) continue
    step.push(next)
    costs.set(next, each.cost)
  }
  return unitOf(step, (entry) => costs.get(entry)!)
}

function unitOf(entries: readonly number[], cost: (entry: number) => number): Unit {
  const costs = entries.map(cost)
  return { from: entries[0]!, entries, costs, tokens: costs.reduce((sum, each) => sum + each, 0) }
}

/** What an entry costs if it is recalled. */
export function recalledCost(fold: Fold, index: number): number {
  const {
    columns: { text, rest, entries, memory },
    settings: { prices },
  } = fold
  const known = memory.recalled.get(index)
  if (known !== undefined) return known
  const cost = quotedCost(at(entries, index), { text: at(text, index), rest: at(rest, index) }, prices)
  memory.recalled.set(index, cost)
  return cost
}

/**
 * Reads recalled entries that are not in memory, and what must be known to tell what happened to the entries between
 * them: the first words of the entry after each, and the exchange of the one before.
 */
function* readEntries(
  { columns }: Fold,
  source: IndexSource,
  recalled: readonly number[],
  read: RecallReader | undefined,
): Steps<void> {
  const needed = new Set(recalled.flatMap((index) => [index, index + 1]))
  const around = [...needed, ...recalled.map((index) => index - 1)].filter((index) => index >= 0)
  yield* source.loadFacts(around)
  const known = new Map<number, RecallFacts>()
  for (const index of around) {
    const facts = yield* source.factsOf(index)
    if (facts) known.set(index, facts)
  }
  if (known.size === 0 || !read) return
  const seqs = [...needed].flatMap((index) => known.get(index)?.seq ?? [])
  const found = yield* reading(() => read.entries(seqs))
  const bySeq = new Map(found.map((entry) => [entry.seq, entry]))
  remember(
    columns,
    [...known].map(([index, { seq, place, exchange, notes }]) => {
      const entry = needed.has(index) ? bySeq.get(seq) : undefined
      return [index, { exchange, notes, entry: entry && withinRights({ ...entry, place }) }]
    }),
  )
}
