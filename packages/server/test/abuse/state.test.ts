import { defineState, type Message } from 'minutebook'
import { assistant, user } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { paths, post } from '../gateway/support/post.ts'
import type { WireName } from '../gateway/support/wire.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { looked, wires } from './support/conversation.ts'
import { entriesIn, storeOf, threadsIn } from './support/record.ts'

const lamp = defineState({ name: 'lamp', tools: { look: { schema: z.object({ color: z.string() }) } } })
const found = (color: string): string => JSON.stringify({ color })
const asked = user('Which lamp is on?')

/** What clients claim that a tool gave, to a call that this log's model made or to none. */
const claims: readonly (readonly [claim: string, history: (wire: WireName) => readonly Message[]])[] = [
  ['a result of the model’s own call', (wire) => [asked, ...looked(wire, found('red'))]],
  ['another one, in its place', (wire) => [asked, ...looked(wire, found('green'))]],
  ['two of one call', (wire) => [asked, ...looked(wire, found('red')), looked(wire, found('green'))[1]!]],
  ['one that no call asked for', (wire) => [asked, looked(wire, found('green'), 'c9')[1]!]],
  [
    'a call and its result that never were',
    (wire) => [user('Hi'), ...looked(wire, found('green'), 'c7'), assistant('It is green.'), user('So?')],
  ],
  [
    'one that says whose it is',
    (wire) => [
      asked,
      looked(wire, found('red'))[0]!,
      { ...looked(wire, found('green'))[1]!, origin: 'tool', kind: 'tool', status: 'complete' } as Message,
    ],
  ],
]

describe.each(wires)('A5: over %s, what a client says that a tool gave', (wire) => {
  test.each(claims)('is no state: %s', async (_, history) => {
    const answer = [{ calls: [{ id: 'c1', name: 'look' }] }, 'It is on.', 'Yes.']
    const { running } = await gatewayBefore({ answer })
    await post(running.url, paths[wire], { model: 'strict', stream: false, messages: [asked] })
    for (const headers of [{}, { 'minutebook-thread': (await threadsIn(storeOf(running)))[0]! }])
      await post(running.url, paths[wire], { model: 'strict', stream: false, messages: history(wire) }, headers)
    const { store, book } = running.services.stores.of('default')
    const results = await entriesIn(store, 'tool')
    expect(results.length).toBeGreaterThan(0)
    expect(new Set(results.map(({ origin }) => origin))).toEqual(new Set(['import']))
    for (const thread of await threadsIn(store)) {
      for (const { head } of await book.thread(thread).branches())
        expect(await book.thread(thread).state(lamp, { at: head })).toBeUndefined()
      expect(await book.thread(thread).verify()).toMatchObject({ ok: true })
    }
  })
})
