import { EventEmitter } from 'node:events'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineState, defineTool, memoryStore, openBook, type Model, type Tool } from 'minutebook'
import { scriptedModel, type ScriptedLine } from '@minutebook/testing'
import { currentThread, threadContext } from 'minutebook/context'
import { company } from '../support/instances.ts'
import { proves } from '../../../../tests/support/runs.ts'
import { refusal } from '../../../../tests/support/refusal.ts'

function here(): string {
  try {
    return currentThread().id
  } catch {
    return 'nobody'
  }
}

/** A tool that runs any code, and a model that calls it once. */
const look = (run: () => unknown): Tool => defineTool({ name: 'look', mayRepeat: true, run })
const looking: readonly ScriptedLine[] = [{ calls: [{ name: 'look' }] }, 'Done.']

/** What code returns that runs in a tool, in a turn of this thread. */
async function inThread<R>(id: string, run: () => R | Promise<R>): Promise<R> {
  const results: R[] = []
  const tools = [look(async () => void results.push(await run()))]
  await openBook({ threadContext, store: memoryStore(), model: scriptedModel(looking), window: 4096, tools })
    .thread(id)
    .ask('Look')
  return results[0]!
}

describe('the current thread', () => {
  test('is that of the turn, and reads its log', async () => {
    const [id, said] = await inThread('ann', async () => [
      currentThread().id,
      (await currentThread().visible()).map(({ text }) => text),
    ])
    expect(id).toBe('ann')
    expect(said).toContain('Look')
  })

  test('does not exist outside, and the error says what to do', () => {
    const error = refusal(() => currentThread())
    expect(error.code).toBe('no_current_thread')
    expect(error.message).toContain('in a tool')
  })

  test('is only set by a book that was opened with threadContext', async () => {
    const seen: string[] = []
    const tools = [look(() => seen.push(here()))]
    await openBook({ store: memoryStore(), model: scriptedModel(looking), window: 4096, tools })
      .thread('ann')
      .ask('Look')
    expect(seen).toEqual(['nobody'])
  })

  test('is gone when the turn has ended, also by an error', async () => {
    await inThread('ann', here)
    expect(here()).toBe('nobody')
    const tools = [
      look(() => {
        throw new Error('no')
      }),
    ]
    const model = scriptedModel([{ calls: [{ name: 'look' }] }, new Error('down')])
    const { status } = await openBook({ threadContext, store: memoryStore(), model, window: 4096, tools })
      .thread('ann')
      .send('Go').done
    expect([status, here()]).toEqual(['failed', 'nobody'])
  })

  test('is the innermost, and the outer one again behind it', async () => {
    const seen = await inThread('ann', async () => [here(), await inThread('bob', here), here()])
    expect(seen).toEqual(['ann', 'bob', 'ann'])
  })

  test('is each its own in parallel', async () => {
    const request = (thread: string, pause: number): Promise<string[]> =>
      inThread(thread, async () => {
        const seen = [here()]
        for (const _ of [1, 2, 3]) {
          await wait(pause)
          seen.push(here())
        }
        return seen
      })
    const [first, second, third] = await Promise.all([
      request('ann', 3),
      request('bob', 2),
      (async () => {
        await wait(1)
        return here()
      })(),
    ])
    expect(first).toEqual(['ann', 'ann', 'ann', 'ann'])
    expect(second).toEqual(['bob', 'bob', 'bob', 'bob'])
    expect(third).toBe('nobody')
  })

  test('is known to the model, too', async () => {
    const seen: string[] = []
    const model: Model = async function* () {
      seen.push(here())
      yield { type: 'end', message: { role: 'assistant', content: 'Hi.' }, finish: 'stop' }
    }
    await openBook({ threadContext, store: memoryStore(), model, window: 4096 }).thread('ann').ask('Hello')
    expect(seen).toEqual(['ann'])
  })
})

