import { localQueue, memoryStore, openBook, type Model, type Store, type Thread, type TurnEvent } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant } from '@minutebook/testing'
import { shape } from '../support/book.ts'
import { script } from '../support/scripted.ts'

/** A book that sends and works, and what its store is asked for. */
async function working(model: Model, store: Store = memoryStore()): Promise<{ thread: Thread; calls: string[] }> {
  const calls: string[] = []
  const counted = <T extends 'append' | 'claim' | 'read' | 'standing'>(name: T): Store[T] =>
    ((...given: Parameters<Store[T]>) => {
      calls.push(name)
      return (store[name] as (...given: Parameters<Store[T]>) => ReturnType<Store[T]>)(...given)
    }) as Store[T]
  const own: Store = {
    ...store,
    append: counted('append'),
    claim: counted('claim'),
    read: counted('read'),
    standing: counted('standing'),
  }
  const book = openBook({ store: own, queue: localQueue(own), model, window: 4096 })
  await book.work()
  return { thread: book.thread('t'), calls }
}

async function eventsOf(turn: AsyncIterable<TurnEvent>): Promise<string[]> {
  const seen: string[] = []
  for await (const event of turn) seen.push(event.type === 'text' ? event.text : event.type)
  return seen
}

describe('a turn that a queue hands to the process of its sender', () => {
  test('is heard with all events, also those that no log and no feed have', async () => {
    const { thread } = await working(async function* () {
      yield { type: 'reasoning', text: 'Hm.' }
      yield { type: 'text', text: 'Oak.' }
      yield { type: 'end', message: assistant('Oak.'), finish: 'stop' }
    })
    expect(await eventsOf(thread.send('Name a tree'))).toEqual(['reasoning', 'Oak.', 'receipt', 'end'])
    expect(await eventsOf(thread.retry())).toEqual(['reasoning', 'Oak.', 'receipt', 'end'])
  })

  test('asks the store for no more than it must, however long the thread is', async () => {
    const { thread, calls } = await working(script('Yes.'))
    for (let turn = 0; turn < 30; turn++) await thread.send(`Question ${turn}`).done
    await expect.poll(() => calls.length).toBeGreaterThan(0)
    calls.length = 0
    await thread.send('The last one').done
    expect(calls.toSorted()).toEqual(['append', 'append', 'claim', 'standing'])
  })

  test('is cancelled directly', async () => {
    const { thread } = await working(async function* () {
      yield { type: 'text', text: 'Oak' }
      await new Promise(() => undefined)
    })
    const turn = thread.send('Name a tree')
    for await (const event of turn) if (event.type === 'text') turn.cancel()
    expect(await turn.done).toMatchObject({ status: 'cancelled', text: 'Oak' })
    expect(shape(await thread.entries())).toEqual(['user', 'assistant cancelled', 'receipt', 'stop cancelled'])
  })

  test('is followed if somebody else takes it over: what was shown is void, and the rest comes from the log', async () => {
    const store = memoryStore()
    const { thread } = await working(async function* () {
      yield { type: 'text', text: 'Oak' }
      const [asked] = await store.read('t')
      await store.claim('t')
      await store.append('t', [entryOf(assistant('Elm.'), asked!, { origin: 'model' })])
      yield { type: 'end', message: assistant('Oak.'), finish: 'stop' }
    }, store)
    const turn = thread.send('Name a tree')
    expect(await eventsOf(turn)).toEqual(['Oak', 'reset', 'Elm.', 'end'])
    expect(await turn.done).toMatchObject({ status: 'complete', text: 'Elm.' })
  })
})
