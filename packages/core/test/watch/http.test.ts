import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Thread } from 'minutebook'
import { eventResponse, eventStream, type SentEvent } from 'minutebook/http'
import { book } from '../support/book.ts'
import { downAtFirst } from '../support/down-model.ts'
import { script } from '../support/scripted.ts'
import { slow } from '../support/slow-model.ts'

const reset: SentEvent = { event: 'reset', data: { times: 2 }, id: '3.2.0' }
const decoded = ({ value }: { readonly value?: Uint8Array | undefined }): string => new TextDecoder().decode(value)
const nothing = { onLeft: () => undefined, onBroken: () => undefined }

describe('events as a body', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('are told with their position, and a comment comes where nothing else does', async () => {
    let tell: (event: SentEvent) => void = () => undefined
    const events = (async function* () {
      yield reset
      yield await new Promise<SentEvent>((resolve) => (tell = resolve))
    })()
    const reader = eventResponse(events, nothing).body!.getReader()
    expect(decoded(await reader.read())).toBe('event: reset\nid: 3.2.0\ndata: {"times":2}\n\n')
    const silence = reader.read()
    await vi.advanceTimersByTimeAsync(14_999)
    expect(await Promise.race([silence, Promise.resolve('nothing yet')])).toBe('nothing yet')
    await vi.advanceTimersByTimeAsync(15_001)
    expect(decoded(await silence)).toBe(':\n\n')
    const next = reader.read()
    tell({ event: 'reset', data: { times: 3 } })
    expect(decoded(await next)).toBe('event: reset\ndata: {"times":3}\n\n')
    expect((await reader.read()).done).toBe(true)
  })

  test('are read no further when the client has left', async () => {
    let left = false
    const events = (async function* () {
      for (;;) yield reset
    })()
    const reader = eventResponse(events, { ...nothing, onLeft: () => (left = true) }).body!.getReader()
    await reader.read()
    await reader.cancel()
    expect([left, (await events.next()).done]).toEqual([true, true])
  })

  test('that fail break the response off', async () => {
    let broken = false
    // oxlint-disable-next-line require-yield
    const events = (async function* (): AsyncGenerator<SentEvent> {
      throw new Error('the store went away')
    })()
    await eventResponse(events, { ...nothing, onBroken: () => (broken = true) })
      .body!.getReader()
      .read()
    expect(broken).toBe(true)
  })
})

describe('a thread as a stream', () => {
  const get = (thread: Thread, query: string, headers = {}): Promise<Response> =>
    eventStream(thread, new Request(`http://here/stream?${query}`, { headers }))
  /** The events of a body, until it ends. */
  const eventsOf = async (response: Response): Promise<{ event: string; id: string; data: unknown }[]> =>
    (await response.text())
      .split('\n\n')
      .filter((text) => text.startsWith('event'))
      .map((text) => {
        const fields = Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/s)))
        return { event: fields['event'], id: fields['id'], data: JSON.parse(fields['data']) }
      })

  test('goes on after each event, for a client that says which it has seen', async () => {
    const thread = book({ model: script('One.', 'Two.') }).thread('t')
    await thread.send('1').done
    await thread.send('2').done
    const all = await eventsOf(await get(thread, 'from=start&until=rest'))
    expect(all.map(({ event }) => event)).toEqual(['entry', 'entry', 'end', 'entry', 'entry', 'end'])
    for (const [index, { id }] of all.entries()) {
      const rest = await eventsOf(await get(thread, 'from=start&until=rest', { 'last-event-id': id }))
      // The one who has seen all is told once more that the thread rests.
      expect(rest).toEqual(index === all.length - 1 ? all.slice(-1) : all.slice(index + 1))
    }
    expect(await eventsOf(await get(thread, 'until=rest'))).toEqual(all.slice(-1))
  })

  test('of a turn begins with its message and ends with the turn, also after a try that failed', async () => {
    const { model, recover } = downAtFirst('Yes.')
    const thread = book({ model }).thread('t')
    const ask = (turn: ReturnType<Thread['send']>): Promise<Response> =>
      eventStream(thread, new Request('http://here/turns', { method: 'POST' }), { turn })
    const failed = await ask(thread.send('Well?'))
    expect(failed.status).toBe(202)
    expect((await eventsOf(failed)).map(({ event }) => event)).toEqual(['recorded', 'entry', 'entry', 'end'])
    recover()
    const again = await eventsOf(await ask(thread.retry()))
    // Its text also comes live, to a client that follows early enough.
    const told = again.map(({ event }) => event).filter((event) => event !== 'text')
    expect(told).toEqual(['recorded', 'entry', 'end'])
    expect(again.at(-1)).toMatchObject({ data: { status: 'complete' } })
  })

  test('that is busy, and a position that is none, are refused with what to do', async () => {
    const { model, release } = slow('Yes.')
    const thread = book({ model }).thread('t')
    const first = thread.send('1')
    await first.recorded
    const request = new Request('http://here/turns', { method: 'POST' })
    const refused = await eventStream(thread, request, { turn: thread.send('2') })
    expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: 'busy' } }])
    for (const from of ['nowhere', '99.0.0', '0.99.0']) {
      const wrong = await get(thread, `from=${from}`)
      expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { code: 'invalid_position' } }])
    }
    release()
    await first.done
  })
})
