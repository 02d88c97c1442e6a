import fc from 'fast-check'
import type { Feed } from 'minutebook'
import type { FeedEvent } from 'minutebook/store'
import type { Database } from '../src/connection/connection.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cases } from '../../../tests/support/runs.ts'
import type { Channels } from '../src/turns/channels.ts'
import { openFeeds, type Feeds } from '../src/turns/feed.ts'
import type { Listener } from '../src/turns/listener.ts'
import { createPeers } from '../src/turns/peers.ts'

// Pauses are as long as they are told to be, however busy the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A database that passes messages on in the order of its statements. */
function createBus(): {
  /** `onGreeting`: is given what a new connection for notifications calls. */
  readonly instance: (onGreeting?: (greet: () => void) => void) => Promise<Feeds>
  /** Lets everything come to rest. */
  readonly rest: () => Promise<void>
  readonly statements: () => number
} {
  const ears = new Map<string, Set<(message: unknown) => void>>()
  let [statements, sending] = [0, 0]
  const query = async (_text: string, [names, payloads]: readonly [string[], string[]]): Promise<void> => {
    statements++
    sending++
    await new Promise(setImmediate)
    for (const [index, name] of names.entries())
      for (const hear of ears.get(name) ?? []) hear(JSON.parse(payloads[index]!))
    sending--
  }
  const channels: Channels = {
    sealed: (address, message) => [JSON.stringify(address), JSON.stringify(message)],
    listen: async (address, hear) => {
      const name = JSON.stringify(address)
      ears.set(name, (ears.get(name) ?? new Set()).add(hear))
      return async () => void ears.get(name)?.delete(hear)
    },
  }
  return {
    instance: (onGreeting = () => undefined) => {
      const onConnect = (greet: () => void): (() => void) => {
        onGreeting(greet)
        return () => undefined
      }
      return openFeeds({ query } as unknown as Database, { onConnect } as unknown as Listener, channels)
    },
    rest: async () => {
      for (let calm = 0; calm < 3;) {
        const before = statements
        // Longer than the longest pause after a statement.
        await vi.advanceTimersByTimeAsync(60)
        for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate)
        calm = statements === before && sending === 0 ? calm + 1 : 0
      }
    },
    statements: () => statements,
  }
}

function said(offset: number, text: string): FeedEvent {
  return { type: 'text', turn: 't', term: 1, start: 0, offset, text }
}

function textIn(heard: readonly FeedEvent[]): string {
  return heard.map((news) => (news.type === 'text' ? news.text : '')).join('')
}

const step = fc.record({
  instance: fc.nat(2),
  thread: fc.constantFrom('a', 'b'),
  does: fc.constantFrom('listen', 'leave', 'publish', 'publish', 'wait'),
})

test('whoever is known to listen hears every text once and in order; whoever is not yet is told that there is news', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const bus = createBus()
      const instances = [await bus.instance(), await bus.instance(), await bus.instance()]
      await bus.rest()
      const feeds = instances.map((instance) => instance.of('default'))
      const listeners: Listening[] = []
      const texts = new Map<string, string>()
      /** Whether all instances know of all listeners. */
      let isKnown = true
      for (const { instance, thread, does } of steps) {
        const feed = feeds[instance]!
        if (does === 'wait') {
          await bus.rest()
          isKnown = true
        }
        if (does === 'listen') {
          const heard: FeedEvent[] = []
          const from = (texts.get(thread) ?? '').length
          const stop = await feed.listen(thread, (news) => void heard.push(news))
          listeners.push({ thread, heard, from, stop, missed: false })
          isKnown = false
        }
        if (does === 'leave') listeners.splice(0, 1)[0]?.stop()
        if (does === 'publish') {
          const text = texts.get(thread) ?? ''
          for (const each of listeners) if (each.thread === thread && !isKnown) each.missed = true
          // One instance runs a turn.
          feeds[thread === 'a' ? 0 : 1]!.publish(thread, said(text.length, `${text.length};`))
          texts.set(thread, `${text}${text.length};`)
        }
      }
      await bus.rest()
      for (const { thread, heard, from, missed } of listeners) {
        const all = texts.get(thread) ?? ''
        const pieces = heard.filter((news) => news.type === 'text')
        let end = 0
        for (const { offset, text } of pieces) {
          expect([offset >= end, text]).toEqual([true, all.slice(offset, offset + text.length)])
          end = offset + text.length
        }
        // What was on its way when the listener came may be heard, too.
        const first = pieces[0]?.offset ?? all.length
        const isWhole = first <= from && textIn(heard) === all.slice(first)
        expect(isWhole || (missed && heard.some(({ type }) => type === 'grown'))).toBe(true)
      }
      for (const instance of instances) await instance.close()
    }),
    { numRuns: cases('long') },
  )
})

interface Listening {
  readonly thread: string
  readonly heard: FeedEvent[]
  readonly from: number
  readonly stop: () => void
  /** Whether something was published before all others knew of it. */
  missed: boolean
}

test('a runner hears what was asked of it before its instance was known', async () => {
  const bus = createBus()
  const [running, coming] = [await bus.instance(), await bus.instance()]
  const feed = running.of('default')
  await feed.listen('a', ({ type }) => {
    if (type === 'asked') feed.publish('a', said(0, 'so far'))
  })
  const heard: FeedEvent[] = []
  await coming.of('default').listen('a', (news) => void heard.push(news))
  coming.of('default').publish('a', { type: 'asked' })
  await bus.rest()
  expect(textIn(heard)).toBe('so far')
  for (const instance of [running, coming]) await instance.close()
})

