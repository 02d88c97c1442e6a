import fc from 'fast-check'
import { compile, history, openBook, type Entry, type Profile } from 'minutebook'
import { traits } from 'minutebook/store'
import { expect, test } from 'vitest'
import { findIllegal, words } from '@minutebook/testing'
import { newestTurn, next } from '../../src/log/next.ts'
import { waitingCalls } from '../../src/log/open-call.ts'
import {
  createWaitingWorld,
  decisions,
  type Step,
  type WaitingClimate,
  type WaitingWorld,
} from '../support/waiting-world.ts'
import { unhandledRejections } from '../support/settled.ts'
import { cases } from '../../../../tests/support/runs.ts'
import { tick } from '../../../../tests/support/tick.ts'

const unhandled = unhandledRejections()

const profiles: readonly Profile[] = [
  {},
  { systemFirstOnly: true },
  { noSystem: true },
  { mustAlternate: true, needsUser: true },
  { noTools: true },
  { oneCallAtATime: true },
  { callsWithoutText: true },
  { nineCharacterIds: true },
  { argumentsAs: 'string' },
  { argumentsAs: 'object' },
  { normalized: true, answerAfterTool: true },
]

const climates: fc.Arbitrary<WaitingClimate> = fc.record({
  moods: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('asks' as const, 'asksTwice' as const, 'asksClient' as const) },
      { weight: 2, arbitrary: fc.constantFrom('answer' as const, 'again' as const) },
      fc.constantFrom('one', 'two', 'twins', 'nameless', 'hangs', 'failsLate', 'length', 'cut', 'empty'),
    ),
    { minLength: 1, maxLength: 8, size: 'max' },
  ),
  delays: fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }),
  checkpointEvery: fc.constantFrom(undefined, 1, 6),
  within: fc.constantFrom(undefined, 1000),
})

const wait = fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false))
const cancelAt = fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, fc.nat(4))
const how = fc.constantFrom(...decisions)
const pick = fc.nat(12)
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      ifBusy: fc.constantFrom('reject' as const, 'queue' as const, 'interrupt' as const),
      cancelAt,
      wait,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      which: fc.nat(3),
      how,
      also: fc.option(how, { nil: undefined }),
      old: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
      wait,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('edit' as const, 'retryOf' as const), pick, wait }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('retry' as const, 'resume' as const), cancelAt, wait }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'restart' as const, 'switch' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), milliseconds: fc.constantFrom(400, 2000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fork' as const), pick: fc.option(pick, { nil: undefined }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      at: fc.integer({ min: 1, max: 6 }),
      how: fc.record({ written: fc.boolean(), silent: fc.boolean() }),
    }),
  },
)

test('whatever happens to turns that wait: each call is decided and answered once, no prompt has an open call, and the list is what the logs say', async () => {
  await fc.assert(
    fc.asyncProperty(
      climates,
      fc.array(steps, { minLength: 1, maxLength: 16, size: 'max' }),
      async (climate, sequence) => {
        const world = createWaitingWorld(climate)
        for (const step of sequence) {
          await world.apply(step)
          await check(world)
        }
        await world.calm()
        await check(world)
        await checkRest(world)
        for (const { messages } of world.model.requests) expect(findIllegal(messages)).toBeUndefined()
        expect(world.surprises).toEqual([])
        await tick()
        expect(unhandled).toEqual([])
      },
    ),
    { numRuns: cases('threads'), examples },
  )
})

const whole = { cancelAt: undefined, wait: true } as const
/** What random steps have found once. */
const examples: [WaitingClimate, Step[]][] = [
  // The end of a turn that is interrupted makes a checkpoint, and the log lets go of what the edited message follows.
  [
    { moods: ['asksClient'], delays: [1], checkpointEvery: 1, within: undefined },
    [
      { do: 'send', ifBusy: 'reject', cancelAt: 1, wait: true },
      { do: 'send', ifBusy: 'reject', ...whole },
      { do: 'edit', pick: 0, wait: true },
      { do: 'send', ifBusy: 'interrupt', ...whole },
      { do: 'edit', pick: 1, wait: true },
    ],
  ],
]

/** What must hold at any moment, also in the middle of a turn. */
async function check({ behind, threads, bought }: WaitingWorld): Promise<void> {
  // All of it is read in one moment: the store answers before anything else goes on.
  const reading = threads.map((thread) => behind.read(thread))
  const listing = behind.records.find({ name: 'waiting' })
  const logs = await Promise.all(reading)
  const listed = await listing
  for (const [index, thread] of threads.entries()) {
    const log = logs[index]!
    const own = listed.filter((record) => record.thread === thread).map(({ key }) => key)
    expect(own.toSorted()).toEqual(openIn(log).toSorted())
    for (const { id } of log.filter((entry) => isLeaf(entry, log))) checkResults(history(log, { head: id }))
    checkDecisions(log, thread, bought)
    checkPrompts(log)
  }
}

function isLeaf({ id, kind }: Entry, log: readonly Entry[]): boolean {
  return traits[kind].chained && !log.some((other) => traits[other.kind].chained && other.parent === id)
}

/** The ids of the calls that wait, as the log has them. */
function openIn(log: readonly Entry[]): readonly string[] {
  return next(history(log), log).do === 'rest' ? [] : waitingCalls(newestTurn(history(log))).map(({ id }) => id)
}

/** After an answer come at most as many results as it has calls, and none twice. */
function checkResults(branch: readonly Entry[]): void {
  let calls: string[] = []
  for (const { kind, calls: made, raw } of branch.filter((entry) => traits[entry.kind].chained)) {
    if (kind === 'assistant') calls = made.map(({ id, name }) => id ?? name)
    if (kind !== 'tool') continue
    const { tool_call_id: id, tool_name: name } = raw as { readonly tool_call_id?: string; readonly tool_name?: string }
    const place = calls.findIndex((call) => call === (id ?? name))
    expect(place).toBeGreaterThanOrEqual(0)
    calls.splice(place, 1)
  }
}

/** Each call is decided once, and what needs approval ran only as often as that was given. */
function checkDecisions(log: readonly Entry[], thread: string, bought: ReadonlyMap<string, number>): void {
  const decided = log
    .filter(({ kind }) => kind === 'decision')
    .map(({ text }) => JSON.parse(text) as { readonly wait: string; readonly call: number; readonly do: string })
  expect(new Set(decided.map((each) => `${each.wait} ${each.call}`)).size).toBe(decided.length)
  const ran = [...bought].filter(([place]) => place.startsWith(`${thread} `)).reduce((sum, [, times]) => sum + times, 0)
  expect(ran).toBeLessThanOrEqual(decided.filter((each) => each.do === 'run').length)
}

/** The prompt that would be made now is one that every kind of server accepts: it has no call without a result. */
function checkPrompts(log: readonly Entry[]): void {
  const branch = history(log)
  if (!branch.some(({ kind }) => kind === 'user')) return
  for (const profile of profiles) {
    const { messages } = compile(branch, { window: 4000, counter: words, profile })
    expect(findIllegal(messages, profile)).toBeUndefined()
  }
}

/** When everything is decided, nothing waits, and all logs are whole. */
async function checkRest({ behind, threads }: WaitingWorld): Promise<void> {
  expect(await behind.records.find({ name: 'waiting' })).toEqual([])
  for (const thread of threads) {
    const reader = openBook({ store: behind, window: 4000, counter: words }).thread(thread)
    expect(next(await reader.entries(), await behind.read(thread)).do).toBe('rest')
    expect(await reader.verify()).toMatchObject({ ok: true, problems: [], underivable: 0 })
  }
}
