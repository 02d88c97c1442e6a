import { localQueue, memoryStore, openBook, type Thread } from 'minutebook'
import { entryOf, traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call, user } from '@minutebook/testing'
import { shape } from '../support/book.ts'
import { company, type Company } from '../support/instances.ts'
import { refusal } from '../../../../tests/support/refusal.ts'
import { script, type Line } from '../support/scripted.ts'
import { slow } from '../support/slow-model.ts'
import { tick } from '../../../../tests/support/tick.ts'
import { tickClock } from '../support/tick-clock.ts'

const chain = async (thread: Thread): Promise<string[]> =>
  (await thread.entries()).filter(({ kind }) => traits[kind].chained).map(({ text }) => text)

function talk(
  ...lines: readonly Line[]
): Company & { readonly thread: Thread; readonly model: ReturnType<typeof script> } {
  const all = company()
  const model = script(...lines)
  all.join({ model })
  return { ...all, model, thread: all.join({}, { works: false }).book.thread('t') }
}

describe('another answer', () => {
  test('is on a branch of its own, and asked for on record', async () => {
    const { thread, store } = talk('A', 'B', 'A', 'C')
    await thread.send('one').done
    expect(await thread.retry().done).toMatchObject({ status: 'complete', text: 'B' })
    expect(await chain(thread)).toEqual(['one', 'B'])
    expect(await thread.retry().done).toMatchObject({ status: 'complete', text: 'A' })
    expect(await chain(thread)).toEqual(['one', 'A'])
    expect(await thread.branches()).toHaveLength(2)
    expect((await store.read('t')).filter(({ kind }) => kind === 'retry')).toHaveLength(2)
    await thread.send('two').done
    expect(await chain(thread)).toEqual(['one', 'A', 'two', 'C'])
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 4 })
  })

  test('after a failure goes on where that was', async () => {
    const { thread } = talk(new Error('down'), 'Better.')
    expect(await thread.send('one').done).toMatchObject({ status: 'failed' })
    expect(await thread.retry().done).toMatchObject({ status: 'complete', text: 'Better.' })
    expect(shape(await thread.entries())).toEqual(['user', 'receipt', 'stop failed', 'retry', 'assistant', 'receipt'])
  })

  test('that fails again and again is asked for each time', async () => {
    const { thread } = talk(new Error('no'))
    await thread.send('one').done
    await thread.retry().done
    await thread.retry().done
    expect(shape(await thread.entries())).toEqual([
      'user',
      'receipt',
      'stop failed',
      'retry',
      'receipt',
      'stop failed',
      'retry',
      'receipt',
      'stop failed',
    ])
  })

  test('leaves the last call of its turn to be looked at until it makes one', async () => {
    const all = company()
    const first = all.join({ model: script('A') })
    const thread = all.join({}, { works: false }).book.thread('t')
    await thread.send('one').done
    const [receipt] = await thread.receipts()
    first.die()
    const turn = thread.retry()
    await turn.recorded
    expect((await thread.dump({ turn: 1 })).receipt?.id).toBe(receipt?.id)
    turn.cancel()
    await turn.done
    expect((await thread.dump({ turn: 1 })).receipt?.id).toBe(receipt?.id)
  })

  test('survives the death of who gives it', async () => {
    const all = company()
    const first = all.join({
      model: script('A', () => {
        throw new Error('x')
      }),
    })
    const thread = all.join({}, { works: false }).book.thread('t')
    await thread.send('one').done
    first.die()
    const turn = thread.retry()
    all.join({ model: script('B') })
    expect(await turn.done).toMatchObject({ status: 'complete', text: 'B' })
  })

  test('by the same words in the same place', async () => {
    const { thread, store } = talk('A', 'B')
    await thread.send('one').done
    expect(await thread.send('one', { after: null }).done).toMatchObject({ text: 'B' })
    expect((await store.read('t')).filter(({ kind }) => kind === 'user')).toHaveLength(1)
  })

  test('to a message that waited and stands there already', async () => {
    const { store, queue, join } = company()
    const [first, last] = [script('A', 'B', 'A'), slow('C')]
    join({ model: (request) => (first.requests.length < 3 ? first : last.model)(request) })
    const thread = join({}, { works: false }).book.thread('t')
    await thread.send('one').done
    await thread.send('two').done
    // The thread goes back to the first answer, and a message waits there with the words that came next.
    await thread.send('one', { after: null }).done
    const one = (await store.read('t')).find(({ text }) => text === 'A')!
    await queue.wake('t', [entryOf(user('two'), one, { kind: 'pending', key: 'k' })])
    const turn = thread.send('two', { id: 'k' })
    for (let round = 0; round < 5; round++) await tick()
    last.release()
    expect(await turn.done).toMatchObject({ status: 'complete', text: 'C' })
    expect(await chain(thread)).toEqual(['one', 'A', 'two', 'C'])
  })

  test('where there is nothing to answer', async () => {
    const { thread } = talk('A')
    expect(await thread.retry().done).toMatchObject({ status: 'failed', reason: { code: 'nothing_to_answer' } })
  })

  test('closes calls that came from elsewhere', async () => {
    const { thread } = talk('Fine.', 'Well.')
    await thread.importMessages([user('Hi'), assistant(null, call('c', 'x'))])
    await thread.retry().done
    expect((await thread.entries()).filter(({ kind }) => traits[kind].chained).map(({ kind }) => kind)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
  })
})

