import { localQueue, memoryStore, openBook, type Model, type Store, type Tool, type TurnQueue } from 'minutebook'
import { type Clock, systemClock } from 'minutebook/clock'
import type { AppendResult } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call, system, user } from '@minutebook/testing'
import type { EntryDraft } from '../../src/log/entry.ts'
import { liveLog, type LiveLog } from '../../src/past/live-log.ts'
import { appendOrThrowFenced, createFence, lostThread, type Fence } from '../../src/turns/fence.ts'
import type { StopReason } from '../../src/turns/turn.ts'
import { shape } from '../support/book.ts'
import { script } from '../support/scripted.ts'

const standing = { head: null, length: 0, term: 1, erasures: 0 }

/** A clock that stands still until it is set. */
function handClock(): Clock & { add(milliseconds: number): void } {
  let time = 1_800_000_000_000
  return {
    now: () => new Date(time).toISOString(),
    after: (milliseconds, signal) => systemClock.after(milliseconds, signal),
    add: (milliseconds) => void (time += milliseconds),
  }
}

describe('what was written', () => {
  test('is given', async () => {
    expect(await appendOrThrowFenced(Promise.resolve<AppendResult>({ ok: true, entries: [], standing }))).toEqual([])
  })

  test.each(['conflict', 'fenced', 'absent'] as const)('or else is somebody else’s affair: %s', async (reason) => {
    await expect(
      appendOrThrowFenced(Promise.resolve<AppendResult>({ ok: false, reason, standing })),
    ).rejects.toMatchObject({
      code: 'fenced',
      details: { reason },
    })
  })
})

describe('a runner that reads on', () => {
  const fenceOn = (store: Store, log: LiveLog, term = 0): Fence => {
    const clock = handClock()
    return createFence({
      store,
      log,
      term,
      clock,
      control: { stopping: undefined },
      refresh: () => log.sync(),
      claimed: clock.now(),
    })
  }

  test.each<[string, EntryDraft, boolean]>([
    ['a message that waits', { message: user('w'), facts: { kind: 'pending', key: 'k' } }, true],
    ['what was taken back', { message: system('id'), facts: { kind: 'revocation' } }, true],
    ['a question', { message: user('?') }, false],
    ['a receipt', { message: system('{}'), facts: { kind: 'receipt' } }, false],
    ['a stop', { message: system('{}'), facts: { kind: 'stop' } }, false],
  ])('finds %s', async (_, draft, goesOn) => {
    const store = memoryStore()
    const [mine, other] = [liveLog(store, 't'), liveLog(store, 't')]
    await mine.append([{ message: user('one') }])
    await other.sync()
    await other.append([draft])
    const reading = fenceOn(store, mine).refresh()
    if (goesOn) expect(await reading).toBeUndefined()
    else await expect(reading).rejects.toMatchObject({ code: 'fenced' })
  })

  test('finds that another runner has claimed the thread and written nothing yet', async () => {
    const store = memoryStore()
    const log = liveLog(store, 't')
    const { term } = await store.claim('t')
    const fence = fenceOn(store, log, term)
    await fence.refresh()
    await store.claim('t')
    await expect(fence.refresh()).rejects.toMatchObject({ code: 'fenced', details: { reason: 'fenced' } })
  })

  test('finds that the thread was removed', async () => {
    const store = memoryStore()
    const mine = liveLog(store, 't')
    const [asked] = await appendOrThrowFenced(mine.append([{ message: user('one') }]))
    mine.checkout(asked!.id)
    await store.remove('t')
    await expect(fenceOn(store, mine).refresh()).rejects.toMatchObject({
      code: 'fenced',
      details: { reason: 'removed' },
    })
    expect([mine.head, mine.position.next]).toEqual([null, { do: 'rest' }])
  })
})

