import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ResponseStreamEvent } from 'openai/resources/responses/responses'
import { memoryStore, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import {
  begunRecords,
  longestSilence,
  recordHeartbeat,
  responseName,
  heartbeatEvery,
  withHeartbeat,
  type RecordedResponse,
} from '../../src/responses/recorded.ts'
import { responseId } from '../../src/responses/ids.ts'
import { deferred } from '../../../../tests/support/deferred.ts'
import { echo, failure, seat, threadsOf, type Seat } from './support/client.ts'
import { within } from '../../../../tests/support/patience.ts'

const model = 'strict'
const thread = 'garden'
const id = responseId({ part: 'a'.repeat(22), name: thread })

afterEach(() => void vi.useRealTimers())

describe('a response whose server was killed', () => {
  test.each([
    ['a moment ago', 1000, undefined, 'in_progress'],
    ['a minute ago, and worked on since', 60_000, 10_000, 'in_progress'],
    ['an hour ago, and worked on until a moment ago', 3_600_000, 10_000, 'in_progress'],
    ['a minute ago', 60_000, undefined, 'failed'],
    ['an hour ago, and worked on until a minute ago', 3_600_000, 60_000, 'failed'],
  ])('that began %s', async (_, begunBefore, seenBefore, status) => {
    const at = await seat({ answer: echo })
    const store = storeOf(at)
    await leave(store, Date.now() - begunBefore)
    if (seenBefore !== undefined) await recordHeartbeat(store, thread, id, Date.now() - seenBefore)
    const kept = await at.client.responses.retrieve(id)
    expect([kept.status, kept.error?.code]).toEqual([status, status === 'failed' ? 'server_error' : undefined])
    const refused = { status: 409, code: 'response_in_progress' }
    if (status === 'in_progress') expect(await failure(at.client.responses.delete(id))).toMatchObject(refused)
    else await at.client.responses.delete(id)
  })

  test('is failed to whoever asks for its events, and can be gone on from and deleted', async () => {
    const at = await seat({ answer: echo })
    const store = storeOf(at)
    await leave(store, Date.now() - 3_600_000)
    await recordHeartbeat(store, thread, id, Date.now() - longestSilence)
    const events: ResponseStreamEvent[] = []
    for await (const event of await at.client.responses.retrieve(id, { stream: true })) events.push(event)
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } })
    expect((await at.client.responses.create({ model, input: 'And?', previous_response_id: id })).status).toBe(
      'completed',
    )
    await at.client.responses.delete(id)
    const left = await Promise.all(
      ['response', 'ended', 'working', 'terms'].map((name) => store.records.find({ name, thread })),
    )
    expect(left.flat().filter(({ key }) => key === id)).toEqual([])
  })
})

test('a response that takes long is in progress all the while, and leaves no sign when it is over', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  const [asked, go] = [deferred(), deferred()]
  onTestFinished(() => go.resolve())
  const at = await seat({
    answer: async () => {
      asked.resolve()
      await go.promise
      return 'late'
    },
  })
  const answer = at.client.responses.create({ model, input: 'Hello' })
  await asked.promise
  const store = storeOf(at)
  const begun = await vi.waitFor(async () => {
    const [name = ''] = await threadsOf(at.running)
    const [found] = await store.records.find({ name: responseName, thread: name })
    return found!.value as RecordedResponse
  }, within(60_000))
  for (let passed = 0; passed < 10 * longestSilence; passed += heartbeatEvery) {
    await vi.advanceTimersByTimeAsync(heartbeatEvery)
    expect((await at.client.responses.retrieve(begun.id)).status).toBe('in_progress')
  }
  go.resolve()
  expect((await answer).output_text).toBe('late')
  const sign = async (): Promise<unknown> => (await store.records.find({ name: 'working', key: begun.id }))[0]?.version
  const before = await sign()
  await vi.advanceTimersByTimeAsync(10 * longestSilence)
  expect([(await at.client.responses.retrieve(begun.id)).status, await sign()]).toEqual(['completed', before])
})

test('a response that is worked on cannot be deleted before its answer is recorded', async () => {
  const [asked, go] = [deferred(), deferred()]
  onTestFinished(() => go.resolve())
  const at = await seat({
    answer: async () => {
      asked.resolve()
      await go.promise
      return 'secret'
    },
  })
  const answer = at.client.responses.create({ model, input: 'Hello' })
  await asked.promise
  const store = storeOf(at)
  const [name = ''] = await threadsOf(at.running)
  const [begun] = await store.records.find({ name: responseName, thread: name })
  const { key } = begun!
  expect(await failure(at.client.responses.delete(key))).toMatchObject({ status: 409, code: 'response_in_progress' })
  go.resolve()
  expect((await answer).output_text).toBe('secret')
  await at.client.responses.delete(key)
  expect(JSON.stringify(await store.read(name))).not.toMatch(/secret|Hello/)
})

test('a sign that cannot be written stops nothing', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  const behind = memoryStore()
  const store: Store = { ...behind, records: { ...behind.records, put: () => Promise.reject(new Error('away')) } }
  const done = deferred<string>()
  const work = withHeartbeat({ store, thread }, id, () => done.promise)
  await vi.advanceTimersByTimeAsync(3 * heartbeatEvery)
  done.resolve('done')
  expect([await work, vi.getTimerCount()]).toEqual(['done', 0])
})

/** What a server that was killed leaves behind: a question, and that it is to be answered. */
async function leave(store: Store, at: number): Promise<void> {
  const question = entryOf({ role: 'user', content: 'Hello' })
  const begun = {
    id,
    created: Math.floor(at / 1000),
    model,
    metadata: {},
    previous: null,
    conversation: null,
    question: question.id,
    inputs: 1,
  }
  await store.append(thread, [question], { records: begunRecords(begun, {}) })
}

function storeOf({ running }: Seat): Store {
  return running.services.stores.of('default').store
}
