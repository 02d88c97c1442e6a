import type { Model, ModelEvent, TurnEvent } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant } from '@minutebook/testing'
import type { NoteForm } from 'minutebook/wire'
import { collect, type ModelAnswer } from '../../src/turns/call-model.ts'
import { createTurn } from '../../src/turns/turn.ts'

const end = (content: string): ModelEvent => ({ type: 'end', message: assistant(content), finish: 'stop' })
const text = (piece: string): ModelEvent => ({ type: 'text', text: piece })

async function collected(
  model: Model,
  { notes = 'off', cancelAt = Infinity }: { notes?: NoteForm | 'off'; cancelAt?: number } = {},
): Promise<{ readonly shown: string; readonly came: ModelAnswer; readonly listeners: number }> {
  const control = createTurn()
  let listeners = 0
  const { signal } = control
  const counted = new Proxy(signal, {
    get: (target, name) => {
      if (name === 'addEventListener') listeners++
      if (name === 'removeEventListener') listeners--
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
  const seen: TurnEvent[] = []
  const emit = (event: TurnEvent): void => {
    if (seen.push(event) >= cancelAt) control.turn.cancel()
  }
  const came = await collect(
    model,
    { messages: [], tools: [], window: 1, signal: counted },
    { ...control, emit },
    notes,
  )
  return {
    shown: seen.map((event) => (event.type === 'text' ? event.text : `<${event.type}>`)).join(''),
    came,
    listeners,
  }
}

const stream = (...events: readonly ModelEvent[]): Model =>
  async function* () {
    yield* events
  }

describe('what a model says', () => {
  test('is shown as it comes, and given whole', async () => {
    const { shown, came } = await collected(
      stream({ type: 'reasoning', text: 'hm' }, text('One '), text('two.'), end('One two.')),
    )
    expect(shown).toBe('<reasoning>One two.')
    expect(came).toEqual({ whole: true, message: assistant('One two.'), finish: 'stop', usage: {}, held: '' })
  })

  test('is shown at its end where it did not stream', async () => {
    expect((await collected(stream(end('All at once.')))).shown).toBe('All at once.')
    expect((await collected(stream(text(''), end('All at once.')))).shown).toBe('All at once.')
    expect((await collected(stream(text('Not twice.'), end('Not twice.')))).shown).toBe('Not twice.')
  })

  test('is shown without its note', async () => {
    const said = 'Done. [NOTE TO SELF: canary]'
    for (const events of [said.split('').map(text), [text(said)], []]) {
      expect((await collected(stream(...events, end(said)), { notes: 'lenient' })).shown).toBe('Done.')
    }
    expect((await collected(stream(text(said), end(said)))).shown).toBe(said)
  })

  test('is as much as was shown where it breaks off, never half a note', async () => {
    const breaks: Model = async function* () {
      yield text('Done. [NOTE TO SELF: can')
      throw new Error('cut')
    }
    expect((await collected(breaks, { notes: 'lenient' })).came).toEqual({
      whole: false,
      shown: 'Done.',
      error: new Error('cut'),
    })
  })
})

describe('a model', () => {
  test('leaves no listener behind, however it ends', async () => {
    const fails: Model = () => {
      throw new Error('no')
    }
    for (const model of [stream(end('x')), stream(), fails]) expect((await collected(model)).listeners).toBe(0)
  })

  test.each<[string, Model]>([
    ['ends', stream(text('a '), end('a '), text('b'))],
    ['is cut off by what it says', stream(undefined as unknown as ModelEvent)],
  ])('that %s is left: what it holds is given back', async (_, model) => {
    let left = 0
    const watched: Model = async function* (request) {
      try {
        yield* model(request)
        yield text('more')
      } finally {
        left++
      }
    }
    await collected(watched)
    await expect.poll(() => left).toBe(1)
  })

  test('that is cancelled is left, and not waited for', async () => {
    let returned = 0
    const deaf: Model = () => ({
      [Symbol.asyncIterator]: () => {
        let said = 0
        return {
          next: () =>
            said++
              ? new Promise<never>(() => undefined)
              : Promise.resolve({ value: text('one '), done: false as const }),
          return: () => {
            returned++
            throw new Error('cannot even be left')
          },
        }
      },
    })
    expect((await collected(deaf, { cancelAt: 1 })).came).toMatchObject({
      whole: false,
      shown: 'one ',
      error: { code: 'model_aborted' },
    })
    expect(returned).toBe(1)
  })

  test('that ends as it is cancelled has ended', async () => {
    expect((await collected(stream(end('Done.')), { cancelAt: 1 })).came).toMatchObject({ whole: true })
  })
})