describe('the term before an effect', () => {
  /** A fence on a store whose readings are counted, and take so many milliseconds each. */
  function counted({
    took = [],
    stopping,
  }: { readonly took?: readonly number[]; readonly stopping?: StopReason } = {}) {
    const clock = handClock()
    const facts = { term: 1, readings: 0 }
    const fence = createFence({
      store: {
        standing: async () => {
          const answer = { ...standing, term: facts.term }
          clock.add(took[facts.readings++] ?? took.at(-1) ?? 0)
          return answer
        },
      },
      log: liveLog(memoryStore(), 't'),
      term: 1,
      clock,
      control: { stopping },
      refresh: () => Promise.resolve({ ...standing, term: facts.term }),
      claimed: clock.now(),
    })
    return { fence, facts, clock }
  }

  test('is not read again within a second of the claim, or of a refresh', async () => {
    const { fence, facts, clock } = counted()
    for (let count = 0; count < 5; count++) {
      await fence.confirm()
      clock.add(999)
      await fence.refresh()
    }
    expect(facts.readings).toBe(0)
  })

  test.each([1000, 30_000, -1000])('is read when the clock shows %i ms more than then', async (milliseconds) => {
    const { fence, facts, clock } = counted()
    clock.add(milliseconds)
    await Promise.all([fence.confirm(), fence.confirm()])
    expect(facts.readings, 'shared by effects that begin together').toBe(1)
    clock.add(milliseconds)
    facts.term = 2
    await expect(fence.confirm()).rejects.toMatchObject({ code: 'fenced' })
  })

  test('is read again if the answer of the store was 30 s old when it was heard', async () => {
    const { fence, facts, clock } = counted({ took: [30_000, 5] })
    clock.add(2000)
    await fence.confirm()
    expect(facts.readings).toBe(2)
  })

  test('does not help a run that was told that the queue no longer holds the thread', async () => {
    const { fence } = counted()
    await fence.confirm()
    const { fence: lost } = counted({ stopping: lostThread })
    await expect(lost.confirm()).rejects.toMatchObject({ code: 'fenced', details: { reason: 'lost' } })
  })

  test('is read three times at most on a store that takes two seconds', async () => {
    const { fence, facts, clock } = counted({ took: [2000] })
    clock.add(2000)
    await fence.confirm()
    expect(facts.readings).toBe(3)
  })
})

/**
 * Runs a turn whose process is frozen right after the store's answer to a reading or an append: for 30 seconds, in which
 * another runner claims the thread. `when`: whether to freeze now.
 */
async function frozen(method: 'standing' | 'append', when: (facts: { models: number; tools: number }) => boolean) {
  const real = memoryStore()
  const clock = handClock()
  const facts = { models: 0, tools: 0 }
  let freezes = 0
  const freeze = async <T>(answer: Promise<T>): Promise<T> => {
    const given = await answer
    if (freezes === 0 && when(facts)) {
      freezes++
      clock.add(30_000)
      await real.claim('t')
    }
    return given
  }
  const store: Store = {
    ...real,
    standing: (thread) => (method === 'standing' ? freeze(real.standing(thread)) : real.standing(thread)),
    append: (...given) => (method === 'append' ? freeze(real.append(...given)) : real.append(...given)),
  }
  const answers = script(assistant(null, call('c', 'pay', { euros: 5 })), 'Paid.')
  const model: Model = (request) => {
    facts.models++
    return answers(request)
  }
  const pay: Tool = { name: 'pay', parameters: { type: 'object' }, run: () => `paid ${++facts.tools}` }
  const book = openBook({ store, model, tools: [pay], window: 4096, clock })
  const { status } = await book.thread('t').send('Pay').done
  return { status, freezes, ...facts, entries: shape(await real.read('t')) }
}

describe('a process that is frozen for 30 seconds, while another runner takes the thread', () => {
  const fenced = { status: 'fenced', freezes: 1 }

  test('after the answer was recorded: runs no tool', async () => {
    expect(await frozen('append', ({ models }) => models === 1)).toMatchObject({ ...fenced, models: 1, tools: 0 })
  })

  test('after the store said that the thread is still its own: runs no tool', async () => {
    expect(await frozen('standing', ({ models }) => models === 1)).toMatchObject({ ...fenced, models: 1, tools: 0 })
  })

  test('before the model is called again: calls no model', async () => {
    expect(await frozen('standing', ({ tools }) => tools === 1)).toMatchObject({ ...fenced, models: 1, tools: 1 })
  })

  test('before the first model call: calls no model', async () => {
    expect(await frozen('append', () => true)).toEqual({ ...fenced, models: 0, tools: 0, entries: ['user'] })
  })
})

