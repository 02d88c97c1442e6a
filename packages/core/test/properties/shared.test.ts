import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPolicy, type CompileOptions, type Entry, type TokenCounter } from 'minutebook'
import { advance, createFold, loadFold, saveFold, type Fold, type SavedFold } from 'minutebook/fold'
import { words } from '@minutebook/testing'
import { cutContent, type SegmentContent } from '../../src/past/segment.ts'
import { advanceInSteps } from '../../src/compiler/fold.ts'
import { areOfBranch, pastFold } from '../../src/past/past-fold.ts'
import { indexOver } from '../../src/compiler/stem-index.ts'
import { sealing } from '../../src/past/segment-seal.ts'
import { condensedOver } from '../../src/past/saved-fold.ts'
import { sharing, type SharedIndex } from '../../src/past/shared-index.ts'
import { startsExchange } from '../../src/log/exchange.ts'
import { atOnce, inSlices } from '../../src/log/time.ts'
import { anyProfile, logs } from '../../../../tests/support/arbitrary.ts'
import { entriesOf } from '../../../../tests/support/entries.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'
import { contentsOf, createStored, outcome, type StoredIndex } from '../support/stored-index.ts'
import { talk } from '../support/talk.ts'

// A log is folded under other settings than before: the new fold uses the index that is stored, as far as that is of its
// own entries.

const policies = fc.constantFrom(defaultPolicy(), defaultPolicy({ recall: 'eager' }), defaultPolicy({ epochs: false }))

/** How the log that was indexed differs from the one that is folded. */
const changes = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ to: 'nothing', at: 0 } as const) },
  { weight: 1, arbitrary: fc.record({ to: fc.constantFrom('another branch', 'one entry less'), at: fc.nat(300) }) },
)

const windows = fc.constantFrom(250, 400, 900)
const script = fc.record({
  policies: fc.tuple(policies, policies),
  windows: fc.tuple(windows, windows),
  changed: changes,
  /** Entries of a part, of a stored segment, and how many of the last ones have no segment. */
  part: fc.integer({ min: 20, max: 90 }),
  every: fc.integer({ min: 20, max: 200 }),
  unsealed: fc.nat(60),
  /** The pass stops after this many parts, and is taken up again. */
  stops: fc.nat(6),
})
type Script = typeof script extends fc.Arbitrary<infer Drawn> ? Drawn : never

describe.each(logs)('a fold under other settings, of %s', (_, anyLog) => {
  test('makes the same prompts with the index that is there as with one of its own', async () => {
    const drawn = [
      fc.array(anyLog, { minLength: 1, maxLength: 6 }),
      fc.option(anyProfile, { nil: {} }),
      script,
    ] as const
    await fc.assert(
      fc.asyncProperty(...drawn, async (parts, profile, plan) => {
        await follow(entriesOf(...parts.flat()), { counter: words, profile }, plan)
      }),
      { numRuns: cases('long') },
    )
  })
})

test('a fold of a long log under other settings uses the index that is there, and counts no text again', async () => {
  let shared = 0
  let spared = 0
  const drawn = [script] as const
  await fc.assert(
    fc.asyncProperty(...drawn, async (plan) => {
      const seen = await follow(talk(300), { counter: words }, plan)
      if (seen.used === 0) return
      shared++
      spared += seen.known
    }),
    withSure(6, cases('long'), drawn),
  )
  expect(shared).toBeGreaterThan(2)
  expect(spared).toBeGreaterThan(300)
})

test('an index with a piece that is gone is not shared', async () => {
  const options = { window: 300, policy: defaultPolicy(), counter: words }
  const entries = talk(200)
  const stored = createStored(entries)
  const index = await indexed(entries, options, 50, stored)
  const shared = (await inSlices(
    sharing(index, undefined, async (wanted) => wanted.map(() => undefined)),
    noPause,
  ))!
  await inSlices(shared.load(0, 100), noPause)
  expect(shared.tokensOf(0, 0)).toBeUndefined()
  const fold = entries.slice(0, 100).reduce((each, entry) => advance(each, entry), createFold(options))
  expect(shared.under(fold)).toBe(fold)
})

const noPause = (): undefined => undefined

/**
 * Indexes a log under the first settings, and folds it under the second ones in parts, as a long log is read. Compares
 * each part, what is kept of the past, and what is stored in the end with a fold that knows everything.
 */
