import { defineTool, memoryStore, type Model, type Store, type Thread, type ThreadOptions } from 'minutebook'
import { traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { book, shape } from '../support/book.ts'
import { script } from '../support/scripted.ts'

const chain = async (thread: Thread): Promise<string[]> =>
  (await thread.entries()).filter(({ kind }) => traits[kind].chained).map(({ text }) => text)

describe('an answer that was given before', () => {
  test('is the answer again, and where the thread stands, to every holder', async () => {
    const open = book({ model: script('Yes.', 'No.', 'Yes.', 'No.', 'Yes.', 'Fine.') })
    const thread = open.thread('t')
    await thread.send('Is it?').done
    const told = [
      await thread.retry().done,
      await thread.retry().done,
      await thread.retry().done,
      await thread.retry().done,
    ]
    expect(told.map(({ status, text }) => [status, text])).toEqual([
      ['complete', 'No.'],
      ['complete', 'Yes.'],
      ['complete', 'No.'],
      ['complete', 'Yes.'],
    ])
    expect(await chain(thread)).toEqual(['Is it?', 'Yes.'])
    expect(await chain(open.thread('t'))).toEqual(['Is it?', 'Yes.'])
    await open.thread('t').send('Good.').done
    expect(await chain(thread)).toEqual(['Is it?', 'Yes.', 'Good.', 'Fine.'])
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 6, underivable: 0 })
  })

  test('and was cut off then, is whole now', async () => {
    let calls = 0
    const model: Model = async function* () {
      yield { type: 'text', text: 'All of it.' }
      if (++calls === 1) await new Promise(() => undefined)
      yield { type: 'end', message: assistant('All of it.'), finish: 'stop' }
    }
    const thread = book({ model }).thread('t')
    const turn = thread.send('Go')
    for await (const event of turn) if (event.type === 'text') turn.cancel()
    expect(await turn.done).toMatchObject({ status: 'cancelled', text: 'All of it.' })
    expect(await thread.retry().done).toEqual({
      status: 'complete',
      text: 'All of it.',
      turn: expect.any(String) as string,
      answer: expect.any(String) as string,
    })
  })

  test('and was a call: its tool runs again, and the turn goes on from there', async () => {
    let runs = 0
    const dice = defineTool({ name: 'dice', parameters: {}, run: () => ++runs })
    const same = assistant(null, call('c', 'dice'))
    const thread = book({ model: script(same, 'One.', same, 'Two.'), tools: [dice] }).thread('t')
    await thread.send('Roll').done
    expect(await thread.retry().done).toMatchObject({ status: 'complete', text: 'Two.' })
    expect(runs).toBe(2)
    expect(await chain(thread)).toEqual(['Roll', '', '2', 'Two.'])
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 4 })
  })

  test('and was a call with the same result: no step is done twice over', async () => {
    let runs = 0
    const look = defineTool({ name: 'look', parameters: {}, run: () => `seen${++runs && ''}` })
    const same = assistant(null, call('c', 'look'))
    const thread = book({ model: script(same, 'One.', same, 'Two.'), tools: [look] }).thread('t')
    await thread.send('Look').done
    expect(await thread.retry().done).toMatchObject({ text: 'Two.' })
    expect(runs).toBe(2)
    expect(await chain(thread)).toEqual(['Look', '', 'seen', 'Two.'])
  })
})

