import { defineTool, memoryStore, type Book, type Store, type Thread, type Tool } from 'minutebook'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { assistant, call, findIllegal } from '@minutebook/testing'
import { book, shape } from '../support/book.ts'
import { company } from '../support/instances.ts'
import { script } from '../support/scripted.ts'
import { tickClock } from '../support/tick-clock.ts'

/** A shop: `order` asks before it runs, `look` does not, and `pick` is answered by the client. */
function shop(): { readonly tools: readonly Tool[]; readonly ran: string[] } {
  const ran: string[] = []
  const run =
    (name: string) =>
    (input: unknown): string => {
      ran.push(`${name} ${JSON.stringify(input)}`)
      return `${name} done`
    }
  return {
    ran,
    tools: [
      defineTool({ name: 'order', parameters: {}, approve: true, run: run('order') }),
      defineTool({ name: 'look', parameters: {}, run: run('look') }),
      defineTool({ name: 'pick', parameters: {} }),
    ],
  }
}

const order = call('c1', 'order', { item: 'lamp' })
const look = call('c2', 'look', {})
const pick = call('c3', 'pick', {})

async function waitingThread(
  calls: readonly ReturnType<typeof call>[],
  more: { readonly store?: Store; readonly answers?: readonly string[] } = {},
): Promise<{
  readonly thread: Thread
  readonly ran: string[]
  readonly open: Book
  readonly requests: readonly { readonly messages: readonly object[] }[]
}> {
  const { tools, ran } = shop()
  const model = script(assistant(null, ...calls), ...(more.answers ?? ['Done.']))
  const open = book({ model, tools }, more.store)
  const thread = open.thread('t')
  const result = await thread.send('Buy a lamp').done
  expect(result.status).toBe('waiting')
  return { thread, ran, open, requests: model.requests }
}

