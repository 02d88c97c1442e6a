import { defineTool, memoryStore, type Model, type Store, type Thread, type Tool } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { book } from '../support/book.ts'
import { company } from '../support/instances.ts'
import { script } from '../support/scripted.ts'

/** What `pay` is called with. `ask`: the call needs approval. */
interface Payment {
  readonly to: string
  readonly ask?: boolean
}

/** A tool that notes to whom it paid. It never ends for those whom it `hangs` at. */
function paying({ name = 'pay', hangs = [], mayRepeat = false }: Partial<Paying> = {}): {
  readonly tools: readonly Tool[]
  readonly paid: string[]
} {
  const paid: string[] = []
  const tool = defineTool({
    name,
    parameters: {},
    mayRepeat,
    approve: (input) => (input as Payment).ask === true,
    run: (input) => {
      const { to } = input as Payment
      paid.push(to)
      return hangs.includes(to) ? new Promise(() => undefined) : `paid ${to}`
    },
  })
  return { tools: [tool], paid }
}

interface Paying {
  readonly name: string
  readonly hangs: readonly string[]
  readonly mayRepeat: boolean
}

/** A call without an id, as models of Ollama make them. */
function unnumbered(payment: Payment, name = 'pay'): ReturnType<typeof call> {
  const { id: _, ...made } = call('', name, payment)
  return made as ReturnType<typeof call>
}

const asked = unnumbered({ to: 'ann', ask: true })
const behind = unnumbered({ to: 'ben' })

/** One process over a store. */
function process(store: Store, model: Model, tools: readonly Tool[]): Thread {
  return book({ model, tools }, store).thread('t')
}

async function resultsOf(thread: Thread): Promise<readonly string[]> {
  return (await thread.visible()).filter(({ kind }) => kind === 'tool').map(({ text }) => text)
}

const unknown = '(interrupted: this call may or may not have taken effect, and was not run again)'
const unrun = '(interrupted: this call was not run)'
const refused = '(refused: this call was not allowed)'

