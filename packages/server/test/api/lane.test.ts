import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Inspection } from '../../src/archive/inspection.ts'
import type { EntryLane } from '../../src/archive/lane.ts'
import type { Scope } from '../../src/config/caller.ts'
import { native, nativeServer, type Native } from '../../../../tests/support/server/native.ts'

const canary = 'canarywxyzqvkw'
const fact = 'Lena sits in a wheelchair, so no steps.'
const keyOf = (scope: Scope): string => `key-of-${scope}`
const keys = (['admin', 'app', 'viewer'] as const).map((scope) => ({
  name: scope,
  scope,
  tenant: 'default',
  sha256: createHash('sha256').update(keyOf(scope)).digest('hex'),
}))

interface Told {
  readonly as: (scope: Scope) => Native
  readonly idOf: (text: string) => Promise<string>
  readonly lane: (who: Native, entry: string, query?: string) => Promise<EntryLane>
}

async function talked(): Promise<Told> {
  const { running } = await nativeServer(
    { answer: `A tower. ${'It has stairs. '.repeat(30)} [NOTE TO SELF: ${canary}]` },
    { keys, policy: { preset: 'default', notes: true } },
  )
  const as = (scope: Scope): Native => native(running.url, keyOf(scope))
  const admin = as('admin')
  await admin.ask('POST', '/threads', { thread: 'prague', setup: { system: `You know ${canary}.`, window: 1024 } })
  const say = (message: string): Promise<unknown> =>
    admin.stream('POST', '/threads/prague/turns', { body: { message } })
  await say('What should we see?')
  await say(fact)
  for (let day = 1; day <= 10; day++) await say(`Which tower${day} has view${day}?`)
  return {
    as,
    idOf: async (text) => {
      const { entries } = (await admin.ask('GET', '/threads/prague/entries?hidden=1')).body as {
        entries: readonly { readonly id: string; readonly text: string }[]
      }
      return entries.find((entry) => entry.text.includes(text))!.id
    },
    lane: async (who, entry, query = '') =>
      (await who.ask('GET', `/threads/prague/entries/${entry}/lane${query}`)).body as unknown as EntryLane,
  }
}

test('a lane has the verdict of every inspection, and what would have kept the message', async () => {
  const { as, idOf, lane } = await talked()
  const viewer = as('viewer')
  const id = await idOf(fact)
  const found = await lane(viewer, id)
  expect(found).toMatchObject({ thread: 'prague', entry: id, kind: 'user', turn: 2, pinned: false, earlier: 0 })
  expect(found.calls.map(({ turn }) => turn)).toEqual(Array.from({ length: 11 }, (_, index) => index + 2))
  for (const { receipt, verdict, reason } of found.calls) {
    const { entries } = (await viewer.ask('GET', `/threads/prague/calls/${receipt}`)).body as unknown as Inspection
    expect(entries.find((entry) => entry.id === id)).toMatchObject({ verdict, reason })
  }
  const last = found.calls.at(-1)!
  expect(last).toMatchObject({ verdict: 'omitted', recall: { words: ['tower10', 'view10'], shared: [] } })
  expect(found.without).toMatchObject({ receipt: last.receipt, turn: 12 })
  expect(found.without!.restorations.map(({ by }) => by)).toEqual(['pin', 'window', 'system'])

  const first = found.calls.find(({ verdict }) => verdict === 'omitted')!
  const some = await lane(viewer, id, `?limit=3&receipt=${last.receipt}`)
  expect(some.calls.map(({ receipt }) => receipt)).toEqual(found.calls.slice(-3).map(({ receipt }) => receipt))
  expect(some.earlier).toBe(8)
  expect((await lane(viewer, id, `?receipt=${first.receipt}`)).without?.turn).toBe(first.turn)

  const price = found.without!.restorations[0]!.tokens
  await as('app').ask('PUT', `/threads/prague/pins/${id}`)
  await as('app').stream('POST', '/threads/prague/turns', { body: { message: 'And now?' } })
  const pinned = await lane(viewer, id)
  expect(pinned.pinned).toBe(true)
  expect(pinned.calls.at(-1)).toMatchObject({ turn: 13, verdict: 'verbatim', reason: 'pinned' })
  expect(pinned.calls.at(-1)!.tokens).toBeLessThanOrEqual(price)
})

test('what a key may not see has no lane for it, and no lane has hidden words', async () => {
  const { as, idOf, lane } = await talked()
  const hidden = await idOf(canary)
  const missing = { status: 404, body: { error: { code: 'unknown_entry' } } }
  for (const scope of ['app', 'viewer'] as const)
    expect(await as(scope).ask('GET', `/threads/prague/entries/${hidden}/lane`)).toMatchObject(missing)
  expect(await as('viewer').ask('GET', '/threads/prague/entries/nothing/lane')).toMatchObject(missing)
  expect(await as('viewer').ask('GET', '/threads/paris/entries/nothing/lane')).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown_thread' } },
  })
  expect((await lane(as('admin'), hidden)).calls.length).toBeGreaterThan(5)
  const shown = await lane(as('viewer'), await idOf(fact))
  expect(shown.calls).toHaveLength(11)
  expect(JSON.stringify(shown)).not.toContain(canary)
  expect(await as('viewer').ask('GET', `/threads/prague/entries/${hidden}/lane?limit=501`)).toMatchObject({
    status: 400,
  })
})
