import { user } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { listen, requestOf, textOf, wires } from '../../../../tests/support/wires.ts'

describe.each(wires)('aborting through the client of $wire', ({ wire, connect }) => {
  test.each([1, 2, 3])('after %i events: the call ends at once, and the server notices', async (count) => {
    await using upstream = await strictUpstream({ answer: 'one two three', stallAfter: wire === 'ollama' ? 3 : 4 })
    const controller = new AbortController()
    const heard = await listen(
      connect(upstream.url)(requestOf([user('a')], { signal: controller.signal })),
      (heard) => heard === count && controller.abort(),
    )
    expect(heard.error).toMatchObject({ code: 'model_aborted' })
    expect(heard.events).toHaveLength(count)
    await upstream.requests[0]?.closed
    expect(upstream.requests[0]?.aborted).toBe(true)
  })

  test.each([0, 1, 2, 3])('while the server is silent after %i chunks', async (stallAfter) => {
    await using upstream = await strictUpstream({ answer: 'one two three', stallAfter })
    const controller = new AbortController()
    const answer = listen(connect(upstream.url)(requestOf([user('a')], { signal: controller.signal })))
    await expect.poll(() => upstream.requests.length).toBe(1)
    await setTimeout(50)
    controller.abort(new Error('a reason of its own'))
    const { error, events } = await answer
    expect(error).toMatchObject({ code: 'model_aborted' })
    expect(events.some(({ type }) => type === 'end')).toBe(false)
    await upstream.requests[0]?.closed
    expect(upstream.requests[0]?.aborted).toBe(true)
  })

  test('before the call: nothing is sent', async () => {
    await using upstream = await strictUpstream()
    const { error, events } = await listen(
      connect(upstream.url)(requestOf([user('a')], { signal: AbortSignal.abort() })),
    )
    expect(error).toMatchObject({ code: 'model_aborted' })
    expect([events, upstream.requests]).toEqual([[], []])
  })

  test('while a refusal is on its way', async () => {
    await using upstream = await strictUpstream({ failWith: 500 })
    const controller = new AbortController()
    const answer = listen(connect(upstream.url)(requestOf([user('a')], { signal: controller.signal })))
    controller.abort()
    expect((await answer).error).toMatchObject({ code: 'model_aborted' })
  })

  test('one call leaves the others of the same client alone', async () => {
    await using upstream = await strictUpstream({ answer: ['one two three', 'four five six'], delay: 20 })
    const model = connect(upstream.url)
    const controller = new AbortController()
    const first = listen(model(requestOf([user('a')], { signal: controller.signal })), () => controller.abort())
    const second = listen(model(requestOf([user('b')])))
    expect((await first).error).toMatchObject({ code: 'model_aborted' })
    expect(['one two three', 'four five six']).toContain(textOf(await second))
    await expect.poll(() => upstream.requests.filter(({ aborted }) => aborted).length).toBe(1)
    expect(upstream.requests).toHaveLength(2)
  })

  test('by walking away: the server notices that too', async () => {
    await using upstream = await strictUpstream({ answer: 'one two three', stallAfter: 3 })
    for await (const event of connect(upstream.url)(requestOf([user('a')]))) {
      expect(event).toEqual({ type: 'text', text: 'one ' })
      break
    }
    await upstream.requests[0]?.closed
    expect(upstream.requests[0]?.aborted).toBe(true)
  })

  test('after the end: nothing happens', async () => {
    await using upstream = await strictUpstream({ answer: 'one' })
    const controller = new AbortController()
    const { error, events } = await listen(
      connect(upstream.url)(requestOf([user('a')], { signal: controller.signal })),
      (count) => count === 2 && controller.abort(),
    )
    expect(error).toBeUndefined()
    expect(events.at(-1)).toMatchObject({ type: 'end' })
    expect(upstream.requests[0]?.aborted).toBe(false)
  })
})