test('a turn reads the term for its first load and before each step after the first, and for nothing else', async () => {
  const real = memoryStore()
  let readings = 0
  const store: Store = {
    ...real,
    standing: (thread) => {
      readings++
      return real.standing(thread)
    },
  }
  const pay: Tool = { name: 'pay', parameters: { type: 'object' }, run: () => 'paid' }
  const model = script(assistant(null, call('one', 'pay'), call('two', 'pay')), 'Paid.')
  await openBook({ store, model, tools: [pay], window: 4096, clock: handClock() })
    .thread('t')
    .send('Pay').done
  expect(readings).toBe(3)
})

describe('a run whose queue no longer holds the thread', () => {
  /** A queue that takes a thread away from its first run when `lose` is called. */
  function losing(store: Store) {
    const behind = localQueue(store)
    const lost = new AbortController()
    let runs = 0
    const queue: TurnQueue = {
      ...behind,
      onWake: (run) =>
        behind.onWake((thread, signal) => run(thread, runs++ === 0 ? AbortSignal.any([signal, lost.signal]) : signal)),
    }
    return { queue, lose: () => lost.abort() }
  }

  test('aborts its model call and records nothing; the next run answers', async () => {
    const store = memoryStore()
    const { queue, lose } = losing(store)
    let calls = 0
    let aborted: AbortSignal | undefined
    const model: Model = async function* ({ signal }) {
      if (++calls === 1) {
        aborted = signal
        yield { type: 'text', text: 'Half an' }
        lose()
        await new Promise(() => undefined)
      }
      yield { type: 'end', finish: 'stop', message: assistant('A whole one.') }
    }
    const book = openBook({ store, queue, model, window: 4096, clock: systemClock })
    const stop = await book.work()
    expect(await book.thread('t').send('Go').done).toMatchObject({ status: 'complete', text: 'A whole one.' })
    expect([aborted?.aborted, calls]).toEqual([true, 2])
    expect(shape(await store.read('t'))).toEqual(['user', 'assistant', 'receipt'])
    await stop()
  })

  test('records an answer that was complete, and leaves its tools to the next run', async () => {
    const real = memoryStore()
    const store: Store = {
      ...real,
      append: (thread, entries, terms) => {
        if (entries.some(({ kind }) => kind === 'assistant')) lose()
        return real.append(thread, entries, terms)
      },
    }
    const { queue, lose } = losing(store)
    const model = script(assistant(null, call('c', 'act')), 'Done.')
    const act: Tool = { name: 'act', parameters: {}, mayRepeat: true, run: (_, { term }) => `run under term ${term}` }
    const book = openBook({ store, queue, model, tools: [act], window: 4096, clock: systemClock })
    const stop = await book.work()
    expect(await book.thread('t').send('Go').done).toMatchObject({ status: 'complete', text: 'Done.' })
    const entries = await store.read('t')
    expect(entries.map(({ kind }) => kind)).not.toContain('stop')
    expect(entries.find(({ kind }) => kind === 'tool')?.text).toBe('run under term 2')
    await stop()
  })

  test.each([
    [true, ['first', 'again'], 'done'],
    [false, ['first'], 'may or may not'],
  ])(
    'starts no further tool, and leaves the one that runs to the next run; may it repeat: %s',
    async (mayRepeat, ran, result) => {
      const store = memoryStore()
      const { queue, lose } = losing(store)
      const runs: string[] = []
      const keys = new Set<string>()
      const tool = (name: string, run: Tool['run']): Tool => ({ name, parameters: {}, mayRepeat, run })
      const tools = [
        tool('act', async (_, { idempotencyKey, signal }) => {
          keys.add(idempotencyKey)
          runs.push(runs.length === 0 ? 'first' : 'again')
          if (runs.length > 1) return 'done'
          lose()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          return 'too late'
        }),
      ]
      const model = script(assistant(null, call('c', 'act')), 'Done.')
      const book = openBook({ store, queue, model, tools, window: 4096, clock: systemClock })
      const stop = await book.work()
      expect(await book.thread('t').send('Go').done).toMatchObject({ status: 'complete', text: 'Done.' })
      expect(runs).toEqual(ran)
      expect(keys.size).toBe(1)
      const results = (await store.read('t')).filter(({ kind }) => kind === 'tool')
      expect(results.map(({ text }) => text)).toEqual([expect.stringContaining(result)])
      await stop()
    },
  )
})
