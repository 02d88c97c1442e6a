import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPolicy, type CompileOptions, type Entry } from 'minutebook'
import { advance, createFold, loadFold, saveFold, type Fold } from 'minutebook/fold'
import { words } from '@minutebook/testing'
import { startsExchange } from '../../src/log/exchange.ts'
import { atOnce, inSlices } from '../../src/log/time.ts'
import { areOfBranch, pastFold, restoredFold, seqsOf, type PastFold } from '../../src/past/past-fold.ts'
import { indexOver, rememberSegments, type Segment } from '../../src/compiler/stem-index.ts'
import { condensedOver } from '../../src/past/saved-fold.ts'
import { sealing } from '../../src/past/segment-seal.ts'
import type { SegmentContent } from '../../src/past/segment.ts'
import { anyProfile, logs, windowSize } from '../../../../tests/support/arbitrary.ts'
import { entriesOf } from '../../../../tests/support/entries.ts'
import { cases } from '../../../../tests/support/runs.ts'
import { contentsOf, createStored, outcome, type StoredIndex } from '../support/stored-index.ts'
import { talk } from '../support/talk.ts'

// The index of recall may be in memory or stored in segments next to the log. The prompts are the same.

const recalls = fc.constantFrom(defaultPolicy(), defaultPolicy({ recall: 'eager' }), defaultPolicy({ epochs: false }))

describe.each(logs)('a fold whose index is stored, of %s', (_, anyLog) => {
  test('goes on like one that knows everything, however often it is stored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyLog, { minLength: 1, maxLength: 6 }),
        recalls,
        windowSize,
        fc.option(anyProfile, { nil: {} }),
        fc.integer({ min: 1, max: 20 }),
        async (parts, policy, window, profile, every) => {
          await follow(entriesOf(...parts.flat()), { window, policy, counter: words, profile }, every)
        },
      ),
      { numRuns: cases('segments') },
    )
  })
})

describe('a fold whose index is stored', () => {
  test.each([
    ['gated', 900, 64],
    ['gated', 400, 7],
    ['eager', 700, 150],
  ] as const)('of a long log compiles to the same prompts: recall %s, window %d', async (recall, window, every) => {
    const { fold, recalled, pasts } = await follow(
      talk(1500),
      { window, policy: defaultPolicy({ recall }), counter: words },
      every,
    )
    expect(recalled).toBeGreaterThan(20)
    expect(pasts).toBeGreaterThan(2)
    expect(fold.columns.index.postings.size).toBeLessThan(200)
    expect(fold.columns.index.segments.length).toBeLessThan(14)
  })
})

describe('folds that share an index each store what they know', () => {
  const options = { window: 900, policy: defaultPolicy(), counter: words }
  const entries = talk(200)
  const place = fc.integer({ min: 1, max: entries.length })

  test('also if a longer one was stored before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 4 }), async (lengths) => {
        const stored = createStored(entries)
        const folds = foldsOf(entries, options)
        for (const length of [entries.length, ...lengths])
          expect(await contentsOf(await sealed(folds[length]!, stored), stored)).toEqual(
            await freshContents(entries.slice(0, length), options),
          )
      }),
      { numRuns: cases('segments') },
    )
  })

  test('also if one is of another branch', async () => {
    await fc.assert(
      fc.asyncProperty(place, async (from) => {
        const stored = createStored(entries)
        const folds = foldsOf(entries, options)
        await sealed(folds.at(-1)!, stored)
        const branch = talk(40).map((entry, at) => ({ ...entry, id: `other ${at}`, seq: from + at }))
        const fork = branch.reduce((fold, entry) => advance(fold, entry), folds[from]!)
        expect(await contentsOf(await sealed(fork, stored), stored)).toEqual(
          await freshContents([...entries.slice(0, from), ...branch], options),
        )
      }),
      { numRuns: cases('segments') },
    )
  })
})