describe('a call without an id, behind one of its tool that waits', () => {
  test.each([
    ['run', ['ann', 'ben'], ['paid ann', 'paid ben']],
    ['refuse', ['ben'], [refused, 'paid ben']],
  ] as const)('runs after the decision about that one: %s', async (decided, payments, results) => {
    const { tools, paid } = paying()
    const thread = process(memoryStore(), script(assistant(null, asked, behind), 'Done.'), tools)
    const { waiting } = await thread.send('Pay').done
    expect([waiting?.length, paid]).toEqual([1, []])
    expect((await thread.decide(waiting![0]!.id, { do: decided }).done).text).toBe('Done.')
    expect(paid).toEqual(payments)
    expect(await resultsOf(thread)).toEqual(results)
    expect(await thread.verify()).toMatchObject({ ok: true })
  })

  test('runs on any instance, and whoever follows the turn hears of it once', async () => {
    const { tools, paid } = paying()
    const { join } = company()
    const worker = join({ model: script(assistant(null, asked, behind), 'Done.'), tools })
    const thread = join({}, { works: false }).book.thread('t')
    const heard: string[] = []
    const turn = thread.send('Pay')
    for await (const event of turn) if (event.type === 'call') heard.push(event.call.name)
    expect(heard).toEqual([])
    const [open] = (await turn.done).waiting!
    worker.die()
    const decided = thread.decide(open!.id, { do: 'run' })
    await decided.recorded
    const second = join({ model: script('Done.'), tools })
    for await (const event of decided)
      if (event.type === 'call') heard.push(JSON.stringify((event.call.input as Payment).to))
    expect([await decided.done, heard, paid]).toMatchObject([{ text: 'Done.' }, ['"ann"', '"ben"'], ['ann', 'ben']])
    await second.stop()
  })

  test('is held until nothing before it waits, whatever is decided first', async () => {
    const third = unnumbered({ to: 'cid', ask: true })
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      const { tools, paid } = paying()
      const thread = process(memoryStore(), script(assistant(null, asked, behind, third), 'Done.'), tools)
      const { waiting } = await thread.send('Pay').done
      expect((await thread.decide(waiting![order[0]]!.id, { do: 'run' }).done).status).toBe('waiting')
      expect(paid).toEqual(order[0] === 0 ? ['ann', 'ben'] : [])
      expect((await thread.decide(waiting![order[1]]!.id, { do: 'run' }).done).text).toBe('Done.')
      expect(paid).toEqual(['ann', 'ben', 'cid'])
      expect(await resultsOf(thread)).toEqual(['paid ann', 'paid ben', 'paid cid'])
    }
  })

  test('runs after the last decision, if two before it wait', async () => {
    const { tools, paid } = paying()
    const second = unnumbered({ to: 'cid', ask: true })
    const thread = process(memoryStore(), script(assistant(null, asked, second, behind), 'Done.'), tools)
    const { waiting } = await thread.send('Pay').done
    await thread.decide(waiting![0]!.id, { do: 'run' }).done
    expect(paid).toEqual(['ann'])
    await thread.decide(waiting![1]!.id, { do: 'refuse' }).done
    expect(await resultsOf(thread)).toEqual(['paid ann', refused, 'paid ben'])
  })

  test('runs in a fork, too, after the decision there', async () => {
    const { tools, paid } = paying()
    const thread = process(memoryStore(), script(assistant(null, asked, behind), 'Done.'), tools)
    const { waiting } = await thread.send('Pay').done
    const fork = await thread.fork({ as: 'fork' })
    await fork.decide(waiting![0]!.id, { do: 'refuse' }).done
    expect(paid).toEqual(['ben'])
    await thread.decide(waiting![0]!.id, { do: 'run' }).done
    expect(paid).toEqual(['ben', 'ann', 'ben'])
  })

  test('is not run if the turn ends before, and the model is told so', async () => {
    const { tools, paid } = paying()
    const thread = process(memoryStore(), script(assistant(null, asked, behind)), tools)
    await thread.send('Pay').done
    await thread.cancel()
    expect([await resultsOf(thread), paid]).toEqual([[unrun, unrun], []])
  })

  test.each([
    [false, [], ['paid ann', unknown]],
    [true, ['ben'], ['paid ann', 'paid ben']],
  ] as const)('that may have run before a crash runs again if it may repeat: %s', async (mayRepeat, again, results) => {
    const store = memoryStore()
    const first = paying({ hangs: ['ben'], mayRepeat })
    const thread = process(store, script(assistant(null, asked, behind)), first.tools)
    const { waiting } = await thread.send('Pay').done
    void thread.decide(waiting![0]!.id, { do: 'run' })
    await expect.poll(async () => resultsOf(thread)).toEqual(['paid ann'])
    expect(first.paid).toEqual(['ann', 'ben'])
    const second = paying({ mayRepeat })
    const later = process(store, script('Done.'), second.tools)
    expect((await later.resume().done).text).toBe('Done.')
    expect(second.paid).toEqual(again)
    expect(await resultsOf(later)).toEqual(results)
  })
})

test('a call with the id of one that waits runs after the decision', async () => {
  const [pays, looks] = [paying(), paying({ name: 'look' })]
  const calls = [call('c', 'pay', { to: 'ann', ask: true }), call('c', 'look', { to: 'ben' })]
  const thread = process(memoryStore(), script(assistant(null, ...calls), 'Done.'), [...pays.tools, ...looks.tools])
  const { waiting } = await thread.send('Pay').done
  expect(looks.paid).toEqual([])
  await thread.decide(waiting![0]!.id, { do: 'run' }).done
  expect([pays.paid, looks.paid]).toEqual([['ann'], ['ben']])
})