describe('messages from elsewhere', () => {
  test('are not answered, and the thread goes on', async () => {
    const { thread, model } = talk('Yes.')
    await thread.importMessages([user('By mail.')])
    expect(model.requests).toEqual([])
    expect(await thread.send('Hm').done).toMatchObject({ status: 'complete', text: 'Yes.' })
    expect(await chain(thread)).toEqual(['By mail.', 'Hm', 'Yes.'])
  })

  test('with calls that nobody runs: they are closed by what comes next', async () => {
    const { thread } = talk('Yes.')
    await thread.importMessages([assistant(null, call('c', 'x'))])
    expect(await thread.send('Hm').done).toMatchObject({ status: 'complete', text: 'Yes.' })
    expect(shape(await thread.entries())).toEqual([
      'assistant',
      'tool cancelled',
      'stop cancelled',
      'user',
      'assistant',
      'receipt',
    ])
  })

  test('wait for a turn that runs', async () => {
    const all = company()
    const thread = all.join({}, { works: false }).book.thread('t')
    thread.send('Go')
    await expect.poll(async () => (await all.store.read('t')).length).toBe(1)
    await expect(thread.importMessages([user('By mail.')])).rejects.toMatchObject({ code: 'busy' })
  })
})

describe('resuming', () => {
  test('wakes what is unfinished, and follows it and what waits until the thread rests', async () => {
    const all = company()
    const asked = entryOf(user('one'))
    const worker = all.join({ model: script('1', '2') })
    await expect.poll(() => worker.errors).toEqual([])
    await all.store.append('t', [asked, entryOf(user('two'), asked, { kind: 'pending', key: 'k' })])
    const found: string[] = []
    for await (const { thread, turn } of all.join({}, { works: false }).book.resume())
      found.push(`${thread}: ${(await turn.done).text}`)
    expect(found).toEqual(['t: 2'])
  })

  test('ends at once where there is nothing', async () => {
    const { thread } = talk('A')
    await thread.send('one').done
    expect(await thread.resume().done).toMatchObject({ status: 'complete', text: 'A' })
  })
})

describe('misuse', () => {
  const store = memoryStore()
  test.each<[string, string, () => unknown]>([
    [
      'tools for one turn',
      'tools_not_allowed',
      () =>
        openBook({ store, queue: localQueue(store), clock: tickClock() })
          .thread('t')
          .send('x', { tools: [] }),
    ],
    [
      'nothing to send',
      'nothing_to_answer',
      () =>
        openBook({ store, queue: localQueue(store), clock: tickClock() })
          .thread('t')
          .send([]),
    ],
  ])('%s', (_, code, run) => {
    expect(refusal(run).code).toBe(code)
  })

  test('work without a model', async () => {
    await expect(openBook({ store }).work()).rejects.toMatchObject({ code: 'no_model' })
    const queue = localQueue(store)
    await expect(openBook({ store, queue, clock: tickClock(), window: 4096 }).work()).rejects.toMatchObject({
      code: 'no_model',
    })
  })
})
