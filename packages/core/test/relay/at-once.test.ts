import fc from 'fast-check'
import { memoryStore, type Message, type RelayResult, type Store } from 'minutebook'
import { traits, type StoredEntry } from 'minutebook/store'
import { expect, test } from 'vitest'
import { assistant, user } from '@minutebook/testing'
import { relayBook, said } from '../../../../tests/support/relays.ts'
import { cases } from '../../../../tests/support/runs.ts'
import { script } from '../support/scripted.ts'

/** A store whose answers come in any order. It tells the places of entries before their append is over. */
function shuffled(store: Store, scheduler: fc.Scheduler): Store {
  const wait = async <T>(work: () => Promise<T>): Promise<T> => {
    await scheduler.schedule(Promise.resolve())
    const result = await work()
    await scheduler.schedule(Promise.resolve())
    return result
  }
  return {
    ...store,
    append: (thread, entries, terms) =>
      wait(async () => {
        const appended = await store.append(thread, entries, terms)
        if (appended.ok) terms?.placed?.(appended.entries)
        return appended
      }),
    read: (...given) => wait(() => store.read(...given)),
    standing: (...given) => wait(() => store.standing(...given)),
    claim: (...given) => wait(() => store.claim(...given)),
  }
}

/** What one of several clients does: it relays so many messages of the same chat, or lets a turn run. */
const actor = fc.record({
  kind: fc.constantFrom('relays', 'relays', 'relays', 'turn'),
  own: fc.boolean(),
  length: fc.integer({ min: 1, max: 3 }),
  ending: fc.constantFrom('answer', 'same answer', 'stop'),
  id: fc.constantFrom(undefined, 'x', 'y'),
})

const opening: readonly Message[] = [
  user('Hi'),
  assistant('Hello!'),
  user('How are you?'),
  assistant('Fine.'),
  user('Bye'),
]

test('relays and turns that come at once each get their answer behind what they asked, and leave a log that is whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(actor, { minLength: 2, maxLength: 4 }), async (scheduler, actors) => {
      const store = memoryStore()
      const options = { model: script(...Array.from({ length: 9 }, () => 'From a turn.')), window: 4096 }
      const slow = shuffled(store, scheduler)
      const shared = relayBook(options, slow).thread('t')
      const work = actors.map(async ({ kind, own, length, ending, id }, index) => {
        const thread = own ? relayBook(options, slow).thread('t') : shared
        if (kind === 'turn') return void (await thread.send(`Turn ${index}`, { ifBusy: 'queue' }).done)
        const relay = await thread.relay(opening.slice(0, length * 2 - 1), { id: id && `${id}${length}` })
        const done =
          ending === 'stop'
            ? await relay.stop('cancelled', 'Ha')
            : await relay.answer(said(ending === 'answer' ? `Answer of ${index}.` : 'The same answer.'))
        return { relay, done }
      })
      const ended = await scheduler.waitFor(Promise.all(work))
      const log = await store.read('t')
      expect(await relayBook(options, store).thread('t').verify()).toMatchObject({ ok: true, underivable: 0 })
      expect(log.filter(({ text, kind }) => kind === 'user' && text === 'Hi')).toHaveLength(
        ended.some((one) => one) ? 1 : 0,
      )
      for (const one of ended) if (one) expectWhole(one.done, one.relay.question.id, log)
    }),
    { numRuns: cases('long') },
  )
})

function expectWhole({ receipt, answer }: RelayResult, question: string, log: readonly StoredEntry[]): void {
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  expect(answer && byId.get(answer.id)?.parent).toBe(question)
  expect(byId.get(receipt.id)).toMatchObject({ kind: 'receipt', parent: answer?.id })
  for (const { kind, parent } of log)
    if (traits[kind].chained && parent !== null) expect(traits[byId.get(parent)!.kind].chained).toBe(true)
}