describe('a call that waits for no other', () => {
  test('runs at once, once', async () => {
    const [pays, looks] = [paying(), paying({ name: 'look' })]
    const calls = [asked, unnumbered({ to: 'ben' }, 'look')]
    const thread = process(memoryStore(), script(assistant(null, ...calls), 'Done.'), [...pays.tools, ...looks.tools])
    const { waiting } = await thread.send('Pay').done
    expect([pays.paid, looks.paid]).toEqual([[], ['ben']])
    await thread.decide(waiting![0]!.id, { do: 'run' }).done
    expect([pays.paid, looks.paid]).toEqual([['ann'], ['ben']])
  })

  test('and may have run before a crash is not run again, also after a decision about another', async () => {
    const store = memoryStore()
    const [pays, looks, again] = [paying(), paying({ name: 'look', hangs: ['ben'] }), paying({ name: 'look' })]
    const calls = [asked, unnumbered({ to: 'ben' }, 'look')]
    void process(store, script(assistant(null, ...calls)), [...pays.tools, ...looks.tools]).send('Pay')
    await expect.poll(() => looks.paid).toEqual(['ben'])
    const thread = process(store, script('Done.'), [...pays.tools, ...again.tools])
    const [open] = await thread.waiting()
    expect((await thread.decide(open!.id, { do: 'run' }).done).text).toBe('Done.')
    expect([pays.paid, again.paid]).toEqual([['ann'], []])
    expect((await resultsOf(thread)).toSorted()).toEqual([unknown, 'paid ann'])
  })

  test('any more, because the ids are clear without an earlier call, is not run again after a crash', async () => {
    const store = memoryStore()
    const [pays, looks, again] = [paying({ hangs: ['ben'] }), paying({ name: 'look' }), paying()]
    const numbered = [call('c1', 'pay', { to: 'ann', ask: true }), call('c2', 'pay', { to: 'ben' })]
    const model = script(assistant(null, unnumbered({ to: 'cid' }, 'look'), ...numbered))
    void process(store, model, [...pays.tools, ...looks.tools]).send('Pay')
    await expect.poll(() => pays.paid).toEqual(['ben'])
    const thread = process(store, script('Done.'), [...again.tools, ...looks.tools])
    const [open] = await thread.waiting()
    expect((await thread.decide(open!.id, { do: 'run' }).done).text).toBe('Done.')
    expect([again.paid, looks.paid]).toEqual([['ann'], ['cid']])
    expect((await resultsOf(thread)).toSorted()).toEqual([unknown, 'paid ann', 'paid cid'])
  })
})

test('a call that was approved after a retry, and may have run before a crash, is not run again', async () => {
  const store = memoryStore()
  const [first, second, third] = [paying(), paying({ hangs: ['ann'] }), paying()]
  const answer = assistant(null, call('c', 'pay', { to: 'ann', ask: true }))
  const thread = process(store, script(answer, 'Done.', answer), first.tools)
  const { waiting } = await thread.send('Pay').done
  await thread.decide(waiting![0]!.id, { do: 'run' }).done
  const again = await thread.retry().done
  void process(store, script(answer), second.tools).decide(again.waiting![0]!.id, { do: 'run' })
  await expect.poll(() => second.paid).toEqual(['ann'])
  const later = process(store, script('Done again.'), third.tools)
  expect((await later.resume().done).text).toBe('Done again.')
  expect([third.paid, await resultsOf(later)]).toEqual([[], [unknown]])
})

test('calls that were approved one by one run once each, also with the same results after a retry', async () => {
  const { tools, paid } = paying()
  const answer = assistant(null, ...['ann', 'ben'].map((to, index) => call(`c${index}`, 'pay', { to, ask: true })))
  const thread = process(memoryStore(), script(answer, 'Done.', answer, 'Done again.'), tools)
  for (const ask of [() => thread.send('Pay'), () => thread.retry()])
    for (const { id } of (await ask().done).waiting!) await thread.decide(id, { do: 'run' }).done
  expect(paid).toEqual(['ann', 'ben', 'ann', 'ben'])
})

test('a decision that was erased can be made again', async () => {
  const { tools, paid } = paying()
  const second = unnumbered({ to: 'cid', ask: true })
  const thread = process(memoryStore(), script(assistant(null, asked, second), 'Done.'), tools)
  const [one, two] = (await thread.send('Pay').done).waiting!
  await thread.decide(two!.id, { do: 'run' }).done
  const made = (await thread.entries()).find(({ kind }) => kind === 'decision')
  await thread.erase([made!.id])
  expect(await thread.waiting()).toHaveLength(2)
  await thread.decide(two!.id, { do: 'run' }).done
  expect((await thread.decide(one!.id, { do: 'run' }).done).text).toBe('Done.')
  expect(paid).toEqual(['ann', 'cid'])
})
