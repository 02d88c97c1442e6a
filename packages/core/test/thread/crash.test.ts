import { defineTool, memoryStore, type Book, type Model, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { book, shape } from '../support/book.ts'
import { faultyStore } from '../support/faulty-store.ts'
import { script } from '../support/scripted.ts'

/** A process that dies while a tool runs, with what has been sent meanwhile waiting. */
async function died(store: Store, ...queued: readonly string[]): Promise<void> {
  const stuck = defineTool({ name: 'tool', parameters: {}, run: () => new Promise(() => undefined) })
  const thread = book(
    { model: script(assistant(null, call('c', 'tool'))), tools: [stuck], system: 'Rules.' },
    store,
  ).thread('t')
  const turn = thread.send('Go')
  for await (const event of turn) if (event.type === 'call') break
  for (const text of queued) thread.send(text, { ifBusy: 'queue', speaker: 'Ada' })
  await expect
    .poll(async () => (await store.read('t')).filter(({ kind }) => kind === 'pending').length)
    .toBe(queued.length)
}

async function resumed(open: Book): Promise<string[]> {
  const found: string[] = []
  for await (const { thread, turn } of open.resume()) found.push(`${thread}: ${(await turn.done).text}`)
  return found
}

describe('after a crash', () => {
  test('messages that waited are answered in their order, with their speaker', async () => {
    const store = memoryStore()
    await died(store, 'second', 'third')
    const open = book({ model: script('One.', 'Two.', 'Three.'), system: 'Rules.' }, store)
    expect(await resumed(open)).toEqual(['t: Three.'])
    expect(
      (await open.thread('t').visible())
        .filter(({ kind }) => kind !== 'tool')
        .map(({ text, speaker }) => [text, speaker]),
    ).toEqual([
      ['Go', undefined],
      ['', undefined],
      ['One.', undefined],
      ['second', 'Ada'],
      ['Two.', undefined],
      ['third', 'Ada'],
      ['Three.', undefined],
    ])
    expect(await resumed(open)).toEqual([])
  })

  test('a message that waited on another branch is found', async () => {
    const store = memoryStore()
    await died(store, 'second')
    const open = book({ model: script('Elsewhere.', 'Two.') }, store)
    await open.thread('t').send('Anew', { after: null }).done
    expect(await resumed(open)).toEqual(['t: Two.'])
  })

  test('a message that waited stands after the system text', async () => {
    const store = memoryStore()
    const first = faultyStore(store)
    const thread = book({ model: script('x'), system: 'Rules.' }, first).thread('t')
    first.dieAt(3, { written: false, silent: true })
    thread.send('first')
    thread.send('second', { ifBusy: 'queue' })
    await expect.poll(async () => (await store.read('t')).map(({ kind }) => kind)).toEqual(['pending'])
    const model = script('Two.')
    await resumed(book({ model, system: 'Rules.' }, store))
    expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual(['Rules.', 'second'])
  })

  test('the next message ends the turn, and the model is told that nobody knows what its call did', async () => {
    const store = memoryStore()
    await died(store)
    const model = script('Fine.')
    const thread = book({ model, tools: [] }, store).thread('t')
    await thread.send('Next').done
    expect(shape(await thread.entries())).toEqual([
      'system',
      'user',
      'assistant',
      'receipt',
      'tool cancelled',
      'journal',
      'stop cancelled',
      'user',
      'assistant',
      'receipt',
    ])
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('may or may not have taken effect')
  })

  test('messages from elsewhere end the turn too', async () => {
    const store = memoryStore()
    await died(store)
    const thread = book({}, store).thread('t')
    await thread.importMessages([{ role: 'user', content: 'By mail.' }])
    expect(shape(await thread.entries())).toEqual([
      'system',
      'user',
      'assistant',
      'receipt',
      'tool cancelled',
      'journal',
      'stop cancelled',
      'user',
      'stop cancelled',
    ])
  })

  test('a tool that may not repeat is not run again, and the model is told', async () => {
    const store = memoryStore()
    await died(store)
    let ran = 0
    const model = script('Done.')
    await resumed(book({ model, tools: [defineTool({ name: 'tool', parameters: {}, run: () => ++ran })] }, store))
    expect(ran).toBe(0)
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('may or may not have taken effect')
  })

  test('nor is one said to be missing whose tool is gone by now: it may have run', async () => {
    const store = memoryStore()
    await died(store)
    const model = script('Done.')
    await resumed(book({ model }, store))
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('may or may not have taken effect')
  })

  test('a retry is given by the next process', async () => {
    const store = memoryStore()
    let calls = 0
    const model: Model = async function* () {
      if (++calls > 1) await new Promise(() => undefined)
      yield { type: 'end', message: assistant('First.'), finish: 'stop' }
    }
    const thread = book({ model }, store).thread('t')
    await thread.send('Go').done
    thread.retry()
    await expect.poll(() => calls).toBe(2)
    expect(await resumed(book({ model: script('Second.') }, store))).toEqual(['t: Second.'])
  })

  test('a book that works finishes what was left, and senders run their own turns', async () => {
    const store = memoryStore()
    await died(store, 'second')
    const open = book({ model: script('One.', 'Two.', 'Three.') }, store)
    const rested: (string | undefined)[] = []
    const stop = await open.work({ onIdle: (_, result) => void rested.push(result?.text) })
    await expect.poll(() => rested).toEqual(['One.', 'Two.'])
    expect(await open.thread('t').send('third').done).toMatchObject({ text: 'Three.' })
    await stop()
    expect(rested).toHaveLength(2)
  })

  test('messages that were only adopted are not answered', async () => {
    const store = memoryStore()
    const open = book({ model: script('Yes.') }, store)
    await open.thread('t').importMessages([{ role: 'user', content: 'By mail.' }])
    expect(await resumed(open)).toEqual([])
    expect(await open.thread('t').retry().done).toMatchObject({ text: 'Yes.' })
  })

  test('an id is of the turn that it began, also where others came after it', async () => {
    const store = memoryStore()
    const asked = entryOf({ role: 'user', content: 'Go' }, undefined, { key: 'k' })
    await store.append('t', [asked, entryOf({ role: 'user', content: 'Next' }, asked)])
    const model = script('x')
    expect(await book({ model }, store).thread('t').send('Go', { id: 'k' }).done).toMatchObject({
      status: 'complete',
      text: '',
      turn: asked.id,
    })
    expect(model.requests).toEqual([])
  })

  test('a turn is found that began with a call that was made before', async () => {
    const store = memoryStore()
    const same = assistant(null, call('c', 'tool'))
    let runs = 0
    const tool = defineTool({
      name: 'tool',
      parameters: {},
      run: () => (++runs > 1 ? new Promise(() => undefined) : 1),
    })
    const thread = book({ model: script(same, 'One.', same), tools: [tool] }, store).thread('t')
    await thread.send('Go').done
    for await (const event of thread.retry()) if (event.type === 'call') break
    expect(await resumed(book({ model: script('Two.') }, store))).toEqual(['t: Two.'])
  })

  test('a log that cannot be read does not keep the others waiting', async () => {
    const store = memoryStore()
    await died(store)
    const broken: Store = {
      ...store,
      list: async () => ({
        threads: ['bad', 't'].map((thread) => ({ thread, head: null, length: 1, term: 1, erasures: 0, metadata: {} })),
      }),
      read: (thread, range) => (thread === 'bad' ? Promise.reject(new Error('unreadable')) : store.read(thread, range)),
    }
    expect(await resumed(book({ model: script('Done.') }, broken))).toEqual(['bad: ', 't: Done.'])
  })
})

describe('a runner that was presumed dead', () => {
  test('does not run the calls of the one who took over', async () => {
    const store = memoryStore()
    let [slow, wake] = [false, (): void => undefined]
    const sleepy: Store = {
      ...store,
      read: async (...given) => {
        if (slow) await new Promise<void>((resolve) => (wake = resolve))
        return store.read(...given)
      },
    }
    let ran = 0
    const once = defineTool({
      name: 'once',
      parameters: {},
      run: () => {
        ran++
        return new Promise(() => undefined)
      },
    })
    const first = defineTool({
      name: 'first',
      parameters: {},
      run: () => {
        slow = true
        return 1
      },
    })
    const sleeping = book({ model: script(assistant(null, call('a', 'first')), 'Mine.'), tools: [first, once] }, sleepy)
      .thread('t')
      .send('Go')
    for await (const event of sleeping) if (event.type === 'result') break
    const taking = book({ model: script(assistant(null, call('b', 'once'))), tools: [once] }, store)
      .thread('t')
      .retry()
    for await (const event of taking) if (event.type === 'call') break
    slow = false
    wake()
    expect(await sleeping.done).toMatchObject({ status: 'fenced', reason: { code: 'fenced' } })
    expect(ran).toBe(1)
    taking.cancel()
    await taking.done
  })
})

describe('a runner that was presumed dead and is given the very same answer', () => {
  test('does not run its calls, which the one who took over runs', async () => {
    const store = memoryStore()
    const same = assistant(null, call('c', 'once'))
    let [ran, wake] = [0, (): void => undefined]
    const once = defineTool({
      name: 'once',
      parameters: {},
      run: () => {
        ran++
        return new Promise(() => undefined)
      },
    })
    const model = script(same)
    const asleep: Model = async function* (request) {
      await new Promise<void>((resolve) => (wake = resolve))
      yield* model(request)
    }
    const sleeping = book({ model: asleep, tools: [once] }, store)
      .thread('t')
      .send('Go')
    await expect.poll(async () => (await store.read('t')).length).toBeGreaterThan(0)
    const taking = book({ model: script(same), tools: [once] }, store)
      .thread('t')
      .resume()
    for await (const event of taking) if (event.type === 'call') break
    wake()
    expect(await sleeping.done).toMatchObject({ status: 'fenced', reason: { code: 'fenced' } })
    expect(ran).toBe(1)
    taking.cancel()
    await taking.done
  })
})

describe('a message that waits', () => {
  test('in a place where it was said before is not said again later', async () => {
    const store = memoryStore()
    const model = script('A', 'B', 'C', 'D')
    const open = book({ model }, store)
    await open.thread('t').send('one').done
    const first = open.thread('t').send('two')
    const again = open.thread('t').send('one', { after: null, ifBusy: 'queue', id: 'k' })
    await Promise.all([first.done, again.done])
    await open.thread('t').send('other').done
    expect(await resumed(open)).toEqual([])
    expect((await store.read('t')).filter(({ kind, text }) => kind === 'user' && text === 'one')).toHaveLength(1)
  })

  test('and finds its words said there already is answered, and waits no longer', async () => {
    const open = book({ model: script('A', 'B', 'A', 'C') })
    const thread = open.thread('t')
    await thread.send('one').done
    await thread.send('two').done
    // The thread goes back to the first answer, behind which these words stand.
    const [again, waiting] = [thread.send('one', { after: null }), thread.send('two', { ifBusy: 'queue' })]
    expect([(await again.done).text, (await waiting.done).text]).toEqual(['A', 'C'])
    expect(await resumed(open)).toEqual([])
    expect((await thread.visible()).map(({ text }) => text)).toEqual(['one', 'A', 'two', 'C'])
  })

  test('and finds its words erased there is refused, and waits no longer', async () => {
    const open = book({ model: script('A', 'B', 'A', 'C') })
    const thread = open.thread('t')
    await thread.send('one').done
    await thread.send('two').done
    await thread.erase([(await thread.entries()).find(({ text }) => text === 'two')!.id])
    const [again, waiting] = [thread.send('one', { after: null }), thread.send('two', { ifBusy: 'queue' })]
    await again.done
    expect(await waiting.done).toMatchObject({ status: 'failed', reason: { code: 'erased_before' } })
    expect(await resumed(open)).toEqual([])
  })

  test('is admitted also behind calls that nobody will run', async () => {
    const store = memoryStore()
    const asked = entryOf(assistant(null, call('c', 'x')), undefined, { origin: 'import' })
    await store.append('t', [asked, entryOf({ role: 'user', content: 'waits' }, asked, { kind: 'pending', key: 'k' })])
    const open = book({ model: script('Fine.') }, store)
    expect(await resumed(open)).toEqual(['t: Fine.'])
    expect((await open.thread('t').visible()).map(({ kind }) => kind)).toEqual([
      'assistant',
      'tool',
      'stop',
      'user',
      'assistant',
    ])
  })

  test('twice under one id is said once', async () => {
    const store = memoryStore()
    const waits = (content: string): Parameters<Store['append']>[1][number] =>
      entryOf({ role: 'user', content }, undefined, { kind: 'pending', key: 'k' })
    await store.append('t', [waits('one'), waits('two')])
    const open = book({ model: script('Fine.') }, store)
    expect(await resumed(open)).toEqual(['t: Fine.'])
    expect((await open.thread('t').visible()).map(({ text }) => text)).toEqual(['one', 'Fine.'])
  })
})

describe('a store that fails', () => {
  test.each([1, 2, 3, 4, 5, 6].flatMap((write) => [true, false].map((written) => [write, written] as const)))(
    'at write %i (written: %s): the thread can be used again, and nothing is there twice',
    async (write, written) => {
      const store = memoryStore()
      const failing = faultyStore(store)
      let ran = 0
      const tools = [defineTool({ name: 'once', parameters: {}, run: () => ++ran })]
      const crashed = book({ model: script(assistant(null, call('c', 'once')), 'Done.'), tools }, failing).thread('t')
      failing.dieAt(write, { written, silent: false })
      const first = await crashed.send('Go', { id: 'k' }).done
      const thread = book({ model: script('Done.'), tools }, store).thread('t')
      const second = await thread.send('Go', { id: 'k' }).done
      expect([first.status, second.status]).toEqual(
        ['failed', 'complete'].map((status) => (write > 5 ? 'complete' : status)),
      )
      expect((await thread.visible()).filter(({ kind }) => kind === 'user')).toHaveLength(1)
      expect(ran).toBeLessThanOrEqual(1)
      expect(await thread.verify()).toMatchObject({ ok: true })
    },
  )

  test('where one result of several cannot be recorded, the other tools are told to stop', async () => {
    const failing = faultyStore(memoryStore())
    let told = false
    const quick = defineTool({ name: 'quick', parameters: {}, run: () => 1 })
    const slow = defineTool({
      name: 'slow',
      parameters: {},
      run: (_, { signal }) => new Promise(() => signal.addEventListener('abort', () => (told = true))),
    })
    const thread = book(
      { model: script(assistant(null, call('a', 'slow'), call('b', 'quick'))), tools: [quick, slow] },
      failing,
    ).thread('t')
    failing.dieAt(4, { written: false, silent: false })
    expect(await thread.send('Go').done).toMatchObject({ status: 'failed' })
    expect(told).toBe(true)
  })
})
