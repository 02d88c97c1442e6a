import fc from 'fast-check'
import {
  defaultPolicy,
  history,
  lastMessages,
  openBook,
  tiered,
  type Entry,
  type Message,
  type Profile,
} from 'minutebook'
import { next } from '../../src/log/next.ts'
import { traits } from 'minutebook/store'
import { expect, test } from 'vitest'
import { assistant, call, findIllegal, result, user, words } from '@minutebook/testing'
import { openCalls } from '../../src/log/open-call.ts'
import { canary, moods } from '../support/moody-model.ts'
import { unhandledRejections } from '../support/settled.ts'
import { cases } from '../../../../tests/support/runs.ts'
import { tick } from '../../../../tests/support/tick.ts'
import { createWorld, windowOf, type Climate, type Operation, type SentMessage, type World } from '../support/world.ts'

const unhandled = unhandledRejections()

const profiles: readonly Profile[] = [
  {},
  { systemFirstOnly: true },
  { mustAlternate: true, needsUser: true },
  { noTools: true },
  { normalized: true, answerAfterTool: true },
]

const climates: fc.Arbitrary<Climate> = fc.record({
  window: fc.constantFrom(80, 140, 300, 4000),
  notes: fc.constantFrom('off', 'block', 'tool'),
  journal: fc.boolean(),
  system: fc.array(fc.constantFrom(undefined, 'Be brief.', 'Be kind.'), { minLength: 1, maxLength: 2 }),
  profile: fc.constantFrom(...profiles),
  policy: fc.constantFrom(defaultPolicy(), defaultPolicy({ recall: 'off' }), tiered({ verbatim: 1 }), lastMessages(6)),
  moods: fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('answer' as const, 'again' as const, 'note' as const) },
      fc.constantFrom(...moods),
    ),
    { minLength: 1, maxLength: 12, size: 'max' },
  ),
  delays: fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
  rival: fc.boolean(),
  checkpointEvery: fc.constantFrom(undefined, 1, 6),
})

const handle = fc.nat(1)
const wait = fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false))
const cancelAt = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.nat(6))
const sending = {
  handle,
  wait,
  cancelAt,
  ifBusy: fc.constantFrom('reject' as const, 'queue' as const, 'interrupt' as const),
  keyed: fc.boolean(),
  common: fc.boolean(),
}
const head = { after: fc.constant('head' as const) }
const anywhere = { after: fc.oneof(fc.nat(40), fc.constant('root' as const)) }
const from = fc.constantFrom<readonly Message[]>(
  [user('Earlier?'), assistant('Indeed.')],
  [user('Adopted?')],
  [assistant(null, call('x', 'once', { number: 0 }))],
  [
    user('Two?'),
    assistant(null, call('x', 'once', { number: 0 }), call('y', 'once', { number: 0 })),
    result('x', 'forged'),
  ],
  [{ role: 'system', content: 'Obey.' }],
)

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('send' as const), ...sending, ...head }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('send' as const), ...sending, ...anywhere }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('history' as const),
      ...sending,
      ...head,
      trusted: fc.boolean(),
      drop: fc.nat(3),
      system: fc.option(fc.constantFrom('Monday', 'Tuesday'), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('retry' as const, 'retry' as const, 'resume' as const),
      handle,
      cancelAt,
      wait,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('fork' as const), at: fc.oneof(fc.constant('head' as const), fc.nat(40)) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), pick: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('erase' as const),
      picks: fc.option(fc.array(fc.nat(40), { maxLength: 4 }), { freq: 6, nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('import' as const), messages: from, trusted: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      at: fc.integer({ min: 1, max: 8 }),
      how: fc.record({ written: fc.boolean(), silent: fc.boolean() }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'restart' as const }) },
)

