import { memoryStore, MinutebookError, openBook, type Model, type Thread } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { company } from '../support/instances.ts'
import { script } from '../support/scripted.ts'
import { slow } from '../support/slow-model.ts'
import { createTurn } from '../../src/turns/turn.ts'
import { tick } from '../../../../tests/support/tick.ts'

const threadWith = (model: Model): Thread => openBook({ store: memoryStore(), model, window: 4096 }).thread('t')

async function all(pieces: AsyncIterable<string>): Promise<string[]> {
  const seen: string[] = []
  for await (const piece of pieces) seen.push(piece)
  return seen
}

describe('ask', () => {
  test('returns the answer', async () => {
    expect(await threadWith(script('Spinach grows.')).ask('What grows?')).toBe('Spinach grows.')
  })

  test('throws the very error of the model, with its cause', async () => {
    const down = new Error('connection refused')
    await expect(threadWith(script(down)).ask('What grows?')).rejects.toSatisfy(
      (error: unknown) => error === down || (error as Error).cause === down,
    )
  })

  test('throws what is malformed, as send does, but as a rejection', async () => {
    const asking = threadWith(script('Spinach.')).ask([])
    await expect(asking).rejects.toMatchObject({ code: 'nothing_to_answer' })
  })

  test('throws busy while another turn runs', async () => {
    const { model, release } = slow('At last.')
    const thread = threadWith(model)
    const first = thread.ask('One')
    await expect(thread.ask('Two', { ifBusy: 'reject' })).rejects.toMatchObject({ code: 'busy' })
    release()
    expect(await first).toBe('At last.')
  })

  test('throws cancelled if the turn was cancelled', async () => {
    const { model } = slow('never')
    const thread = threadWith(model)
    const asking = thread.ask('One')
    asking.catch(() => undefined)
    for (let round = 0; round < 5; round++) await tick()
    await thread.cancel()
    const error: unknown = await asking.catch((reason: unknown) => reason)
    expect(MinutebookError.isInstance(error) && error.code).toBe('cancelled')
  })

  test('works where another instance runs the turn', async () => {
    const { join } = company()
    join({ model: script('From elsewhere.') })
    expect(await join({}, { works: false }).book.thread('t').ask('Who?')).toBe('From elsewhere.')
  })
})

describe('the text of a turn', () => {
  test('comes piece by piece, also for whoever begins late', async () => {
    const turn = threadWith(script('Spinach grows well.')).send('What grows?')
    expect(await all(turn.text)).toEqual(['Spinach ', 'grows ', 'well.'])
    expect((await all(turn.text)).join('')).toBe((await turn.done).text)
  })

  test('throws what ask throws, after the pieces that came', async () => {
    const turn = threadWith(script(new Error('gone'))).send('What grows?')
    await expect(all(turn.text)).rejects.toThrow('gone')
  })

  test('after a take-over goes on if the answer begins alike, and says so if it does not', async () => {
    const said = (...texts: readonly (string | undefined)[]): AsyncIterable<string> => {
      const control = createTurn()
      for (const text of texts) control.emit(text === undefined ? { type: 'reset' } : { type: 'text', text })
      control.end({ status: 'complete', text: '', turn: null, answer: null })
      return control.turn.text
    }
    expect(await all(said('Spin', 'ach ', undefined, 'Spinach gr', 'ows'))).toEqual(['Spin', 'ach ', 'gr', 'ows'])
    expect(await all(said('Spin', undefined, 'Sp', undefined, 'S', 'pinach'))).toEqual(['Spin', 'ach'])
    await expect(all(said('Spin', undefined, 'Peas'))).rejects.toMatchObject({ code: 'turn_restarted' })
    await expect(all(said('Spin', undefined, 'Spain'))).rejects.toMatchObject({ code: 'turn_restarted' })
  })
})