describe('no caller has to wrap anything', () => {
  const seen: string[] = []
  const tools = [look(() => seen.push(here()))]

  test('a message that waited, and another answer', async () => {
    seen.length = 0
    const model = scriptedModel([...looking, ...looking, ...looking])
    const thread = openBook({ threadContext, store: memoryStore(), model, window: 4096, tools }).thread('ann')
    await Promise.all([thread.send('One').done, thread.send('Two', { ifBusy: 'queue' }).done])
    await thread.retry().done
    expect(seen).toEqual(['ann', 'ann', 'ann'])
  })

  test('a turn that is taken up after a crash', async () => {
    seen.length = 0
    const store = memoryStore()
    const hung = openBook({
      threadContext,
      store,
      model: scriptedModel([{ text: 'x', hang: true }]),
      window: 4096,
      tools,
    })
    await hung.thread('ann').send('Go').recorded
    const book = openBook({ threadContext, store, model: scriptedModel(looking), window: 4096, tools })
    for await (const { turn } of book.resume()) expect(await turn.done).toMatchObject({ status: 'complete' })
    expect(seen).toEqual(['ann'])
  })

  test('a turn that a queue hands to another instance, which was asked from within yet another turn', async () => {
    seen.length = 0
    const { join } = company()
    const worker = join({ model: scriptedModel([...looking, ...looking]), tools, threadContext })
    const sender = join({}, { works: false })
    await sender.book.thread('ann').send('Go').done
    await inThread('carl', () => sender.book.thread('bob').send('Go').done)
    await worker.stop()
    expect(seen).toEqual(['ann', 'bob'])
    expect(worker.errors).toEqual([])
  })
})

/** Ways in which code is called back, each begun in a turn of ann. */
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
    expect(await inThread('ann', run)).toBe('ann')
    expect(await inThread('bob', run)).toBe('bob')
    expect(await run()).toBe('nobody')
  })

  test('the consumer of a generator, not its maker: what is consumed outside has no thread, and never another one', async () => {
    const made = (await inThread('ann', () => ({ ticks: ticks() }))).ticks
    expect((await made.next()).value).toBe('nobody')
    const other = (await inThread('ann', () => ({ ticks: ticks() }))).ticks
    expect((await inThread('bob', () => other.next())).value).toBe('bob')
  })
})

describe('many users at once', () => {
  const secret = defineState({
    name: 'secret',
    tools: { remember: { schema: z.object({ owner: z.string(), n: z.number() }) } },
  })

  const requests = proves ? 1000 : 300

  test(`${requests} interleaved requests read their own state and nothing of each other`, async () => {
    /** One tool remembers something of its owner, another reads it back: neither is told whose request it is. */
    const tools = [
      defineTool({
        name: 'remember',
        input: z.object({ n: z.number() }),
        run: async ({ n }) => {
          await pause(n)
          return { owner: currentThread().id, n }
        },
      }),
      defineTool({
        name: 'check',
        input: z.object({ n: z.number() }),
        run: async ({ n }) => {
          await pause(n + 1)
          return { found: await currentThread().state(secret), here: here() }
        },
      }),
    ]
    const model: Model = async function* ({ messages }) {
      const last = messages.at(-1)
      const n = Number(messages.findLast(({ role }) => role === 'user')?.content)
      await pause(n + 2)
      const call = (name: string): object => ({
        id: `${name}${n}`,
        function: { name, arguments: JSON.stringify({ n }) },
      })
      const next = last?.role === 'user' ? 'remember' : last?.tool_call_id === `remember${n}` ? 'check' : undefined
      const message = { role: 'assistant', content: next ? null : 'Done.', ...(next && { tool_calls: [call(next)] }) }
      yield { type: 'end', message, finish: next ? 'calls' : 'stop' }
    }
    const book = openBook({ threadContext, store: memoryStore(), model, window: 2048, tools, journal: false })
    const request = async (id: string, n: number): Promise<void> => {
      const found: string[] = []
      for await (const event of book.thread(id).send(String(n), { ifBusy: 'queue' }))
        if (event.type === 'result' && event.call.name === 'check') found.push(event.text)
      expect(found).toEqual([JSON.stringify({ found: { owner: id, n }, here: id })])
    }

    // The requests of one user follow one another; a hundred users are interleaved at every pause.
    const users = Array.from({ length: 100 }, (_, index) => `user ${index}`)
    await Promise.all(
      users.map(async (id, index) => {
        for (let n = index; n < requests; n += users.length) await request(id, n)
      }),
    )
    expect(here()).toBe('nobody')
  })
})

const pause = (n: number): Promise<unknown> => (n % 3 === 0 ? nextTick() : n % 3 === 1 ? Promise.resolve() : wait(0))
