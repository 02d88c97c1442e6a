import { EventEmitter } from 'node:events'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises'
import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { defineState, memoryStore, type Thread } from 'minutebook'
import { readState } from 'minutebook/inspect'
import { assistant, call, result, user } from '@minutebook/testing'
import { currentThread, tryCurrentThread, withThread } from 'minutebook/context'
import { branchOf } from '../support/lines.ts'
import { refusal } from '../../../../tests/support/refusal.ts'
import { mustAppend } from './counting-store.ts'

const ann = { id: 'ann' } as Thread
const bob = { id: 'bob' } as Thread
const here = (): string => tryCurrentThread()?.id ?? 'nobody'

describe('the current thread', () => {
  test('is that of the call around it, and its result is passed on', async () => {
    expect(withThread(ann, () => currentThread())).toBe(ann)
    expect(await withThread(ann, async () => currentThread().id)).toBe('ann')
    expectTypeOf(withThread(ann, () => 7)).toEqualTypeOf<number>()
  })

  test('does not exist outside, and the error says what to do', () => {
    const error = refusal(() => currentThread())
    expect(error.code).toBe('no_current_thread')
    expect(error.message).toContain('withThread(thread')
    expect(tryCurrentThread()).toBeUndefined()
  })

  test('is gone when the call has ended, also by an error', async () => {
    withThread(ann, here)
    expect(here()).toBe('nobody')
    await expect(
      withThread(ann, async () => {
        await wait(1)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(here()).toBe('nobody')
    expect(() =>
      withThread(ann, () => {
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(here()).toBe('nobody')
  })

  test('is the innermost, and the outer one again behind it', async () => {
    const seen = await withThread(ann, async () => {
      const before = here()
      const inside = await withThread(bob, async () => {
        await nextTick()
        return here()
      })
      return [before, inside, here()]
    })
    expect(seen).toEqual(['ann', 'bob', 'ann'])
  })

  test('is each its own in parallel', async () => {
    const request = (thread: Thread, pause: number): Promise<string[]> =>
      withThread(thread, async () => {
        const seen = [here()]
        for (const _ of [1, 2, 3]) {
          await wait(pause)
          seen.push(here())
        }
        return seen
      })
    const [first, second, third] = await Promise.all([
      request(ann, 3),
      request(bob, 2),
      (async () => {
        await wait(1)
        return here()
      })(),
    ])
    expect(first).toEqual(['ann', 'ann', 'ann', 'ann'])
    expect(second).toEqual(['bob', 'bob', 'bob', 'bob'])
    expect(third).toBe('nobody')
  })
})

/** Ways in which code is called back, each begun with ann as the current thread. */
const ways: readonly [way: string, run: () => Promise<string>][] = [
  ['a timer', () => new Promise((resolve) => setTimeout(() => resolve(here()), 1))],
  [
    'an interval',
    () =>
      new Promise((resolve) => {
        const timer = setInterval(() => {
          clearInterval(timer)
          resolve(here())
        }, 1)
      }),
  ],
  ['setImmediate', () => new Promise((resolve) => setImmediate(() => resolve(here())))],
  ['process.nextTick', () => new Promise((resolve) => process.nextTick(() => resolve(here())))],
  ['a microtask', () => new Promise((resolve) => queueMicrotask(() => resolve(here())))],
  [
    'a promise that was made outside',
    async () => {
      await outside
      return here()
    },
  ],
  [
    'all of several promises',
    async () => {
      const [seen] = await Promise.all([
        (async () => {
          await nextTick()
          return here()
        })(),
        nextTick(),
      ])
      return seen
    },
  ],
  [
    'a generator that is consumed inside',
    async () => {
      for await (const seen of ticks()) return seen
      return 'nothing'
    },
  ],
  [
    'a stream of Node that is consumed inside',
    async () => {
      for await (const _ of Readable.from(['a'])) return here()
      return 'nothing'
    },
  ],
  [
    'a pipeline of Node',
    async () => {
      let seen = ''
      const look = new Transform({
        objectMode: true,
        transform: (chunk, _, done) => {
          seen = here()
          done(null, chunk)
        },
      })
      await pipeline(Readable.from(['a']), look, async (source) => {
        for await (const _ of source as AsyncIterable<string>) await nextTick()
      })
      return seen
    },
  ],
  [
    'a stream of the web',
    async () => {
      const stream = new ReadableStream<string>({
        async start(controller) {
          await nextTick()
          controller.enqueue(here())
          controller.close()
        },
      })
      for await (const seen of stream) return seen
      return 'nothing'
    },
  ],
  [
    'an emitter that fires inside',
    async () => {
      const emitter = new EventEmitter()
      let seen = ''
      emitter.on('now', () => {
        seen = here()
      })
      await nextTick()
      emitter.emit('now')
      return seen
    },
  ],
]
const outside = wait(5)

async function* ticks(): AsyncGenerator<string> {
  await nextTick()
  yield here()
}

describe('the current thread follows', () => {
  test.each(ways)('%s', async (_, run) => {
    expect(await withThread(ann, run)).toBe('ann')
    expect(await withThread(bob, run)).toBe('bob')
    expect(await run()).toBe('nobody')
  })

  test('the consumer of a generator, not its maker: what is consumed outside has no thread, and never another one', async () => {
    const made = withThread(ann, ticks)
    expect((await made.next()).value).toBe('nobody')
    const other = withThread(ann, ticks)
    expect((await withThread(bob, () => other.next())).value).toBe('bob')
  })
})

describe('two users at once', () => {
  const secret = defineState({
    name: 'secret',
    tools: { remember: { schema: z.object({ owner: z.string(), n: z.number() }) } },
  })

  test('1,000 interleaved requests read their own state and nothing of each other', async () => {
    const store = memoryStore()
    const threadOf = (id: string): Thread => {
      const headOf = async (): Promise<string | null> => (await store.read(id, { last: 1 }))[0]?.id ?? null
      return {
        id,
        state: async (reader) => readState(reader, { store, thread: id, head: await headOf(), every: 10 }),
      } as Thread
    }

    /** A tool remembers something of its owner, another reads it back: neither is told whose request it is. */
    const request = (id: string, n: number): Promise<void> =>
      withThread(threadOf(id), async () => {
        await pause(n)
        await remember(n)
        await pause(n + 1)
        expect(await currentThread().state(secret)).toEqual({ owner: id, n })
        await pause(n + 2)
        expect(currentThread().id).toBe(id)
      })
    const remember = async (n: number): Promise<void> => {
      const { id } = currentThread()
      const [newest] = await store.read(id, { last: 1 })
      await pause(n)
      await mustAppend(
        store,
        id,
        branchOf([[user(`remember ${n}`)], [assistant(null, call(`c${n}`, 'remember'))]], newest),
      )
      await pause(n + 1)
      await mustAppend(
        store,
        currentThread().id,
        branchOf(
          [[result(`c${n}`, JSON.stringify({ owner: currentThread().id, n }))]],
          (await store.read(id, { last: 1 }))[0],
        ),
      )
    }

    // The requests of one user follow one another; the two users are interleaved at every pause.
    const queues = new Map<string, Promise<void>>()
    for (let n = 0; n < 1000; n++) {
      const id = n % 2 === 0 ? 'ann' : 'bob'
      queues.set(
        id,
        (queues.get(id) ?? Promise.resolve()).then(() => request(id, n)),
      )
    }
    await Promise.all(queues.values())
    expect(here()).toBe('nobody')
    for (const id of ['ann', 'bob']) {
      const owners = (await store.read(id))
        .filter(({ kind }) => kind === 'tool')
        .map(({ text }) => (JSON.parse(text) as { owner: string }).owner)
      expect(owners).toEqual(Array.from({ length: 500 }, () => id))
    }
  })
})

const pause = (n: number): Promise<unknown> => (n % 3 === 0 ? nextTick() : n % 3 === 1 ? Promise.resolve() : wait(0))
