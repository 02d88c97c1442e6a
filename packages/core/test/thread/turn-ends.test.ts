import { defineTool, memoryStore, type Model, type Turn, type TurnEvent } from 'minutebook'
import { traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { book, shape } from '../support/book.ts'
import { script, type Line } from '../support/scripted.ts'

/** A model that says so many words and then waits for ever, whether or not it is told to stop. */
function hangs(after: number, heeds: boolean): Model {
  return async function* ({ signal }) {
    for (let n = 0; n < after; n++) yield { type: 'text', text: `w${n} ` }
    await new Promise((_, reject) => heeds && signal.addEventListener('abort', () => reject(new Error('aborted'))))
    yield { type: 'end', message: { role: 'assistant', content: '' }, finish: 'stop' }
  }
}

/** A model that says its lines once it is released, or stops if it is told to. */
const slow = (...lines: readonly Line[]): { model: Model; release: () => void } => {
  const scripted = script(...lines)
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const model: Model = async function* (request) {
    const stopped = new Promise<never>((_, reject) =>
      request.signal.addEventListener('abort', () => reject(new Error('aborted'))),
    )
    await Promise.race([gate, stopped])
    yield* scripted(request)
  }
  return { model, release }
}

async function eventsOf(turn: Turn): Promise<TurnEvent[]> {
  const events: TurnEvent[] = []
  for await (const event of turn) events.push(event)
  return events
}

/** What a turn told, a word or two for each event; pieces of text that follow each other are one. */
function told(events: readonly TurnEvent[]): string[] {
  return events.reduce<string[]>((all, event, index) => {
    if (event.type !== 'text') return [...all, event.type === 'result' ? `result ${event.text}` : event.type]
    return events[index - 1]?.type === 'text'
      ? [...all.slice(0, -1), `${all.at(-1)}${event.text}`]
      : [...all, event.text]
  }, [])
}

describe('cancelling', () => {
  test.each(
    [0, 1, 2, 3].flatMap(
      (n) =>
        [
          [n, true],
          [n, false],
        ] as const,
    ),
  )('after %i words, the model heeds it: %s', async (count, heeds) => {
    const thread = book({ model: hangs(count, heeds) }).thread('t')
    const turn = thread.send('Go')
    let words = 0
    if (count === 0) setTimeout(() => turn.cancel(), 5)
    for await (const event of turn) if (event.type === 'text' && ++words === count) turn.cancel()
    const expected = Array.from({ length: count }, (_, n) => `w${n} `).join('')
    expect(await turn.done).toMatchObject({ status: 'cancelled', text: expected, reason: { code: 'cancelled' } })
    expect(shape(await thread.entries())).toEqual([
      'user',
      ...(count ? ['assistant cancelled'] : []),
      'receipt',
      'stop cancelled',
    ])
    expect((await thread.visible()).map(({ kind, text }) => [kind, text]).slice(1)).toEqual([
      ...(count ? [['assistant', expected]] : []),
      ['stop', 'The turn was cancelled.'],
    ])
  })

  test('while a tool runs that does not heed it: the call gets a result, and the thread goes on', async () => {
    const stuck = defineTool({ name: 'stuck', parameters: {}, run: () => new Promise(() => undefined) })
    const model = script(assistant(null, call('c1', 'stuck')), 'Fine.')
    const thread = book({ model, tools: [stuck] }).thread('t')
    const turn = thread.send('Go')
    for await (const event of turn) if (event.type === 'call') turn.cancel()
    expect(await turn.done).toMatchObject({ status: 'cancelled' })
    expect(shape(await thread.entries())).toEqual([
      'user',
      'assistant',
      'receipt',
      'tool cancelled',
      'journal',
      'stop cancelled',
    ])
    expect(await thread.send('And now?').done).toMatchObject({ status: 'complete', text: 'Fine.' })
  })

  test('by a signal that had aborted before', async () => {
    const thread = book({ model: script('x') }).thread('t')
    expect(await thread.send('Go', { signal: AbortSignal.abort() }).done).toMatchObject({ status: 'cancelled' })
    expect(await thread.entries()).toEqual([])
  })
})

describe('a model that fails', () => {
  test('before a word: the failure is on record without its text, and in the result with it', async () => {
    const thread = book({ model: script(new Error('key sk-canary is wrong'), 'Better.') }).thread('t')
    const result = await thread.send('Go').done
    expect(result).toMatchObject({
      status: 'failed',
      text: '',
      reason: { code: 'model_failed' },
      error: new Error('key sk-canary is wrong'),
    })
    expect(JSON.stringify(await thread.entries())).not.toContain('sk-canary')
    expect(await thread.retry().done).toMatchObject({ status: 'complete', text: 'Better.' })
    expect(shape(await thread.entries())).toEqual(['user', 'receipt', 'stop failed', 'retry', 'assistant', 'receipt'])
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 2 })
  })

  test('again and again: each failure is on record', async () => {
    const thread = book({ model: script(new Error('no')) }).thread('t')
    await thread.send('Go').done
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

  test('ends without an end', async () => {
    const thread = book({
      model: async function* () {
        yield { type: 'text', text: 'Half an' }
      },
    }).thread('t')
    expect(await thread.send('Go').done).toMatchObject({
      status: 'failed',
      text: 'Half an',
      reason: { code: 'model_cut' },
    })
    expect(shape(await thread.entries())).toEqual(['user', 'assistant failed', 'receipt', 'stop failed'])
  })

  test('has no room left: the answer is partial, and its calls are not run', async () => {
    const model: Model = async function* () {
      yield { type: 'end', message: assistant('So far', call('c', 'x')), finish: 'length' }
    }
    const thread = book({ model }).thread('t')
    expect(await thread.send('Go').done).toMatchObject({ status: 'partial', text: 'So far' })
    expect(shape(await thread.entries())).toEqual(['user', 'assistant partial', 'receipt'])
  })

  test('never comes to an answer', async () => {
    const thread = book({ model: script(assistant(null, call('c', 'nothing'))), steps: 3 }).thread('t')
    expect(await thread.send('Go').done).toMatchObject({ status: 'failed', reason: { code: 'too_many_steps' } })
    expect((await thread.receipts()).length).toBe(3)
  })

  test('a prompt that does not fit is a failure of the turn, and the thread goes on', async () => {
    const thread = book({ model: script('ok'), window: 64, system: 'word '.repeat(300) }).thread('t')
    expect(await thread.send('Go').done).toMatchObject({ status: 'failed', reason: { code: 'window_overflow' } })
    expect(shape(await thread.entries())).toEqual(['system', 'user', 'stop failed'])
  })
})

describe('two at once', () => {
  test('reject: the second ends as busy and leaves nothing', async () => {
    const { model, release } = slow('One.')
    const open = book({ model })
    const first = open.thread('t').send('first')
    expect(await open.thread('t').send('second').done).toMatchObject({ status: 'busy', reason: { code: 'busy' } })
    release()
    expect(await first.done).toMatchObject({ status: 'complete' })
    expect(shape(await open.thread('t').entries())).toEqual(['user', 'assistant', 'receipt'])
  })

  test('queue: each is answered, in order, and was on record while it waited', async () => {
    const { model, release } = slow('One.', 'Two.', 'Three.')
    const open = book({ model })
    const turns = ['first', 'second', 'second'].map((text) => open.thread('t').send(text, { ifBusy: 'queue' }))
    await expect
      .poll(async () => (await open.thread('t').entries()).filter(({ kind }) => kind === 'pending').length)
      .toBe(2)
    release()
    expect((await Promise.all(turns.map(({ done }) => done))).map(({ text }) => text)).toEqual([
      'One.',
      'Two.',
      'Three.',
    ])
    const chain = (await open.thread('t').entries()).filter(({ kind }) => traits[kind].chained)
    expect(chain.map(({ text }) => text)).toEqual(['first', 'One.', 'second', 'Two.', 'second', 'Three.'])
  })

  test('queue: one that is taken back is not answered', async () => {
    const { model, release } = slow('One.', 'Two.')
    const open = book({ model })
    const first = open.thread('t').send('first')
    await expect.poll(async () => (await open.thread('t').entries()).length).toBe(1)
    const second = open.thread('t').send('second', { ifBusy: 'queue' })
    await expect.poll(async () => (await open.thread('t').entries()).some(({ kind }) => kind === 'pending')).toBe(true)
    second.cancel()
    release()
    await first.done
    expect(await second.done).toMatchObject({ status: 'cancelled' })
    expect(await open.thread('t').resume().done).toMatchObject({ text: 'One.' })
    expect(shape(await open.thread('t').entries())).toEqual(['user', 'pending', 'revocation', 'assistant', 'receipt'])
  })

  test('interrupt: the first ends as cancelled, the second is answered', async () => {
    const { model, release } = slow('Two.')
    const open = book({ model })
    const first = open.thread('t').send('first')
    await expect.poll(async () => (await open.thread('t').entries()).length).toBeGreaterThan(0)
    const second = open.thread('t').send('second', { ifBusy: 'interrupt' })
    release()
    expect((await first.done).status).toBe('cancelled')
    expect(await second.done).toMatchObject({ status: 'complete', text: 'Two.' })
  })

  test('threads do not wait for each other', async () => {
    const { model, release } = slow('One.')
    const open = book({ model })
    const first = open.thread('a').send('first')
    const second = open.thread('b').send('second')
    release()
    expect([(await first.done).status, (await second.done).status]).toEqual(['complete', 'complete'])
  })
})

describe('sending again', () => {
  test('with the same id is not saying it again', async () => {
    const model = script('One.', 'Two.')
    const thread = book({ model }).thread('t')
    const [first, second] = [await thread.send('Go', { id: 'k' }).done, await thread.send('Go', { id: 'k' }).done]
    expect(second).toEqual(first)
    expect(model.requests).toHaveLength(1)
    const texts: string[] = []
    for await (const event of thread.send('Go', { id: 'k' })) if (event.type === 'text') texts.push(event.text)
    expect(texts).toEqual(['One.'])
  })

  test('with the same id while its turn runs hears every event from the first one on, as it happens', async () => {
    let open: (said: string) => void = () => undefined
    const gate = new Promise<string>((resolve) => (open = resolve))
    const tools = [defineTool({ name: 'wait', parameters: {}, run: () => gate })]
    const model = script(assistant('Wait. ', call('c', 'wait')), 'Done.')
    const thread = book({ model, tools }).thread('t')
    const first = thread.send('Go', { id: 'k' })
    for await (const event of first) if (event.type === 'call') break
    const late = thread.send('Go', { id: 'k' })
    // The tool ends only after the late caller has heard of it.
    for await (const event of late) if (event.type === 'call') open('open')
    const heard = await eventsOf(late)
    expect(heard).toEqual(await eventsOf(first))
    expect(told(heard)).toEqual(['Wait. ', 'receipt', 'call', 'result open', 'Done.', 'receipt', 'end'])
    expect((await late.recorded)?.id).toBe((await first.recorded)?.id)
    // Once it is over, they come from the log.
    expect(told(await eventsOf(thread.send('Go', { id: 'k' })))).toEqual(told(heard))
    expect(model.requests).toHaveLength(2)
  })

  test('with the same id and other words while its turn runs is refused, and hears nothing of it', async () => {
    const { model, release } = slow('One.')
    const thread = book({ model }).thread('t')
    const first = thread.send('Go', { id: 'k' })
    await first.recorded
    const other = thread.send('Stop', { id: 'k' })
    release()
    expect(await eventsOf(other)).toMatchObject([{ type: 'end', result: { reason: { code: 'id_taken' } } }])
  })

  test('with the same id as one that was taken back while it waited is saying it', async () => {
    const { model, release } = slow('One.', 'Two.')
    const thread = book({ model }).thread('t')
    const first = thread.send('first')
    const waiting = thread.send('Go', { id: 'k', ifBusy: 'queue' })
    await waiting.recorded
    const again = thread.send('Go', { id: 'k' })
    waiting.cancel()
    release()
    await first.done
    expect(await waiting.done).toMatchObject({ status: 'cancelled', turn: null })
    expect(await again.done).toMatchObject({ status: 'complete', text: 'Two.' })
  })

  test.each(['system', '0', '__proto__', ''])('any text is an id: "%s"', async (id) => {
    const model = script('One.')
    const thread = book({ model, system: 'Rules.' }).thread('t')
    expect([await thread.send('Go', { id }).done, await thread.send('Go', { id }).done]).toMatchObject([
      { status: 'complete' },
      { status: 'complete', text: 'One.' },
    ])
    expect(model.requests).toHaveLength(1)
  })

  test('the same words without an id are said twice', async () => {
    const thread = book({ model: script('Hello.') }).thread('t')
    await thread.send('hi').done
    await thread.send('hi').done
    expect((await thread.visible()).map(({ text }) => text)).toEqual(['hi', 'Hello.', 'hi', 'Hello.'])
  })

  test('an id whose turn was cut short by a crash goes on with it', async () => {
    const store = memoryStore()
    const crashed = book(
      {
        model: script(assistant(null, call('c', 'once'))),
        tools: [defineTool({ name: 'once', parameters: {}, run: () => new Promise(() => undefined) })],
      },
      store,
    )
    const turn = crashed.thread('t').send('Go', { id: 'k' })
    for await (const event of turn) if (event.type === 'call') break
    const again = book(
      { model: script('Done.'), tools: [defineTool({ name: 'once', parameters: {}, run: () => 'twice' })] },
      store,
    )
    expect(await again.thread('t').send('Go', { id: 'k' }).done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect((await again.thread('t').entries()).find(({ kind }) => kind === 'tool')?.text).toContain('interrupted')
    turn.cancel()
    expect((await turn.done).status).toBe('fenced')
  })
})

describe('branches', () => {
  test('an edited message makes one, and both remain readable', async () => {
    const thread = book({ model: script('A', 'B', 'C'), system: 's' }).thread('t')
    await thread.send('one').done
    const [first] = await thread.branches()
    await thread.send('two').done
    await thread.send('two, but better', { after: first!.head }).done
    const texts = async (head: string): Promise<string[]> => (await thread.visible({ head })).map(({ text }) => text)
    const [newest, older] = await thread.branches()
    expect(await texts(newest!.head)).toEqual(['one', 'A', 'two, but better', 'C'])
    expect(await texts(older!.head)).toEqual(['one', 'A', 'two', 'B'])
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 3 })
  })

  test('another answer to the same question is one too', async () => {
    const thread = book({ model: script('A', 'B') }).thread('t')
    await thread.send('one').done
    expect(await thread.retry().done).toMatchObject({ text: 'B' })
    expect((await thread.visible()).map(({ text }) => text)).toEqual(['one', 'B'])
    expect(await thread.branches()).toHaveLength(2)
  })

  test('the same words after the same entry ask for another answer', async () => {
    const thread = book({ model: script('A', 'B') }).thread('t')
    await thread.send('one').done
    expect(await thread.send('one', { after: null }).done).toMatchObject({ text: 'B' })
    expect((await thread.entries()).filter(({ kind }) => kind === 'user')).toHaveLength(1)
  })

  test('a fork is a thread of its own', async () => {
    const open = book({ model: script('A', 'B', 'C') })
    const thread = open.thread('t')
    await thread.send('one').done
    const at = (await thread.entries()).find(({ kind }) => kind === 'assistant')!.id
    await thread.send('two').done
    const fork = await thread.fork({ as: 'f', at })
    await fork.send('three').done
    expect((await fork.visible()).map(({ text }) => text)).toEqual(['one', 'A', 'three', 'C'])
    expect((await thread.visible()).map(({ text }) => text)).toEqual(['one', 'A', 'two', 'B'])
    expect(await fork.verify()).toMatchObject({ ok: true, prompts: 2 })
    await expect(thread.fork({ as: 'f' })).rejects.toMatchObject({ code: 'thread_exists' })
  })
})

