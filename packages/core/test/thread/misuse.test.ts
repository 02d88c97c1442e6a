import {
  defineState,
  defineTool,
  memoryStore,
  openBook,
  type Book,
  type Model,
  type SendOptions,
  type ThreadOptions,
} from 'minutebook'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { assistant, call } from '@minutebook/testing'
import { script, type Line } from '../support/scripted.ts'

function book(model: Model, options: ThreadOptions = {}): Book {
  return openBook({ store: memoryStore(), window: 4096, model, ...options })
}

/** A model that says nothing before it is released. */
function held(...lines: readonly Line[]): {
  readonly model: Model
  readonly release: () => void
  readonly asked: () => number
} {
  const scripted = script(...lines)
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const model: Model = async function* (request) {
    await gate
    yield* scripted(request)
  }
  return { model, release, asked: () => scripted.requests.length }
}

describe('an entry that is not there', () => {
  test.each<[string, (open: Book) => Promise<unknown>]>([
    [
      'to go on from',
      async (open) => {
        const { error } = await open.thread('t').send('b', { after: 'nobody' }).done
        throw error
      },
    ],
    [
      'for state',
      (open) =>
        open.thread('t').state(defineState({ name: 's', tools: { t: { schema: z.object({}) } } }), { at: 'nobody' }),
    ],
    ['to fork at', (open) => open.thread('t').fork({ as: 'u', at: 'nobody' })],
    ['to end with', (open) => open.thread('t').entries({ head: 'nobody' })],
  ])('%s is named, whatever it was for', async (_, use) => {
    const open = book(script('A'))
    await open.thread('t').send('a').done
    await expect(use(open)).rejects.toMatchObject({
      code: 'unknown_entry',
      message: 'The log has no entry nobody. Pass the id of one of its entries.',
    })
  })
})

describe('a dump of a turn that is not there', () => {
  test.each([
    [0, 'This branch has no turns. Send a message first.'],
    [1, 'This branch has 1 turn. Pass the number 1, or the id of a user entry.'],
    [3, 'This branch has 3 turns. Pass a number from 1 to 3, or the id of a user entry.'],
  ])('of %i says how many there are', async (turns, message) => {
    const thread = book(script('A')).thread('t')
    for (let turn = 0; turn < turns; turn++) await thread.send(`q${turn}`).done
    for (const turn of [7, 0, -1, 1.5, 'nobody'])
      await expect(thread.dump({ turn })).rejects.toMatchObject({ code: 'unknown_call', message })
  })

  test('or had no model call, says so', async () => {
    const thread = book(script('A')).thread('t')
    await thread.importMessages([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ])
    await expect(thread.dump({ turn: 1 })).rejects.toMatchObject({
      problem: 'This turn recorded no model calls.',
      fix: 'For another call, name a turn by its number, or a receipt by its id.',
    })
  })
})

describe('a busy thread', () => {
  test('tells each caller what that one can do', async () => {
    const { model, release } = held('A')
    const thread = book(model).thread('t')
    const first = thread.send('a')
    const told = await Promise.all([thread.send('b').done, thread.retry().done, thread.resume().done])
    expect(
      told.map(({ status, reason }) => [
        status,
        reason?.message,
        reason?.fix?.includes('ifBusy'),
        reason?.fix?.includes('cancel it'),
      ]),
    ).toEqual([
      ['busy', 'Another answer is being written.', true, false],
      ['busy', 'Another answer is being written.', false, true],
      ['busy', 'Another answer is being written.', false, true],
    ])
    await expect(thread.ask('c')).rejects.toMatchObject({
      problem: 'Another answer is being written.',
      fix: expect.stringContaining('ifBusy') as string,
    })
    release()
    await first.done
  })
})

describe('a retry', () => {
  test('without a question fails, and says so', async () => {
    expect(await book(script('A')).thread('t').retry().done).toMatchObject({
      status: 'failed',
      turn: null,
      answer: null,
      reason: { code: 'nothing_to_answer' },
    })
  })
})