test('a fold of the past knows segments of its branch from those of another, which would mislead it', async () => {
  const options = { window: 300, policy: defaultPolicy(), counter: words }
  const entries = talk(200)
  const past = atOnce(pastFold(foldsOf(entries, options).at(-1)!))!
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: entries.length + 20 }), async (from) => {
      const all = [...entries, ...talk(20).map((entry, at) => ({ ...entry, id: `later ${at}`, seq: 200 + at }))]
      const other = talk(220).map((entry, at) => ({ ...entry, id: `other ${at}`, seq: 220 + at }))
      const branch = [...all.slice(0, from), ...other]
      const stored = createStored(branch)
      const segments = await sealed(foldsOf(branch, options).at(-1)!, stored)
      expect(await inSlices(areOfBranch(past, segments, stored.pieces), () => undefined)).toBe(from >= entries.length)
    }),
    { numRuns: cases('segments') },
  )
})

/** The folds of the first 0, 1, 2, ... entries, which share what they know. */
function foldsOf(entries: readonly Entry[], options: CompileOptions): Fold[] {
  const folds: Fold[] = [createFold(options)]
  for (const entry of entries) folds.push(advance(folds.at(-1)!, entry))
  return folds
}

/** Stores the index of a fold, and remembers what is stored. */
async function sealed(fold: Fold, stored: StoredIndex): Promise<readonly Segment[]> {
  const { segments, ...changes } = await inSlices(sealing(fold, stored.segment), () => undefined)
  // What was replaced is kept: folds of other lengths may use it.
  stored.store({ ...changes, replaced: [] })
  rememberSegments(fold.columns.index, segments)
  return segments
}

async function freshContents(entries: readonly Entry[], options: CompileOptions): Promise<SegmentContent> {
  const stored = createStored(entries)
  return contentsOf(await sealed(foldsOf(entries, options).at(-1)!, stored), stored)
}

/**
 * Compares a fold that is stored before every `every`th exchange with one that is in memory, after each entry. Returns the
 * stored one, and how many entries its prompts recalled that it did not have in memory. In the end, compares what each
 * fold of the past makes of the segments that there are then.
 */
async function follow(
  entries: readonly Entry[],
  options: CompileOptions,
  every: number,
): Promise<{ readonly fold: Fold; readonly recalled: number; readonly pasts: number }> {
  const stored = createStored(entries)
  let whole: Fold = createFold(options)
  let fold: Fold = createFold(options)
  let exchanges = 0
  let recalled = 0
  const pasts: { readonly past: PastFold; readonly next: number }[] = []
  const outcomes = new Map<number, string>()
  for (const [next, entry] of entries.entries()) {
    if (fold.open.length === 0 && startsExchange(entry, fold.exchanges) && ++exchanges % every === 0) {
      const past = atOnce(pastFold(fold))
      if (past) pasts.push({ past: JSON.parse(JSON.stringify(past)) as PastFold, next })
      fold = await dropped(fold, options, stored)
    }
    whole = advance(whole, entry)
    fold = advance(fold, entry)
    if (entries.length > 500 && entry.seq % 7 !== 0) continue
    outcomes.set(next, await outcome(whole))
    expect(await outcome(fold, stored)).toBe(outcomes.get(next))
    recalled += fold.columns.memory.older.size
  }
  const { segments } = fold.columns.index
  for (const { past, next } of pasts) {
    const needed = seqsOf(past).map((seq) => entries[seq]!)
    let then = loadFold(restoredFold(past, needed, segments)!, options)
    for (let index = next; index < Math.min(entries.length, next + 12); index++) {
      then = advance(then, entries[index]!)
      const known = outcomes.get(index)
      if (known !== undefined) expect(await outcome(then, stored)).toBe(known)
    }
  }
  return { fold, recalled, pasts: pasts.length }
}

/** Stores the index of a fold, drops what no later prompt needs, and loads the rest again. */
async function dropped(fold: Fold, options: CompileOptions, stored: StoredIndex): Promise<Fold> {
  const { segments, ...changes } = await inSlices(sealing(fold, stored.segment), () => undefined)
  stored.store(changes)
  return loadFold(JSON.parse(JSON.stringify(saveFold(condensedOver(fold, indexOver(segments))))), options)
}
