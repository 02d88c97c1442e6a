import { setTimeout as after } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { assistant, user } from '@minutebook/testing'
import type { Message } from 'minutebook'
import { segmentOf } from '../../src/index.ts'
import { paths, post } from '../gateway/support/post.ts'
import { ask } from '../gateway/support/wire.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { saidIn, wires } from './support/conversation.ts'
import { bearer, keyOf } from './support/keys.ts'
import { entriesIn, storeOf, threadsIn } from './support/record.ts'

const canary = 'canary-wxyzqvkw'
const keys = [keyOf('app'), keyOf('desk', { scope: 'admin' })]
const settings = {
  keys,
  policy: { preset: 'default', notes: true },
  models: { strict: { window: 900, reserve: 50 } },
} as const

/** What an operator reads, and what of it may hold the notes: the prompt itself and the whole log. */
const views: readonly (readonly [path: string, hasNotes: boolean])[] = [
  ['', false],
  ['/receipts', false],
  ['/explain', false],
  ['/verify', false],
  ['/dump', true],
  ['/export', true],
]

describe.each(wires)('A6: a canary note of a model behind %s', (wire) => {
  const gatewayWithNotes = async (): Promise<
    Awaited<ReturnType<typeof gatewayBefore>> & { readonly lines: string[] }
  > => {
    const lines: string[] = []
    let turn = 0
    const answer = (): string => `Answer ${turn++}. [NOTE TO SELF: ${canary} word word]`
    return {
      lines,
      ...(await gatewayBefore({ answer }, settings, { log: { write: (line) => void lines.push(line) } })),
    }
  }

  test('is in no answer, header, error, log line or metric, however the call ends', async () => {
    const { upstream, running, lines } = await gatewayWithNotes()
    const seen: unknown[] = []
    const headers = bearer('app')
    const history: Message[] = []
    for (let turn = 0; turn < 30; turn++) {
      history.push(user(`Question ${turn} ${'word '.repeat(10)}`))
      const answer = await ask(wire, running.url, { messages: history, stream: turn % 2 === 0, headers })
      seen.push(answer)
      history.push(assistant(saidIn(answer)))
    }
    for (const fault of [
      { failWith: 500 },
      { errorAfter: 3 },
      { abortAfter: 4 },
      { endAfter: 4 },
      { split: 1 },
      { whole: true },
    ]) {
      for (const stream of [true, false]) {
        upstream.next(fault)
        seen.push(
          await post(
            running.url,
            paths[wire],
            { model: 'strict', stream, messages: [user('Hello')] },
            { ...headers, te: 'trailers' },
          ).catch(String),
        )
      }
    }
    for (let again = 0; again < 2; again++)
      seen.push(
        await post(
          running.url,
          paths[wire],
          { model: 'strict', messages: [user('Hello')] },
          { ...headers, 'idempotency-key': 'k' },
        ),
      )
    seen.push(
      await ask(wire, running.url, { messages: [...history, user('More')], stream: true, headers, leaveAfter: 3 }),
    )
    seen.push(
      await post(
        running.url,
        paths[wire],
        { model: 'strict', messages: [...history, user('word '.repeat(5000))] },
        headers,
      ),
    )
    seen.push(await (await fetch(`${running.url}/metrics`, { headers })).text())
    await after(50)
    expect(lines.length).toBeGreaterThan(45)
    expect(JSON.stringify([seen, lines])).not.toContain('wxyzqvkw')
    expect(JSON.stringify(seen)).not.toContain('NOTE')
    expect((await entriesIn(storeOf(running), 'note')).length).toBeGreaterThan(30)
    expect(upstream.requests.some(({ text }) => text.includes(canary))).toBe(true)
  })

  test('is read by an operator in the dump and the export alone, and by nobody else anywhere', async () => {
    const { running } = await gatewayWithNotes()
    for (const messages of [[user('a')], [user('a'), assistant('Answer 0.'), user('b')]])
      await post(running.url, paths[wire], { model: 'strict', stream: false, messages }, bearer('app'))
    const [thread] = await threadsIn(storeOf(running))
    const read = async (
      path: string,
      key: string,
      accept = 'application/json',
    ): Promise<readonly [number, boolean]> => {
      const response = await fetch(`${running.url}/minutebook/v1${path}`, { headers: { ...bearer(key), accept } })
      return [response.status, JSON.stringify([...response.headers, await response.text()]).includes('wxyzqvkw')]
    }
    for (const path of ['', '/threads', '/nowhere'])
      expect([path, await read(path, 'desk')]).toEqual([path, [path === '/nowhere' ? 404 : 200, false]])
    for (const [path, hasNotes] of views) {
      const place = `/threads/${segmentOf(thread!)}${path}`
      for (const accept of ['application/json', 'text/plain'])
        expect([path, accept, await read(place, 'desk', accept)]).toEqual([path, accept, [200, hasNotes]])
      expect([path, await read(place, 'app')]).toEqual([path, [path === '' || path === '/entries' ? 200 : 403, false]])
      expect([path, await read(place, 'nobody')]).toEqual([path, [401, false]])
    }
  })
})
