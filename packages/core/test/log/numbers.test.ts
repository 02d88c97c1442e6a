import { defaultPolicy, explain, history, memoryStore, openBook, type Store, type Thread } from 'minutebook'
import { numbersOf, withNumbers } from 'minutebook/inspect'
import { entryOf } from 'minutebook/store'
import { scriptedModel, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { everything } from '../support/everything.ts'
import { pinned } from '../support/pinned.ts'
import { times } from '../support/times.ts'

/** Every number in the prompts of a thread, and the one that `numbersOf` and `explain` have for the same message. */
async function compared(store: Store, thread: Thread): Promise<number> {
  const log = await store.read(thread.id)
  let found = 0
  for (const { id: receipt, head, sent } of await thread.receipts()) {
    if (sent) continue
    const dump = await thread.dump({ receipt }).catch(() => undefined)
    if (!dump) continue
    const numbers = numbersOf(history(log, { head }))
    const entries = await dump.entries!()
    for (const { from, to, numbers: shown } of withNumbers(dump.plan.spans, history(log, { head }))) {
      const own = entries.slice(from, to).flatMap(({ id }) => numbers.get(id) ?? [])
      expect(shown).toEqual(own.length === 0 ? undefined : [own[0], own.at(-1)])
    }
    for (const [, number, start] of dump.text.matchAll(/ left out of entry #(\d+) ([0-9a-f]{8}) /g)) {
      const named = entries.find(({ id }) => id.startsWith(start!))
      if (!named) continue
      expect(Number(number)).toBe(numbers.get(named.id) ?? numbers.get(named.parent ?? ''))
      found++
    }
    for (const [, number, kind, text] of dump.text.matchAll(/^#(\d+) (user|assistant|tool)[^>\n]*> (.+)$/gm)) {
      const named = entries.find((entry) => numbers.get(entry.id) === Number(number))!
      expect(named).toMatchObject({ kind })
      expect(named.text).toContain(text!.split(' [… ')[0]!.slice(0, 20))
      found++
    }
  }
  return found
}

describe('the number of a message is the same in prompts, in plans and on its branch', () => {
  test.each([
    ['with everything in it', async (store: Store) => (await everything(store))[0]!],
    ['with pins', pinned],
  ])('in a thread %s', async (_, fill) => {
    const store = memoryStore()
    expect(await compared(store, await fill(store))).toBeGreaterThan(0)
  })

  test('in a fork, with notes, after another system text', async () => {
    const store = memoryStore()
    const model = scriptedModel(
      Array.from({ length: 30 }, (_, day) => `Day ${day}. ${times(30)} [NOTE TO SELF: day ${day}]`),
      { wire: 'openai', model: 'scripted' },
    )
    const book = (system: string): Thread =>
      openBook({ store, model, window: 400, counter: words, notes: 'block', system }).thread('t')
    const first = book('You plan trips.')
    await first.ask('What should we see?')
    await first.ask('Lena sits in a wheelchair, so no steps.')
    for (let day = 0; day < 6; day++) await first.ask(`Which tower${day} has view${day}?`)
    const second = book('You plan trips to Prague.')
    await second.ask('Are there steps for the wheelchair?')
    const forked = await second.fork({ as: 'f' })
    await forked.ask('Where is no step for the wheelchair?')
    expect(await compared(store, second)).toBeGreaterThan(0)
    expect(await compared(store, forked)).toBeGreaterThan(0)
    const chair = (await store.read('f')).find(({ text }) => text.startsWith('Lena'))!
    expect(numbersOf(history(await store.read('f'))).get(chair.id)).toBe(3)
    const { plan, text } = await forked.dump({ turn: 10 })
    expect(text).toContain('#3 user> Lena sits in a wheelchair')
    expect(explain(plan)).toMatch(/ #3 +recalled .*Lena/)
  })
})

test('messages keep their numbers in what explains a prompt after one of them was erased', async () => {
  const store = memoryStore()
  const model = scriptedModel(
    Array.from({ length: 20 }, () => 'Sow the parsnip in the north bed.'),
    { wire: 'openai', model: 'scripted' },
  )
  const policy = defaultPolicy({ recall: 'eager' })
  const thread = openBook({ store, model, window: 420, reserve: 20, policy }).thread('t')
  for (let week = 0; week < 14; week++)
    await thread.ask(week === 3 ? 'The walrus is called Ottilie.' : `Week ${week}: what goes into bed ${week}?`)
  await thread.erase([(await thread.entries())[2]!.id])
  await thread.ask('How is the walrus called?')
  const { plan, text } = await thread.dump({ turn: 15 })
  const spans = withNumbers(plan.spans, history(await store.read('t')))
  expect(text).toContain('#6 user> The walrus is called Ottilie.')
  for (const rows of [40, 12]) expect(explain({ ...plan, spans }, { rows })).toMatch(/ #6 +recalled .*The wa/)
})

test('notes have no number, and neither has a system text that was replaced', () => {
  const system = { key: 'system', origin: 'operator' } as const
  const old = entryOf({ role: 'system', content: 'old' }, undefined, system)
  const asked = entryOf({ role: 'user', content: 'asked' }, old)
  const note = entryOf({ role: 'system', content: 'note' }, asked, { kind: 'note' })
  const newer = entryOf({ role: 'system', content: 'new' }, asked, system)
  const again = entryOf({ role: 'user', content: 'again' }, newer)
  const numbers = numbersOf([old, asked, note, newer, again])
  expect([old, asked, note, newer, again].map(({ id }) => numbers.get(id))).toEqual([undefined, 1, undefined, 0, 2])
})