async function follow(
  entries: readonly Entry[],
  base: { readonly counter: TokenCounter; readonly profile?: CompileOptions['profile'] },
  { policies, windows, changed, part, every, unsealed, stops }: Script,
): Promise<{ readonly used: number; readonly known: number }> {
  const [first, second] = [0, 1].map((way) => ({ ...base, window: windows[way]!, policy: policies[way]! }))
  const stored = createStored(entries)
  const there = changedLog(entries, changed)
  const other = await indexed(there.slice(0, Math.max(1, there.length - unsealed)), first!, every, stored)
  const share = (own: SavedFold | undefined): Promise<SharedIndex | undefined> =>
    inSlices(sharing(other, own?.index, stored.pieces), noPause)
  let whole: Fold = createFold(second)
  let fold: Fold = createFold(second)
  let shared = await share(undefined)
  const seen = { used: 0, known: 0 }
  const known = (index: number, seq: number): number | undefined => {
    const tokens = shared?.tokensOf(index, seq)
    if (tokens !== undefined) seen.known++
    return tokens
  }
  if (shared) await inSlices(shared.load(0, entries.length), noPause)
  let from = 0
  let parts = 0
  for (const [next, entry] of entries.entries()) {
    // A checkpoint is before a turn.
    const isPart = next - from >= part && fold.open.length === 0 && startsExchange(entry, fold.exchanges)
    if (isPart) {
      from = next
      const before = fold
      fold = shared?.under(fold) ?? fold
      if (fold !== before) seen.used++
      await expectSamePast(fold, whole, stored)
      const saved = await checkpointOf(fold, stored)
      if (saved) {
        fold = loadFold(saved, second!)
        // What is shared could be gone when the pass is taken up again.
        if (parts++ === stops) shared = parts % 2 ? await share(saved) : undefined
        if (shared) await inSlices(shared.load(fold.length, entries.length), noPause)
      }
    }
    whole = advance(whole, entry)
    fold = atOnce(advanceInSteps(fold, entry, known))
    expect(countsOf(fold)).toBe(countsOf(whole))
    if (isPart) expect(await outcome(fold, stored)).toBe(await outcome(whole))
  }
  await expectSameIndex(fold, entries, second!, stored)
  return seen
}

function changedLog(entries: readonly Entry[], { to, at }: Script['changed']): readonly Entry[] {
  if (to === 'one entry less') return entries.toSpliced(at % entries.length, 1)
  const branch = talk(60).map((entry, place) => ({ ...entry, id: `other ${place}`, seq: entries.length + place }))
  return to === 'nothing' ? entries : [...entries.slice(0, at), ...branch]
}

/** Folds and stores a log, and returns the index of its checkpoint. */
async function indexed(
  entries: readonly Entry[],
  options: CompileOptions,
  every: number,
  stored: StoredIndex,
): Promise<SavedFold['index']> {
  let fold: Fold = createFold(options)
  for (const [place, entry] of entries.entries()) {
    fold = advance(fold, entry)
    if (place % every !== every - 1 && place !== entries.length - 1) continue
    const { segments, ...sealed } = await inSlices(sealing(fold, stored.segment), noPause)
    stored.store({ ...sealed, replaced: [] })
    fold = { ...fold, columns: { ...fold.columns, index: indexOver(segments) } }
  }
  return saveFold(fold).index
}

/** A fold of the past is the same, however much of its index is shared. */
async function expectSamePast(fold: Fold, whole: Fold, stored: StoredIndex): Promise<void> {
  const [past, same] = [atOnce(pastFold(fold)), atOnce(pastFold(whole))]
  expect(JSON.stringify(past)).toBe(JSON.stringify(same))
  const { segments, base } = fold.columns.index
  if (past && base === fold.length && base > 0)
    expect(await inSlices(areOfBranch(past, segments, stored.pieces), noPause)).toBe(true)
}

/** Stores a fold as a checkpoint does. Undefined if it still needs all its entries. */
async function checkpointOf(fold: Fold, stored: StoredIndex): Promise<SavedFold | undefined> {
  const { segments, ...sealed } = await inSlices(sealing(fold, stored.segment), noPause)
  stored.store({ ...sealed, replaced: [] })
  const { index } = fold.columns
  const small = condensedOver(fold, indexOver(segments, fold.length, index.totals[fold.length - index.base]))
  return small === fold ? undefined : (JSON.parse(JSON.stringify(saveFold(small))) as SavedFold)
}

/** The segments of the fold say the same as those of one that has all entries in memory. */
async function expectSameIndex(
  fold: Fold,
  entries: readonly Entry[],
  options: CompileOptions,
  stored: StoredIndex,
): Promise<void> {
  const { segments, ...sealed } = await inSlices(sealing(fold, stored.segment), noPause)
  stored.store({ ...sealed, replaced: [] })
  const own = createStored(entries)
  const alone = entries.reduce((each, entry) => advance(each, entry), createFold(options))
  const fresh = await inSlices(sealing(alone, own.segment), noPause)
  own.store(fresh)
  const same = cutContent(await contentsOf(segments, stored), fold.length)
  expect(textOf(same)).toBe(textOf(await contentsOf(fresh.segments, own)))
}

function textOf({ postings, ...content }: SegmentContent): string {
  return JSON.stringify([content, [...postings].sort(([one], [other]) => (one < other ? -1 : 1))])
}

/** What depends on the counts of all entries. */
function countsOf({ length, epoch, digest, columns }: Fold): string {
  return JSON.stringify({ length, epoch, digest, full: columns.full.values.at(-1), text: columns.text.values.at(-1) })
}