test('texts that go out together are heard in order', async () => {
  const bus = createBus()
  const [one, two] = [await bus.instance(), await bus.instance()]
  const heard: FeedEvent[] = []
  await two.of('default').listen('a', (news) => void heard.push(news))
  await bus.rest()
  // None of them continues the one before, so they stay apart.
  const texts = [said(0, 'One'), { ...said(0, 'Two'), term: 2 }, { ...said(0, 'Three'), term: 3 }] as FeedEvent[]
  for (const text of texts) one.of('default').publish('a', text)
  await bus.rest()
  expect(heard).toEqual(texts)
  for (const instance of [one, two]) await instance.close()
})

test('an instance with a new connection is told again what others follow', async () => {
  const bus = createBus()
  let reconnect = (): void => undefined
  const [one, two] = [await bus.instance((greet) => (reconnect = greet)), await bus.instance()]
  const heard: FeedEvent[] = []
  await two.of('default').listen('a', (news) => void heard.push(news))
  await bus.rest()
  reconnect()
  await bus.rest()
  one.of('default').publish('a', said(0, 'Hello'))
  await bus.rest()
  expect(textIn(heard)).toBe('Hello')
  for (const instance of [one, two]) await instance.close()
})

test('an instance alone, and one whose text nobody follows elsewhere, sends nothing', async () => {
  const bus = createBus()
  const one = await bus.instance()
  await bus.rest()
  const before = bus.statements()
  const heard: FeedEvent[] = []
  await one.of('default').listen('a', (news) => void heard.push(news))
  for (let piece = 0; piece < 100; piece++) one.of('default').publish('a', said(piece, '.'))
  await bus.rest()
  expect([textIn(heard).length, bus.statements() - before]).toEqual([100, 0])
  const two = await bus.instance()
  await bus.rest()
  const alone = bus.statements()
  for (let piece = 100; piece < 200; piece++) one.of('default').publish('a', said(piece, '.'))
  await bus.rest()
  expect([textIn(heard).length, bus.statements() - alone]).toEqual([200, 0])
  await Promise.all([one.close(), two.close()])
})

test('all threads of one turn of the event loop are told in one statement', async () => {
  const bus = createBus()
  const [one, two] = [await bus.instance(), await bus.instance()]
  const threads = Array.from({ length: 50 }, (_, number) => `thread ${number}`)
  const heard: FeedEvent[] = []
  for (const thread of threads) await two.of('default').listen(thread, (news) => void heard.push(news))
  await bus.rest()
  const before = bus.statements()
  for (const thread of threads)
    for (let piece = 0; piece < 3; piece++) one.of('default').publish(thread, said(piece, '.'))
  await bus.rest()
  expect([textIn(heard).length, heard.length, bus.statements() - before]).toEqual([150, 50, 1])
  await Promise.all([one.close(), two.close()])
})

test('text that goes on is gathered for longer than the beginning of a text, and than other news', async () => {
  const bus = createBus()
  const [one, two] = [await bus.instance(), await bus.instance()]
  const heard: FeedEvent[] = []
  await two.of('default').listen('a', (news) => void heard.push(news))
  await bus.rest()
  const after = async (milliseconds: number): Promise<string> => {
    await vi.advanceTimersByTimeAsync(milliseconds)
    for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate)
    return heard.map((news) => (news.type === 'text' ? news.text : news.type)).join(' ')
  }
  const feed = one.of('default')
  feed.publish('a', said(0, 'One'))
  expect(await after(0)).toBe('One')
  feed.publish('a', said(3, 'two'))
  expect(await after(15)).toBe('One')
  expect(await after(1)).toBe('One two')
  feed.publish('a', said(6, 'three'))
  expect(await after(4)).toBe('One two')
  feed.publish('a', { type: 'grown' })
  expect(await after(1)).toBe('One two three grown')
  feed.publish('a', { ...said(0, 'Again'), term: 2 } as FeedEvent)
  expect(await after(4)).toBe('One two three grown')
  expect(await after(1)).toBe('One two three grown Again')
  await Promise.all([one.close(), two.close()])
})

test('who asks for text is heard on every instance, even before it is known who runs the turn', async () => {
  const bus = createBus()
  const [one, two] = [await bus.instance(), await bus.instance()]
  await bus.rest()
  const runner: Feed = one.of('default')
  await runner.listen('a', ({ type }) => {
    if (type === 'asked') runner.publish('a', said(0, 'all of it'))
  })
  const heard: FeedEvent[] = []
  await two.of('default').listen('a', (news) => void heard.push(news))
  two.of('default').publish('a', { type: 'asked' })
  await bus.rest()
  expect(textIn(heard)).toBe('all of it')
  await Promise.all([one.close(), two.close()])
})

test('a listener that throws hinders nobody', async () => {
  const bus = createBus()
  const one = await bus.instance()
  const heard: FeedEvent[] = []
  await one.of('default').listen('a', () => {
    throw new Error('no')
  })
  await one.of('default').listen('a', (news) => void heard.push(news))
  one.of('default').publish('a', said(0, 'x'))
  expect(textIn(heard)).toBe('x')
  await one.close()
})

test('an instance without a sign of life is forgotten with all that it followed', () => {
  let time = 0
  const peers = createPeers(() => time)
  peers.heard('one')
  peers.heard('two')
  peers.joined('one', 'a')
  peers.joined('two', 'a')
  time = 50_000
  peers.heard('two')
  time = 70_000
  peers.bury()
  expect([peers.size, peers.following('a')]).toEqual([1, ['two']])
  peers.left('two', 'a')
  expect(peers.following('a')).toEqual([])
})
