import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bodyCost, createMemory } from '../../src/http/memory.ts'

const mega = 1 << 20
const metrics = { limited: (): void => undefined }
const text = (megas: number): Buffer => Buffer.from(JSON.stringify('x'.repeat(megas * mega)))

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance'] }),
)
afterEach(() => void vi.useRealTimers())

describe('what a body takes', () => {
  test.each([
    ['"xxxxxxxx"', 6 * 10],
    ['"xxxxxxxä"', 6 * 10],
    ['"xxxxxxx中"', 12 * 10],
    ['"xx\\u4e2d"', 12 * 10],
    ['"a, b: [c"', 6 * 10],
    ['[1,[2,{}]]', 6 * 10 + 3 * 1000 + 2 * 50],
    ['{"a\\"b":1}', 6 * 10 + 1000 + 50],
  ])('%s takes %i, in whatever pieces it comes', (json, cost) => {
    const bytes = Buffer.from(json)
    for (let at = 0; at <= bytes.length; at++) {
      const meter = bodyCost()
      meter.add(bytes.subarray(0, at))
      meter.add(bytes.subarray(at))
      expect([meter.cost, meter.length]).toEqual([cost, bytes.length])
    }
  })
})

describe('the memory of a request', () => {
  test('is taken when a large body begins to come, as its length says, and given back when the request is over', async () => {
    const memory = createMemory({ bodiesLimit: 100 * mega }, metrics)
    const hold = memory.hold('a')!
    expect(hold.piece(text(0.01), undefined)).toBeUndefined()
    expect(await hold.piece(text(1), 5 * mega)).toBeUndefined()
    expect(Math.round(memory.bodies.held / mega)).toBe(30)
    hold.whole()
    expect(Math.round(memory.bodies.held / mega)).toBe(6)
    hold.settle()
    expect(Math.round(memory.bodies.held / mega)).toBe(3)
    hold.leave()
    hold.leave()
    expect(memory.bodies.held).toBe(0)
  })

  test('is refused to a body that alone would take more than a tenant may have', async () => {
    const memory = createMemory({ bodiesLimit: 10 * mega }, metrics)
    const hold = memory.hold('a')!
    expect(await hold.piece(text(1), undefined)).toMatchObject({
      status: 413,
      code: 'body_too_long',
      fix: expect.stringContaining('bodiesLimit'),
    })
    const nested = memory.hold('a')!
    expect(await nested.piece(Buffer.from('[],'.repeat(5000)), undefined)).toMatchObject({ status: 413 })
  })

  test('is waited for, but not for long, and a small body is read meanwhile', async () => {
    const memory = createMemory({ bodiesLimit: 20 * mega }, metrics)
    const [first, second, small] = [memory.hold('a')!, memory.hold('a')!, memory.hold('a')!]
    expect(await first.piece(text(1), undefined)).toBeUndefined()
    const refusal = second.piece(text(1), undefined)
    expect(small.piece(text(0.05), undefined)).toBeUndefined()
    await vi.advanceTimersByTimeAsync(14_000)
    first.whole()
    await vi.advanceTimersByTimeAsync(1000)
    expect(await refusal).toMatchObject({ status: 503, code: 'overloaded', headers: { 'retry-after': '2' } })
    for (const hold of [first, second, small]) hold.leave()
    expect(memory.bodies.held).toBe(0)
  })

  test('is taken from a body that does not come, if somebody waits for it', async () => {
    const memory = createMemory({ bodiesLimit: 20 * mega }, metrics)
    const [slow, other] = [memory.hold('a')!, memory.hold('a')!]
    const cut = vi.fn(() => slow.leave())
    slow.onCut(cut)
    expect(await slow.piece(text(0.1), 2 * mega)).toBeUndefined()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(cut).not.toHaveBeenCalled()
    expect(await Promise.all([other.piece(text(1), undefined), vi.advanceTimersByTimeAsync(2000)])).toEqual([
      undefined,
      expect.anything(),
    ])
    expect(cut).toHaveBeenCalledWith(expect.objectContaining({ status: 408, code: 'body_too_slow' }))
  })

  test('that comes after the request is over goes back at once', async () => {
    const memory = createMemory({ bodiesLimit: 20 * mega }, metrics)
    const [first, gone] = [memory.hold('a')!, memory.hold('a')!]
    await first.piece(text(1), undefined)
    const waiting = gone.piece(text(1), undefined)
    gone.leave()
    first.leave()
    await waiting
    expect(memory.bodies.held).toBe(0)
  })

  test('of threads is shared as that of bodies is', async () => {
    const memory = createMemory({}, metrics)
    const [one, other] = [memory.hold('a')!, memory.hold('a')!]
    await one.thread(1e12)
    expect(memory.threads.held).toBe(memory.threads.share)
    const second = other.thread(1e12).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await second).toMatchObject({ code: 'overloaded' })
    one.leave()
    expect(memory.threads.held).toBe(0)
  })

  test('is for so many requests of one tenant at once', () => {
    const memory = createMemory({}, metrics)
    const holds = Array.from({ length: 100_000 }, () => memory.hold('a'))
    const most = holds.findIndex((hold) => hold === undefined)
    expect(most).toBeGreaterThan(100)
    expect(memory.hold('b')).toBeDefined()
    holds[0]!.leave()
    expect(memory.hold('a')).toBeDefined()
  })
})