describe('an id', () => {
  const image = { role: 'user', content: 'hi', images: ['aGk='] }
  test.each<[string, Parameters<ReturnType<Book['thread']>['send']>[0], string]>([
    ['the same text', 'hi', 'complete A'],
    ['the same text in parts', { role: 'user', content: [{ type: 'text', text: 'hi' }] }, 'complete A'],
    ['a history that ends with it', [{ role: 'user', content: 'hi' }], 'complete A'],
    ['another text', 'other', 'failed id_taken'],
    ['the same text with an image', image, 'failed id_taken'],
  ])('that was used: %s', async (_, sent, expected) => {
    const thread = book(script('A', 'B')).thread('t')
    await thread.send('hi', { id: 'one' }).done
    const before = await thread.entries()
    const { status, text, reason } = await thread.send(sent, { id: 'one' }).done
    expect([status, text || reason?.code].join(' ')).toBe(expected)
    expect(await thread.entries()).toEqual(before)
  })

  test('of a message that waits is not for another one', async () => {
    const { model, release } = held('A', 'B')
    const thread = book(model).thread('t')
    const turns = [
      thread.send('a'),
      thread.send('b', { id: 'one', ifBusy: 'queue' }),
      thread.send('c', { id: 'one', ifBusy: 'queue' }),
    ]
    release()
    expect((await Promise.all(turns.map(({ done }) => done))).map(({ text, reason }) => text || reason?.code)).toEqual([
      'A',
      'B',
      'id_taken',
    ])
  })

  test('of an erased message is free again', async () => {
    const thread = book(script('A', 'B')).thread('t')
    await thread.send('hi', { id: 'one' }).done
    await thread.erase()
    expect(await thread.send('other', { id: 'one' }).done).toMatchObject({ status: 'complete', text: 'B' })
  })

  test('whose turn runs: the second sender follows it', async () => {
    const { model, release, asked } = held('A', 'B')
    const open = book(model)
    const turns = [
      open.thread('t').send('a', { id: 'one' }),
      open.thread('t').send('a', { id: 'one' }),
      open.thread('t').send('b', { id: 'two' }),
    ]
    release()
    const [first, second, third] = await Promise.all(turns.map(({ done }) => done))
    expect([first, third?.status, asked()]).toEqual([second, 'busy', 1])
    expect((await open.thread('t').entries()).map(({ kind }) => kind)).not.toContain('pending')
  })
})

describe('what was not given', () => {
  test('may be undefined', async () => {
    const nothing: SendOptions = {
      signal: undefined,
      tools: undefined,
      id: undefined,
      ifBusy: undefined,
      after: undefined,
      speaker: undefined,
      trusted: undefined,
    }
    const thread = book(script('A')).thread('t', {
      model: undefined,
      window: undefined,
      tools: undefined,
      notes: undefined,
      steps: undefined,
    })
    expect(await thread.send('hi', nothing).done).toMatchObject({ text: 'A' })
    expect(await thread.entries({ head: undefined })).not.toEqual([])
    expect((await thread.dump({ turn: undefined, receipt: undefined })).messages).toHaveLength(2)
    expect(await thread.importMessages([{ role: 'system', content: 's' }], { trusted: undefined })).toMatchObject([
      { kind: 'user' },
    ])
  })
})

describe('the answer of a turn', () => {
  test('is an entry that state can be read at', async () => {
    let count = 0
    const step = defineTool({ name: 'step', parameters: {}, run: () => ({ n: ++count }) })
    const steps = defineState({ name: 'steps', tools: { step: { schema: z.object({ n: z.number() }) } } })
    const stepping = assistant(null, call('c', 'step'))
    const thread = book(script(stepping, 'One.', stepping, 'Two.', new Error('down')), { tools: [step] }).thread('t')
    const results = [await thread.send('a').done, await thread.send('b').done, await thread.send('c').done]
    expect(results[2]).toMatchObject({ status: 'failed', answer: null })
    expect(await Promise.all(results.map(({ answer }) => thread.state(steps, { at: answer })))).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 2 },
    ])
  })
})

describe('a whole text', () => {
  test('is not restored letter by letter', async () => {
    const open = book(script('A'))
    await expect(open.restore('t', '{}\n{}')).rejects.toMatchObject({
      code: 'invalid_lines',
      message: expect.stringContaining("text.split('\\n')") as string,
    })
  })
})
