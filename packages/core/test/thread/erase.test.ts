import { defineTool, memoryStore, type Store } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { book } from '../support/book.ts'
import { script } from '../support/scripted.ts'

const look = defineTool({ name: 'look', parameters: {}, run: () => 'code 4711' })

describe('what was erased', () => {
  test('is in no later prompt of a holder that has sent it before', async () => {
    const model = script('Fine.', 'Which one?')
    const thread = book({ model }).thread('t')
    await thread.send('My code is 4711').done
    await thread.erase([(await thread.entries()).find(({ kind }) => kind === 'user')!.id])
    await thread.send('What was it?').done
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('4711')
    expect(await thread.verify()).toMatchObject({ ok: true })
  })

  test('while a turn runs is not in its next prompt', async () => {
    const model = script('Fine.', assistant(null, call('c', 'forget')), 'Done.')
    const forget = defineTool({
      name: 'forget',
      parameters: {},
      run: async () => (await open.thread('t').erase([(await open.thread('t').entries())[0]!.id])).erased.length,
    })
    const open = book({ model, tools: [forget] })
    await open.thread('t').send('My code is 4711').done
    expect(await open.thread('t').send('Forget it').done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect(JSON.stringify(model.requests[2]?.messages)).not.toContain('4711')
  })

  test('may be the result of a turn that was stopped: the thread can still be used', async () => {
    const thread = book({
      model: script(assistant(null, call('c', 'look')), new Error('down'), 'Fine.'),
      tools: [look],
    }).thread('t')
    expect(await thread.send('Go').done).toMatchObject({ status: 'failed' })
    await thread.erase([(await thread.entries()).find(({ kind }) => kind === 'tool')!.id])
    expect(await thread.send('And now?').done).toMatchObject({ status: 'complete', text: 'Fine.' })
  })

  test('and is said again by the model is not swallowed: the turn says why it has no answer', async () => {
    const thread = book({ model: script('Same.', 'Same.', 'Other.') }).thread('t')
    await thread.send('Go').done
    await thread.erase([(await thread.entries()).find(({ kind }) => kind === 'assistant')!.id])
    expect(await thread.retry().done).toMatchObject({ status: 'failed', reason: { code: 'erased_before' } })
    expect(await thread.retry().done).toMatchObject({ status: 'complete', text: 'Other.' })
  })

  test('and is said again by the user is refused before anything is recorded', async () => {
    const store = memoryStore()
    const thread = book({ model: script('A', 'B'), system: 'Rules.' }, store).thread('t')
    await thread.send('one').done
    await thread.erase()
    const { length } = await store.read('t')
    expect(await thread.send('two', { after: null }).done).toMatchObject({
      status: 'failed',
      reason: { code: 'erased_before' },
    })
    expect(await store.read('t')).toHaveLength(length)
    expect(await thread.send('two').done).toMatchObject({ status: 'complete', text: 'B' })
  })

  test('is forgotten also where the store could not say whether it erased', async () => {
    const store = memoryStore()
    const model = script('Fine.', 'Yes?')
    const unsure: Store = {
      ...store,
      erase: async (...given) => {
        await store.erase(...given)
        throw new Error('no answer')
      },
    }
    const thread = book({ model }, unsure).thread('t')
    await thread.send('My code is 4711').done
    await expect(thread.erase()).rejects.toThrow('no answer')
    await thread.send('Hello').done
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('4711')
  })

  test('is forgotten once: after that only what is new is read', async () => {
    const store = memoryStore()
    const froms: (number | undefined)[] = []
    const counting: Store = {
      ...store,
      read: (thread, range) => {
        froms.push(range?.from)
        return store.read(thread, range)
      },
    }
    const thread = book({ model: script('Fine.') }, counting).thread('t')
    await thread.send('one').done
    await thread.erase()
    froms.length = 0
    await thread.entries()
    await thread.entries()
    expect(froms).toEqual([0])
    const { length } = await store.read('t')
    await book({ model: script('Fine.') }, store)
      .thread('t')
      .send('two').done
    await thread.entries()
    expect(froms).toEqual([0, length])
  })

  test('is forgotten also where the log could not be read at once', async () => {
    const store = memoryStore()
    const model = script('Fine.', 'Yes?')
    let down = false
    const flaky: Store = {
      ...store,
      read: (...given) => (down ? Promise.reject(new Error('down')) : store.read(...given)),
    }
    const thread = book({ model }, flaky).thread('t')
    await thread.send('My code is 4711').done
    await thread.erase()
    down = true
    expect(await thread.send('Hello').done).toMatchObject({ status: 'failed', error: new Error('down') })
    down = false
    await thread.send('Hello').done
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('4711')
  })
})

test('a log that is read anew is whole to whoever writes meanwhile', async () => {
  const store = memoryStore()
  let open = (): void => undefined
  const slow: Store = {
    ...store,
    read: async (thread, range) => {
      const read = await store.read(thread, range)
      if (range?.from === 0)
        await new Promise<void>((resolve) => {
          open = resolve
          setTimeout(resolve, 5)
        })
      return read
    },
  }
  let release = (): void => undefined
  const wait = defineTool({
    name: 'wait',
    parameters: {},
    run: () => new Promise<string>((resolve) => (release = () => resolve('ok'))),
  })
  const thread = book(
    { model: script('Hi.', assistant(null, call('c', 'wait')), 'Done.'), tools: [wait] },
    slow,
  ).thread('t')
  await thread.send('one').done
  const turn = thread.send('two')
  for await (const event of turn) if (event.type === 'call') break
  await thread.erase([(await store.read('t'))[0]!.id])
  const reading = thread.entries()
  release()
  open()
  await reading
  expect(await turn.done).toMatchObject({ status: 'complete', text: 'Done.' })
})

test('one system text that is erased leaves the others', async () => {
  const store = memoryStore()
  const model = script('Yes.')
  for (const system of ['Be brief.', 'Be kind.']) await book({ model, system }, store).thread('t').send('Go').done
  const thread = book({ model }, store).thread('t')
  const [first] = (await thread.entries()).filter(({ kind }) => kind === 'system')
  await thread.erase([first!.id])
  expect((await thread.entries()).filter(({ kind }) => kind === 'system').map(({ text }) => text)).toEqual([
    '',
    'Be kind.',
  ])
})