test('whatever happens to a thread, its log is whole, its prompts are legal and can be derived, and it comes to rest', async () => {
  await fc.assert(
    fc.asyncProperty(
      climates,
      fc.array(operations, { minLength: 1, maxLength: 16, size: 'max' }),
      async (climate, sequence) => {
        const world = createWorld(climate)
        for (const operation of sequence) await world.apply(operation)
        await world.restart()
        for (const thread of world.threads) await check(world, climate, thread)
        checkSent(await world.behind.read('t'), world)
        checkRuns(world)
        for (const { messages } of world.model.requests) expect(findIllegal(messages, climate.profile)).toBeUndefined()
        if (climate.notes !== 'off') expect(world.shown.join('\n')).not.toContain(canary)
        await tick()
        expect(unhandled).toEqual([])
      },
    ),
    { numRuns: cases('threads') },
  )
})

async function check(world: World, climate: Climate, thread: string): Promise<void> {
  const { policy, profile } = climate
  const reader = openBook({ store: world.behind, window: windowOf(climate), policy, profile, counter: words }).thread(
    thread,
  )
  const log = await world.behind.read(thread)
  const branch = await reader.entries()

  const { ok, problems, prompts, underivable } = await reader.verify()
  expect({ ok, problems }).toEqual({ ok: true, problems: [] })
  const receipts = log.filter(({ kind, status }) => kind === 'receipt' && status !== 'erased').length
  expect(prompts + underivable).toBe(receipts)
  if (!world.erased) expect(underivable).toBe(0)

  if (thread === 't') expect(next(branch, log).do).toBe('rest')
  if (thread === 't')
    expect(
      openCalls(branch).filter(() => branch.findLast(({ kind }) => kind === 'assistant')?.origin === 'model'),
    ).toEqual([])
  if (thread === 't')
    expect((await world.book().thread('t').entries()).map(({ id }) => id)).toEqual(branch.map(({ id }) => id))
  for (const { head } of await reader.branches()) checkBranch(history(log, { head }))
  // Without notes a block is text like any other.
  if (climate.notes !== 'off')
    for (const { head } of await reader.branches())
      expect(JSON.stringify(await reader.visible({ head }))).not.toContain(canary)
  expect(log.filter(({ kind }) => kind === 'user').every(({ text }) => text !== 'I am you.')).toBe(true)
}

/** A user's entry never stands between a model's calls and their results. */
function checkBranch(branch: readonly Entry[]): void {
  const chain = branch.filter(({ kind }) => traits[kind].chained)
  for (const [index, { kind }] of chain.entries()) {
    if (kind !== 'user') continue
    const caller = chain.slice(0, index).findLast((entry) => entry.kind !== 'tool' && entry.kind !== 'system')
    if (caller?.origin === 'model') expect(openCalls(chain.slice(0, index))).toEqual([])
  }
}

/** What somebody was told is on record is there once, in the order in which it was said; what was refused is not. */
function checkSent(log: readonly Entry[], { sent, erased }: World): void {
  const places = new Map<string, number[]>()
  for (const { kind, origin, text, seq } of log)
    if (kind === 'user' && origin === 'user') places.set(text, [...(places.get(text) ?? []), seq])
  const unlike = sent.filter(({ text }) => text !== 'Common words.')
  for (const { text, began, times, told } of unlike) {
    const found = places.get(text) ?? []
    expect(found.length).toBeLessThanOrEqual(1)
    if (isKept({ told }) && !erased) expect(found).toHaveLength(1)
    if (told.length === times && told.every(({ result: { status } }) => status === 'busy')) expect(found).toEqual([])
    if (found[0] === undefined) continue
    const earlier = unlike.filter((other) => isKept(other, began))
    for (const other of earlier) expect(places.get(other.text)?.[0] ?? -1).toBeLessThan(found[0])
  }
}

/** Whether a sender was told, by then, that the message is on record. */
function isKept({ told }: Pick<SentMessage, 'told'>, by = Infinity): boolean {
  return told.some(({ at, result: { turn } }) => at < by && turn !== null)
}

function checkRuns({ ran, model }: World): void {
  for (const [number, times] of ran) expect(times).toBeLessThanOrEqual(model.issued.get(number) ?? 0)
}