describe('a turn that waits', () => {
  test('ends as waiting with its calls, and nothing has run', async () => {
    const { thread, ran } = await waitingThread([order])
    const [open] = await thread.waiting()
    expect(open).toMatchObject({ call: { name: 'order' }, needs: 'approval' })
    expect(ran).toEqual([])
    expect(await thread.waiting()).toHaveLength(1)
  })

  test('goes on when the call is approved, once', async () => {
    const { thread, ran } = await waitingThread([order])
    const [open] = await thread.waiting()
    const events: string[] = []
    const turn = thread.decide(open!.id, { do: 'run' }, { by: 'ann' })
    for await (const { type } of turn) events.push(type)
    expect(await turn.done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect(events).toEqual(['call', 'result', 'text', 'receipt', 'end'])
    expect(ran).toEqual(['order {"item":"lamp"}'])
    expect(shape(await thread.entries())).toEqual([
      'user',
      'assistant',
      'receipt',
      'wait',
      'decision',
      'start',
      'tool',
      'assistant',
      'journal',
      'receipt',
    ])
    expect(await thread.waiting()).toEqual([])
  })

  test('tells the model that it was refused, and why', async () => {
    const { thread, ran } = await waitingThread([order])
    const [open] = await thread.waiting()
    await thread.decide(open!.id, { do: 'refuse', reason: 'Too dear.' }).done
    expect(ran).toEqual([])
    expect((await thread.messages()).map(({ content }) => content)).toContain('(refused: Too dear.)')
  })

  test('runs with the input that a person chose, and the result says so', async () => {
    const { thread, ran } = await waitingThread([order])
    const [open] = await thread.waiting()
    await thread.decide(open!.id, { do: 'run', input: { item: 'candle' } }).done
    expect(ran).toEqual(['order {"item":"candle"}'])
    expect((await thread.messages())[2]?.content).toBe(
      '(run with other arguments, which a person chose: {"item":"candle"})\norder done',
    )
  })

  test('takes the result of a client’s tool', async () => {
    const { thread } = await waitingThread([pick])
    const [open] = await thread.waiting()
    expect(open?.needs).toBe('answer')
    await thread.decide(open!.id, { do: 'answer', output: { colour: 'red' } }).done
    expect((await thread.messages())[2]?.content).toBe('{"colour":"red"}')
  })

  test('runs at once what needs no decision, and decides the rest in any order', async () => {
    const { thread, ran, requests } = await waitingThread([order, look, pick])
    expect(ran).toEqual(['look {}'])
    const [ordering, picking] = await thread.waiting()
    expect(await thread.decide(picking!.id, { do: 'answer', output: 'red' }).done).toMatchObject({
      status: 'waiting',
      waiting: [{ id: ordering!.id }],
    })
    expect(await thread.decide(ordering!.id, { do: 'run' }).done).toMatchObject({ status: 'complete' })
    expect(ran).toEqual(['look {}', 'order {"item":"lamp"}'])
    for (const { messages } of requests) expect(findIllegal(messages as never)).toBeUndefined()
  })

  test('without ids, results of the same tool stay in order', async () => {
    const { id: _, ...first } = call('x', 'order', { item: 'a' })
    const { id: __, ...second } = call('y', 'order', { item: 'b' })
    const { thread, ran } = await waitingThread([first as never, second as never])
    const [one, two] = await thread.waiting()
    expect(await thread.decide(two!.id, { do: 'run' }).done).toMatchObject({ status: 'waiting' })
    expect(ran).toEqual([])
    await thread.decide(one!.id, { do: 'refuse' }).done
    expect(ran).toEqual(['order {"item":"b"}'])
    expect((await thread.messages()).slice(2, 4).map(({ content }) => content)).toEqual([
      '(refused: this call was not allowed)',
      'order done',
    ])
  })

  test('the second decision is told the first; the same one again changes nothing', async () => {
    const { thread, ran } = await waitingThread([order])
    const [open] = await thread.waiting()
    await thread.decide(open!.id, { do: 'refuse' }, { by: 'ann' }).done
    expect(await thread.decide(open!.id, { do: 'run' }, { by: 'bob' }).done).toMatchObject({
      status: 'failed',
      reason: { code: 'already_decided' },
      error: { details: { decision: { do: 'refuse' }, by: 'ann' } },
    })
    expect(await thread.decide(open!.id, { do: 'refuse' }).done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect(ran).toEqual([])
  })

  test('a call that waits for approval cannot be answered, and a client’s call cannot be run', async () => {
    const { thread } = await waitingThread([order, pick])
    const [ordering, picking] = await thread.waiting()
    const decided = [
      thread.decide(ordering!.id, { do: 'answer', output: 'bought' }),
      thread.decide(picking!.id, { do: 'run' }),
    ]
    for (const turn of decided) expect((await turn.done).reason?.code).toBe('invalid_decision')
    expect(await thread.waiting()).toHaveLength(2)
  })

  test.each([
    [{ do: 'maybe' }],
    [{ do: 'run', reason: 'x' }],
    [{ do: 'answer' }],
    [{ do: 'refuse', reason: 1 }],
    [null],
  ])('refuses %j, which is no decision', async (decision) => {
    const { thread } = await waitingThread([order])
    const [open] = await thread.waiting()
    expect(() => thread.decide(open!.id, decision as never)).toThrow('This is not a decision')
  })

  test('knows no other calls', async () => {
    const { thread } = await waitingThread([order])
    expect(() => thread.decide('c1', { do: 'run' })).toThrow('No call with this id waits')
    const other = await thread.decide(`${'0'.repeat(64)}.0`, { do: 'run' }).done
    expect(other.reason?.code).toBe('not_waiting')
  })

  test('ask throws, and says what to do', async () => {
    const { tools } = shop()
    const thread = book({ model: script(assistant(null, order)), tools }).thread('t')
    await expect(thread.ask('Buy')).rejects.toMatchObject({ code: 'waiting' })
  })

  test('a function says which calls need approval; if it throws, they do', async () => {
    const errors: unknown[] = []
    const tool = defineTool({
      name: 'order',
      parameters: {},
      approve: (input) => {
        const { price } = input as { price?: number }
        if (price === undefined) throw new Error('no price')
        return price > 10
      },
      run: () => 'bought',
    })
    const calls = [call('a', 'order', { price: 5 }), call('b', 'order', { price: 50 }), call('c', 'order', {})]
    const thread = book({
      model: script(assistant(null, ...calls), 'Done.'),
      tools: [tool],
      onError: (error) => errors.push(error),
    }).thread('t')
    const { waiting } = await thread.send('Buy').done
    expect(waiting?.map(({ call: { id } }) => id)).toEqual(['b', 'c'])
    expect(errors).toMatchObject([{ message: 'no price' }])
  })
})

describe('while a turn waits', () => {
  test('a message is rejected, or waits, or ends the turn', async () => {
    const { thread, ran } = await waitingThread([order], { answers: ['Bought.', 'And hello.', 'Other.'] })
    expect((await thread.send('Hello').done).status).toBe('busy')
    const queued = thread.send('Hello', { ifBusy: 'queue', id: 'hello' })
    await queued.recorded
    const [open] = await thread.waiting()
    expect((await thread.decide(open!.id, { do: 'run' }).done).text).toBe('Bought.')
    expect((await queued.done).text).toBe('And hello.')
    expect(ran).toHaveLength(1)
  })

  test('an interrupting message ends it, and says that nothing ran', async () => {
    const { thread, ran } = await waitingThread([order], { answers: ['Hi.'] })
    const [open] = await thread.waiting()
    expect((await thread.send('Hello', { ifBusy: 'interrupt' }).done).text).toBe('Hi.')
    expect((await thread.messages())[2]?.content).toBe('(interrupted: this call was not run)')
    expect((await thread.decide(open!.id, { do: 'run' }).done).reason?.code).toBe('not_waiting')
    expect(ran).toEqual([])
  })

  test('cancel ends it', async () => {
    const { thread } = await waitingThread([order])
    expect(await thread.cancel()).toBe(true)
    expect(await thread.cancel()).toBe(false)
    expect(shape(await thread.entries()).slice(-3)).toEqual(['tool cancelled', 'journal', 'stop cancelled'])
    expect(await thread.waiting()).toEqual([])
  })

  test('an edit, and another answer to an older question, must wait or interrupt', async () => {
    const { thread } = await waitingThread([order], { answers: ['Fine.', 'Other.'] })
    const [asked] = await thread.visible()
    expect((await thread.edit(asked!.id, 'Buy a candle').done).status).toBe('busy')
    expect((await thread.retry().done).status).toBe('waiting')
    expect((await thread.edit(asked!.id, 'Buy a candle', { ifBusy: 'interrupt' }).done).text).toBe('Fine.')
  })

  test('a fork waits, too, and is decided for itself', async () => {
    const { thread, ran } = await waitingThread([order], { answers: ['One.', 'Two.'] })
    const fork = await thread.fork({ as: 'fork' })
    const [open] = await fork.waiting()
    expect((await fork.decide(open!.id, { do: 'run' }).done).status).toBe('complete')
    expect(await thread.waiting()).toHaveLength(1)
    expect((await thread.decide(open!.id, { do: 'refuse' }).done).status).toBe('complete')
    expect(ran).toHaveLength(1)
  })

  test('the book lists what waits, until it is decided, cancelled or erased', async () => {
    const { thread, open } = await waitingThread([order, pick], { answers: ['One.'] })
    const [ordering, picking] = await thread.waiting()
    expect(new Map((await open.waiting()).calls.map(({ id, call: { name } }) => [id, name]))).toEqual(
      new Map([
        [ordering!.id, 'order'],
        [picking!.id, 'pick'],
      ]),
    )
    await thread.decide(picking!.id, { do: 'answer', output: 'red' }).done
    expect((await open.waiting()).calls.map(({ id }) => id)).toEqual([ordering!.id])
    const fork = await thread.fork({ as: 'fork' })
    await fork.cancel()
    expect((await open.waiting()).calls.map(({ thread: id }) => id)).toEqual(['t'])
    const [, answer] = await thread.visible()
    await thread.erase([answer!.id])
    expect(await open.waiting()).toEqual({ calls: [] })
    expect(await thread.waiting()).toEqual([])
  })

  test('the list has pages, each call once', async () => {
    const { thread, open } = await waitingThread([order, pick])
    for (const as of ['fork 1', 'fork 2']) await thread.fork({ as })
    const first = await open.waiting({ limit: 4 })
    const rest = await open.waiting({ limit: 4, after: first.next })
    expect([first.calls.length, rest.calls.length, 'next' in rest]).toEqual([4, 2, false])
    const seen = [...first.calls, ...rest.calls]
    expect(seen.map(({ thread: id }) => id)).toEqual(['fork 2', 'fork 2', 'fork 1', 'fork 1', 't', 't'])
    expect(new Set(seen.map(({ thread: of, id }) => `${of} ${id}`)).size).toBe(6)
    expect(await open.waiting({ limit: 6 })).toEqual({ calls: seen })
  })

  test('the list has the arguments of a call, unless they are long', async () => {
    const long = call('c2', 'order', { item: 'x'.repeat(5000) })
    const { thread, open } = await waitingThread([order, long])
    const calls = (await open.waiting()).calls.map(({ call: { input } }) => input)
    expect(calls).toContainEqual({ item: 'lamp' })
    expect(calls).toContainEqual(undefined)
    expect((await thread.waiting())[1]?.call.input).toEqual({ item: 'x'.repeat(5000) })
  })

  test('if what says so is erased, its calls still wait', async () => {
    const { thread, ran } = await waitingThread([order, look])
    const wait = (await thread.entries()).find(({ kind }) => kind === 'wait')
    await thread.erase([wait!.id])
    const [open] = await thread.waiting()
    expect(open?.call.name).toBe('order')
    expect((await thread.resume().done).status).toBe('waiting')
    expect(ran).toEqual(['look {}'])
    expect((await thread.decide(open!.id, { do: 'run' }).done).status).toBe('complete')
    expect(ran).toHaveLength(2)
  })

  test('is decided although the list has lost it', async () => {
    const store = memoryStore()
    const { thread, ran } = await waitingThread([order], { store })
    const [open] = await thread.waiting()
    await store.records.remove('t', 'waiting')
    expect((await thread.decide(open!.id, { do: 'run' }).done).status).toBe('complete')
    expect(ran).toHaveLength(1)
  })

  test('resume and work leave it alone', async () => {
    const store = memoryStore()
    const { open, thread } = await waitingThread([order], { store })
    for await (const { thread: id } of open.resume()) expect.unreachable(id)
    expect(await thread.waiting()).toHaveLength(1)
  })

  test('the same call after a retry needs an approval of its own', async () => {
    const { tools, ran } = shop()
    const model = script(assistant(null, order), 'One.', assistant(null, order), 'Two.')
    const thread = book({ model, tools }).thread('t')
    const first = await thread.send('Buy').done
    await thread.decide(first.waiting![0]!.id, { do: 'run' }).done
    const again = await thread.retry().done
    expect(again.status).toBe('waiting')
    expect(again.waiting?.[0]?.id).not.toBe(first.waiting?.[0]?.id)
    expect(ran).toHaveLength(1)
    await thread.decide(again.waiting![0]!.id, { do: 'run' }).done
    expect(ran).toHaveLength(2)
  })
})

describe('on another instance', () => {
  test('a decision goes on wherever there is a runner, and is made once', async () => {
    const { tools, ran } = shop()
    const all = company()
    const model = script(assistant(null, order), 'Done.')
    const [one, two] = [all.join({ model, tools }), all.join({ model, tools })]
    const asked = await one.book.thread('t').send('Buy').done
    expect(asked.status).toBe('waiting')
    one.die()
    const [open] = asked.waiting!
    const results = await Promise.all([
      two.book.thread('t').decide(open!.id, { do: 'run' }).done,
      two.book.thread('t').decide(open!.id, { do: 'run' }).done,
      two.book.thread('t').decide(open!.id, { do: 'refuse' }).done,
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['complete', 'complete', 'failed'])
    expect(ran).toHaveLength(1)
    await two.stop()
  })
})

test('other arguments that do not fit the tool are not recorded, and the call still waits', async () => {
  const ran: unknown[] = []
  const input = z.object({ item: z.string() })
  const tool = defineTool({ name: 'order', input, approve: true, run: (given) => void ran.push(given) })
  const open = book({ model: script(assistant(null, order), 'Ordered.'), tools: [tool] })
  const { waiting } = await open.thread('t').send('Buy').done
  const wrong = await open.thread('t').decide(waiting![0]!.id, { do: 'run', input: { item: 5 } }).done
  expect(wrong.reason).toMatchObject({ code: 'invalid_decision', message: expect.stringContaining('order') as string })
  expect(await open.thread('t').waiting()).toHaveLength(1)
  const right = await open.thread('t').decide(waiting![0]!.id, { do: 'run', input: { item: 'moss' } }).done
  expect([right.text, ran]).toEqual(['Ordered.', [{ item: 'moss' }]])
})

describe('a decision that is overdue', () => {
  test('is a refusal, by the next who looks', async () => {
    const clock = tickClock()
    const ran: string[] = []
    const tool = defineTool({
      name: 'order',
      parameters: {},
      approve: true,
      decideWithin: 1000,
      run: () => ran.push('order'),
    })
    const open = book({ model: script(assistant(null, order), 'Too late.'), tools: [tool], clock })
    const { waiting } = await open.thread('t').send('Buy').done
    expect((await open.thread('t').resume().done).status).toBe('waiting')
    await clock.after(1000, new AbortController().signal)
    const late = await open.thread('t').decide(waiting![0]!.id, { do: 'run' }).done
    expect(late).toMatchObject({ status: 'failed', reason: { code: 'already_decided' } })
    expect(late.error).toMatchObject({ details: { decision: { do: 'refuse', reason: 'no decision within 1000 ms' } } })
    expect((await open.thread('t').resume().done).text).toBe('Too late.')
    expect(ran).toEqual([])
    expect((await open.thread('t').messages())[2]?.content).toBe('(refused: no decision within 1000 ms)')
    expect(await open.waiting()).toEqual({ calls: [] })
  })

  test('does not stand for another call, about which somebody decides just then', async () => {
    const clock = tickClock()
    const { tools, ran } = shop()
    const late = defineTool({ name: 'late', parameters: {}, approve: true, decideWithin: 1000, run: () => 'x' })
    const model = script(assistant(null, call('c0', 'late', {}), order), 'One of two.')
    const open = book({ model, tools: [...tools, late], clock })
    const { waiting } = await open.thread('t').send('Buy').done
    await clock.after(1000, new AbortController().signal)
    expect((await open.thread('t').decide(waiting![1]!.id, { do: 'run' }).done).text).toBe('One of two.')
    expect(ran).toEqual(['order {"item":"lamp"}'])
    expect(await open.waiting()).toEqual({ calls: [] })
  })

  test('also if that is a new process', async () => {
    const clock = tickClock()
    const tool = defineTool({ name: 'order', parameters: {}, approve: true, decideWithin: 1000, run: () => 'x' })
    const store = memoryStore()
    const options = { model: script(assistant(null, order), 'Too late.'), tools: [tool], clock }
    await book(options, store).thread('t').send('Buy').done
    await clock.after(1000, new AbortController().signal)
    const texts: string[] = []
    for await (const { turn } of book(options, store).resume()) texts.push((await turn.done).text)
    expect(texts).toEqual(['Too late.'])
  })

  test('and a worker that runs on refuses it by itself, also in a fork', async () => {
    const tool = defineTool({ name: 'order', parameters: {}, approve: true, decideWithin: 1000, run: () => 'x' })
    const { join } = company()
    const one = join({ model: script(assistant(null, order), 'Too late.', 'Too late.'), tools: [tool] })
    expect((await one.book.thread('t').send('Buy').done).status).toBe('waiting')
    await one.book.thread('t').fork({ as: 'fork' })
    for (const thread of ['t', 'fork'])
      await expect.poll(async () => (await one.book.thread(thread).messages()).at(-1)?.content).toBe('Too late.')
    await one.stop()
  })

  test('and the next process refuses it at its start', async () => {
    const tool = defineTool({ name: 'order', parameters: {}, approve: true, decideWithin: 1000, run: () => 'x' })
    const { store, clock, join } = company()
    const options = { model: script(assistant(null, order), 'Too late.', 'Too late.'), tools: [tool] }
    const one = join(options)
    expect((await one.book.thread('t').send('Buy').done).status).toBe('waiting')
    await one.book.thread('t').fork({ as: 'fork' })
    await one.stop()
    await clock.after(2000, new AbortController().signal)
    expect((await one.book.waiting()).calls).toHaveLength(2)
    const other = company({ store, clock }).join(options)
    for (const thread of ['t', 'fork'])
      await expect.poll(async () => (await other.book.thread(thread).messages()).at(-1)?.content).toBe('Too late.')
    expect(await other.book.waiting()).toEqual({ calls: [] })
    await other.stop()
  })
})
