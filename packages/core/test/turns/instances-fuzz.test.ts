import fc from 'fast-check'
import { MinutebookError, history, openBook, visible, type Entry } from 'minutebook'
import { traits } from 'minutebook/store'
import { expect, test } from 'vitest'
import { findIllegal, words } from '@minutebook/testing'
import { turnText } from '../../src/turns/feed.ts'
import { next, turnOf } from '../../src/log/next.ts'
import { openCalls } from '../../src/log/open-call.ts'
import { createCrowd, type Crowd, type Deed, type Said, type Surroundings } from '../support/crowd.ts'
import { newestBranch } from '../support/newest-branch.ts'
import { canary, moods } from '../support/moody-model.ts'
import { unhandledRejections } from '../support/settled.ts'
import { cases } from '../../../../tests/support/runs.ts'
import { tick } from '../../../../tests/support/tick.ts'

const unhandled = unhandledRejections()

const surroundings: fc.Arbitrary<Surroundings> = fc.record({
  moods: fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('answer' as const, 'again' as const, 'one' as const, 'hangs' as const) },
      { weight: 1, arbitrary: fc.constantFrom('asks' as const, 'asksTwice' as const, 'asksClient' as const) },
      fc.constantFrom(...moods),
    ),
    { minLength: 1, maxLength: 12, size: 'max' },
  ),
  delays: fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
  losses: fc.oneof(fc.constant([false]), fc.array(fc.boolean(), { minLength: 1, maxLength: 7 })),
  system: fc.constantFrom(undefined, 'Be brief.'),
  notes: fc.constantFrom('off', 'block'),
  checkpointEvery: fc.constantFrom(undefined, 1, 5),
})

const by = fc.nat(1)
const wait = fc.nat(12)
const cancelAt = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.nat(4))
const deeds: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      by,
      ifBusy: fc.constantFrom('reject' as const, 'queue' as const, 'queue' as const, 'interrupt' as const),
      keyed: fc.boolean(),
      cancelAt,
      wait,
      anew: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('retry' as const, 'resume' as const), by, cancelAt, wait }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('watch' as const),
      by,
      loads: fc.boolean(),
      leaves: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), by }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('decide' as const), by, which: fc.nat(3), runs: fc.boolean(), wait }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('die' as const), which: fc.nat(2), zombie: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('join' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
)

test('whoever dies, whatever is lost: every message is answered once, in order, every sender is told, and the log is whole', async () => {
  await fc.assert(
    fc.asyncProperty(
      surroundings,
      fc.array(deeds, { minLength: 1, maxLength: 14, size: 'max' }),
      async (around, sequence) => {
        const crowd = createCrowd(around)
        for (const deed of sequence) await crowd.apply(deed)
        expect(await crowd.calm()).toEqual([])
        await checkLog(crowd)
        const log = await crowd.store.read('t')
        checkSaid(log, crowd)
        for (const [number, times] of crowd.ran) expect(times).toBeLessThanOrEqual(crowd.model.issued.get(number) ?? 0)
        await checkDecided(log, crowd)
        for (const { messages } of crowd.model.requests) expect(findIllegal(messages)).toBeUndefined()
        checkWatched(log, crowd)
        const screens = [
          ...crowd.viewers.map(({ seen }) => JSON.stringify(seen)),
          ...crowd.said.flatMap(({ told }) => told.map(({ screen }) => screen)),
        ]
        if (around.notes !== 'off') expect(screens.join('\n')).not.toContain(canary)
        // Those who run a model are told with what it failed, and nothing else fails.
        expect(crowd.errors.filter((error) => !isModels(error))).toEqual([])
        await tick()
        expect(unhandled).toEqual([])
      },
    ),
    { numRuns: cases('instances') },
  )
})

/** A model in a mood throws anything; our own errors are of what it says, or of what it is asked. */
function isModels(error: unknown): boolean {
  return (
    !MinutebookError.isInstance(error) ||
    ['model_error', 'model_cut', 'malformed_message', 'context_overflow'].includes(error.code)
  )
}

async function checkLog({ store }: Crowd): Promise<void> {
  const log = await store.read('t')
  const reader = openBook({ store, window: 4000, counter: words }).thread('t')
  expect(await reader.verify()).toMatchObject({ ok: true, problems: [], underivable: 0 })
  expect(next(await reader.entries(), log).do).toBe('rest')
  for (const { head } of await reader.branches()) {
    const chain = history(log, { head }).filter(({ kind }) => traits[kind].chained)
    for (const [index, { kind }] of chain.entries())
      if (kind === 'user') expect(openCalls(chain.slice(0, index))).toEqual([])
  }
}

/**
 * What was told to be on record is there once, in the order in which it was said; what was refused is not. And what was
 * shown is what is on record.
 */
function checkSaid(log: readonly Entry[], { said, retried }: Crowd): void {
  const places = new Map(log.filter(({ kind }) => kind === 'user').map(({ text, seq }) => [text, seq]))
  expect(log.filter(({ kind }) => kind === 'user')).toHaveLength(places.size)
  for (const { text, began, times, told } of said) {
    const place = places.get(text)
    expect(told).toHaveLength(times)
    for (const { result, screen } of told) {
      expect(result.reason?.code).not.toBe('broken')
      if (result.turn !== null) expect(place).toBeDefined()
      const asked = log.find(({ id }) => id === result.turn)
      const whole = asked && turnText(turnOf(log, asked))
      if (!retried && result.status === 'waiting') expect(whole?.startsWith(screen)).toBe(true)
      else if (asked && !retried) expect(screen).toBe(whole)
      expect(screen.endsWith(result.text)).toBe(true)
    }
    if (told.every(({ result: { status } }) => status === 'busy')) expect(place).toBeUndefined()
    if (place === undefined) continue
    for (const other of said.filter((each) => isKept(each, began))) expect(places.get(other.text)).toBeLessThan(place)
  }
}

/** Every call is decided at most once, nothing runs that was not allowed, and nothing is left that waits. */
async function checkDecided(log: readonly Entry[], { store, bought }: Crowd): Promise<void> {
  const decided = log
    .filter(({ kind }) => kind === 'decision')
    .map(({ text }) => JSON.parse(text) as { wait: string; call: number; do: string })
  expect(new Set(decided.map((each) => `${each.wait} ${each.call}`)).size).toBe(decided.length)
  expect(bought()).toBeLessThanOrEqual(decided.filter((each) => each.do === 'run').length)
  expect(await store.records.find({ name: 'waiting' })).toEqual([])
}

function isKept({ told }: Said, before: number): boolean {
  return told.some(({ at, result: { turn } }) => at < before && turn !== null)
}

/**
 * Whoever watched has the entries of the newest branch that people may see, once and in order, and what stood beside
 * them was always as the position says.
 */
function checkWatched(log: readonly Entry[], { viewers }: Crowd): void {
  for (const { entries, complaints, isResting } of viewers) {
    expect(complaints).toEqual([])
    expect(entries).toEqual(visible(newestBranch(log)))
    expect(isResting).toBe(log.some(({ kind }) => kind === 'user'))
  }
}