describe('a retry', () => {
  test('that fails leaves all holders in the same place', async () => {
    const open = book({ model: script('A', new Error('down'), 'B') })
    const thread = open.thread('t')
    await thread.send('one').done
    expect(await thread.retry().done).toMatchObject({ status: 'failed' })
    expect(await thread.entries()).toEqual(await open.thread('t').entries())
    expect(shape(await thread.entries())).toEqual(['user', 'retry', 'receipt', 'stop failed'])
    expect(await thread.branches()).toHaveLength(1)
    expect(await open.thread('t').retry().done).toMatchObject({ status: 'complete', text: 'B' })
  })

  test('after a revocation has a prompt that can be derived again', async () => {
    const thread = book({ model: script('One. [NOTE TO SELF: hostile]', 'Two.', 'Three.'), notes: 'block' }).thread('t')
    await thread.send('a').done
    await thread.send('b').done
    await thread.revoke((await thread.entries()).find(({ kind }) => kind === 'note')!.id)
    await thread.retry().done
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 3, problems: [] })
    expect(JSON.stringify((await thread.dump({ turn: 2 })).messages)).not.toContain('hostile')
  })

  test('goes on after a note that the model leaves first', async () => {
    const thread = book({
      model: script(new Error('down'), assistant(null, call('n', 'note_to_self', { text: 'hm' })), 'Done.'),
      notes: 'tool',
    }).thread('t')
    expect(await thread.send('Go').done).toMatchObject({ status: 'failed' })
    expect(await thread.retry().done).toMatchObject({ status: 'complete', text: 'Done.' })
  })

  test('of a turn that a crash cut short goes on with it, and answers its calls', async () => {
    const store = memoryStore()
    const once = (run: () => unknown): ThreadOptions => ({ tools: [defineTool({ name: 'once', parameters: {}, run })] })
    const crashed = book(
      { model: script(assistant(null, call('c', 'once'))), ...once(() => new Promise(() => undefined)) },
      store,
    )
      .thread('t')
      .send('Go')
    for await (const event of crashed) if (event.type === 'call') break
    const thread = book({ model: script('Done.'), ...once(() => 'twice') }, store).thread('t')
    expect(await thread.retry().done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect(shape(await thread.entries())).toEqual([
      'user',
      'assistant',
      'receipt',
      'tool cancelled',
      'assistant',
      'journal',
      'receipt',
    ])
    crashed.cancel()
    await crashed.done
  })

  test('of such a turn runs what may run again', async () => {
    const store = memoryStore()
    const tool = (run: () => unknown): ThreadOptions => ({
      tools: [defineTool({ name: 'again', parameters: {}, mayRepeat: true, run })],
    })
    const crashed = book(
      { model: script(assistant(null, call('c', 'again'))), ...tool(() => new Promise(() => undefined)) },
      store,
    )
      .thread('t')
      .send('Go')
    for await (const event of crashed) if (event.type === 'call') break
    const thread = book({ model: script('Done.'), ...tool(() => 'this time') }, store).thread('t')
    await thread.retry().done
    expect(await chain(thread)).toEqual(['Go', '', 'this time', 'Done.'])
    crashed.cancel()
    await crashed.done
  })

  test('closes calls that came from elsewhere', async () => {
    const thread = book({ model: script('Fine.') }).thread('t')
    await thread.importMessages([{ role: 'user', content: 'Hi' }, assistant(null, call('c', 'x'))])
    await thread.retry().done
    expect((await thread.entries()).filter(({ kind }) => traits[kind].chained).map(({ kind }) => kind)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
  })

  test('that could not be recorded leaves its holder where the log is', async () => {
    const store = memoryStore()
    let down = false
    const flaky: Store = {
      ...store,
      append: (...given) => (down ? Promise.reject(new Error('down')) : store.append(...given)),
    }
    const thread = book({ model: script('A', 'B', 'C') }, flaky).thread('t')
    await thread.send('one').done
    down = true
    expect(await thread.retry().done).toMatchObject({ status: 'failed', reason: { code: 'broken' } })
    down = false
    expect(await chain(thread)).toEqual(['one', 'A'])
  })

  test('by the same words in the same place is one, also after a failure', async () => {
    const thread = book({ model: script(new Error('down'), 'B') }).thread('t')
    await thread.send('one').done
    expect(await thread.send('one', { after: null }).done).toMatchObject({ status: 'complete', text: 'B' })
    expect((await thread.entries()).filter(({ kind }) => kind === 'user')).toHaveLength(1)
  })

  test('tells in its journal only what no journal has told yet', async () => {
    const look = defineTool({ name: 'look', parameters: {}, run: () => 'seen' })
    const thread = book({
      model: script(assistant(null, call('c', 'look')), new Error('down'), 'Done.'),
      tools: [look],
    }).thread('t')
    await thread.send('Go').done
    await thread.retry().done
    expect((await thread.entries()).filter(({ kind }) => kind === 'journal')).toHaveLength(1)
  })

  test.each<[string, (thread: Thread) => Promise<unknown>]>([
    ['nothing was said', async () => undefined],
    ['nobody asked', (thread) => thread.importMessages([{ role: 'system', content: 'Rules.' }], { trusted: true })],
    [
      'the question was erased',
      async (thread) => {
        await thread.send('Go').done
        await thread.erase()
      },
    ],
  ])('calls nobody where %s', async (_, prepare) => {
    const model = script('x')
    const thread = book({ model }).thread('t')
    await prepare(thread)
    const { length } = model.requests
    await thread.retry().done
    expect(model.requests).toHaveLength(length)
  })

  test('that is cancelled before it began leaves no trace', async () => {
    const thread = book({ model: script('A') }).thread('t')
    await thread.send('one').done
    const before = await thread.entries()
    expect(await thread.retry({ signal: AbortSignal.abort() }).done).toMatchObject({ status: 'cancelled' })
    expect(await thread.entries()).toEqual(before)
  })
})
