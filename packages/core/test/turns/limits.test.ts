import { defineTool, memoryStore, type Model, type Store } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { book, shape } from '../support/book.ts'
import { script } from '../support/scripted.ts'
import { tickClock } from '../support/tick-clock.ts'

/** Says a word and then nothing more, whether or not it is told to stop. */
const hangs: Model = async function* () {
  yield { type: 'text', text: 'So far' }
  await new Promise(() => undefined)
}

describe('a turn that takes too long', () => {
  test('is stopped, and what it said is kept', async () => {
    const thread = book({ model: hangs, clock: tickClock(), deadline: 1000 }).thread('t')
    expect(await thread.send('Go').done).toMatchObject({
      status: 'failed',
      text: 'So far',
      reason: { code: 'deadline' },
    })
    expect(shape(await thread.entries())).toEqual(['user', 'assistant failed', 'receipt', 'stop failed'])
  })

  test('while a tool runs: the call gets a result', async () => {
    const stuck = defineTool({ name: 'stuck', parameters: {}, run: () => new Promise(() => undefined) })
    const thread = book({
      model: script(assistant(null, call('c', 'stuck')), 'Fine.'),
      tools: [stuck],
      clock: tickClock(),
      deadline: 1000,
    }).thread('t')
    expect(await thread.send('Go').done).toMatchObject({ status: 'failed', reason: { code: 'deadline' } })
    expect(shape(await thread.entries())).toEqual([
      'user',
      'assistant',
      'receipt',
      'tool cancelled',
      'journal',
      'stop failed',
    ])
    expect(await thread.retry().done).toMatchObject({ status: 'complete', text: 'Fine.' })
  })

  test('and is cancelled before is cancelled', async () => {
    const turn = book({ model: hangs, clock: tickClock(), deadline: 1000 }).thread('t').send('Go')
    for await (const event of turn) if (event.type === 'text') turn.cancel()
    expect(await turn.done).toMatchObject({ status: 'cancelled' })
  })

  test.each([2 ** 31, Infinity])('has no end within %d milliseconds', async (deadline) => {
    const thread = book({ model: script('Fine.'), clock: tickClock(), deadline, callTimeout: deadline }).thread('t')
    expect(await thread.send('Go').done).toMatchObject({ status: 'complete' })
  })
})

test('a model call that takes too long is given up, and what it said is kept', async () => {
  const thread = book({ model: hangs, clock: tickClock(), callTimeout: 1000 }).thread('t')
  expect(await thread.send('Go').done).toMatchObject({
    status: 'failed',
    text: 'So far',
    reason: { code: 'model_late' },
  })
  expect(shape(await thread.entries())).toEqual(['user', 'assistant failed', 'receipt', 'stop failed'])
})

test('half an answer and why it is half of one are on record together', async () => {
  const store = memoryStore()
  const writes: string[][] = []
  const watched: Store = {
    ...store,
    append: (thread, entries, terms) => (
      writes.push(entries.map(({ kind }) => kind)),
      store.append(thread, entries, terms)
    ),
  }
  await book(
    {
      model: async function* () {
        yield { type: 'text', text: 'Half an' }
      },
    },
    watched,
  )
    .thread('t')
    .send('Go').done
  expect(writes).toEqual([['user'], ['settings', 'assistant', 'receipt', 'stop']])
})
