import { localFeed, type Feed } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import { expect, test } from 'vitest'
import { newsOf } from '../../src/run/watch.ts'

/** Time never passes: only news ends the wait. */
const still: Clock = {
  now: () => '2026-11-19T12:00:00.000Z',
  after: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
}

async function following(signal?: AbortSignal): Promise<{ feed: Feed; news: Awaited<ReturnType<typeof newsOf>> }> {
  const feed = localFeed()
  return { feed, news: await newsOf('run', { feed, clock: still, signal }) }
}

test('what is told while the listener does something else is not missed', async () => {
  const { feed, news } = await following()
  feed.publish('run', { type: 'grown' })
  await news.next()
  let heard = false
  const next = news.next().then(() => (heard = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toBe(false)
  feed.publish('other run', { type: 'grown' })
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toBe(false)
  feed.publish('run', { type: 'grown' })
  await next
})

test('a signal ends the wait, also one that aborted before', async () => {
  const leaving = new AbortController()
  const { news } = await following(leaving.signal)
  const next = news.next()
  leaving.abort()
  await next
  const { news: late } = await following(leaving.signal)
  await late.next()
})

test('a listener that leaves is told no more', async () => {
  const left: string[] = []
  const feed: Feed = { ...localFeed(), listen: async (thread) => () => void left.push(thread) }
  const news = await newsOf('run', { feed, clock: still, signal: undefined })
  news.leave()
  expect(left).toEqual(['run'])
})
