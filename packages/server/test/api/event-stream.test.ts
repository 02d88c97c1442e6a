import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventStream } from '../../src/api/event-stream.ts'
import type { StreamEvent } from '../../src/api/events.ts'

const reset: StreamEvent = { event: 'reset', data: { term: 2 }, position: { seq: 3, term: 2, offset: 0 } }
const decoded = ({ value }: { readonly value?: Uint8Array | undefined }): string => new TextDecoder().decode(value)
const nothing = { onLeft: () => undefined, onBroken: () => undefined }

describe('events as a body', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('are told with their position, and a comment comes where nothing else does', async () => {
    let tell: (event: StreamEvent) => void = () => undefined
    const events = (async function* () {
      yield reset
      yield await new Promise<StreamEvent>((resolve) => (tell = resolve))
    })()
    const reader = eventStream(events, nothing).body!.getReader()
    expect(decoded(await reader.read())).toBe('event: reset\nid: 3.2.0\ndata: {"term":2}\n\n')
    const silence = reader.read()
    await vi.advanceTimersByTimeAsync(14_999)
    expect(await Promise.race([silence, Promise.resolve('nothing yet')])).toBe('nothing yet')
    await vi.advanceTimersByTimeAsync(1)
    expect(decoded(await silence)).toBe(':\n\n')
    const next = reader.read()
    tell({ event: 'reset', data: { term: 3 } })
    expect(decoded(await next)).toBe('event: reset\ndata: {"term":3}\n\n')
    expect((await reader.read()).done).toBe(true)
  })

  test('are read no further when the client has left', async () => {
    let left = false
    const events = (async function* () {
      for (;;) yield reset
    })()
    const reader = eventStream(events, { ...nothing, onLeft: () => (left = true) }).body!.getReader()
    await reader.read()
    await reader.cancel()
    expect([left, (await events.next()).done]).toEqual([true, true])
  })

  test('that fail break the response off', async () => {
    let broken = false
    // oxlint-disable-next-line require-yield
    const events = (async function* (): AsyncGenerator<StreamEvent> {
      throw new Error('the store went away')
    })()
    await eventStream(events, { ...nothing, onBroken: () => (broken = true) })
      .body!.getReader()
      .read()
    expect(broken).toBe(true)
  })
})