describe('an answer that a filter cut', () => {
  test.each([
    ['with text', 'I will', 'I will'],
    ['without text', null, ''],
  ])('%s ends the turn, and none of its calls runs', async (_, content, text) => {
    const ran: unknown[] = []
    const remove = defineTool({ name: 'remove', run: (input) => void ran.push(input) })
    const model: Model = async function* () {
      const message = { ...assistant(content, call('a', 'remove')) }
      yield { type: 'end', message, finish: 'filter' }
    }
    const thread = book({ model, tools: [remove] }).thread('t')
    expect(await thread.send('Go').done).toMatchObject({ status: 'complete', text })
    expect(ran).toEqual([])
    expect((await thread.receipts()).map(({ outcome }) => outcome)).toEqual(['filter'])
  })
})

test('a turn can be cancelled while a program does not say whether its call must wait: it waits', async () => {
  let asked = (): void => undefined
  const asking = new Promise<void>((resolve) => (asked = resolve))
  const open = defineTool({
    name: 'open',
    approve: () => {
      asked()
      return new Promise<boolean>(() => undefined)
    },
    run: () => 'open',
  })
  const errors: unknown[] = []
  const model: Model = async function* () {
    yield { type: 'end', message: assistant(null, call('a', 'open')), finish: 'calls' }
  }
  const thread = book({ model, tools: [open], onError: (error) => void errors.push(error) }).thread('t')
  const turn = thread.send('Go')
  await asking
  turn.cancel()
  expect(await turn.done).toMatchObject({ status: 'cancelled' })
  expect(errors).toEqual([])
  expect((await thread.entries()).flatMap(({ calls }) => calls.map(({ name }) => name))).toEqual(['open'])
})
