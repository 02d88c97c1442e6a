import fc from 'fast-check'
import { memoryStore, openBook, type BookOptions, type Model, type Store, type Thread, threadCache } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { words } from '@minutebook/testing'
import { OpenThreads, type OpenThread } from '../../src/book/held-threads.ts'
import type { OpenOptions } from '../../src/book/thread-options.ts'
import { cases } from '../../../../tests/support/runs.ts'
import { script } from '../support/scripted.ts'

const model: Model = Object.assign(
  async function* () {
    yield { type: 'end' as const, message: { role: 'assistant' as const, content: 'Yes.' }, finish: 'stop' as const }
  },
  { model: 'scripted', wire: 'openai' as const },
)
const settings = { model, window: 400, counter: words } as const

/** A store that counts the entries that are read from it. */
function counted(): { readonly store: Store; readonly read: () => number } {
  const store = memoryStore()
  let entries = 0
  return {
    store: {
      ...store,
      read: async (...given) => {
        const found = await store.read(...given)
        entries += found.length
        return found
      },
    },
    read: () => entries,
  }
}

async function talk(thread: Thread, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++)
    expect((await thread.send(`Question ${turn} about the harbour`).done).status).toBe('complete')
}

describe('a thread that is opened again', () => {
  test('with the same options is the same object, and reads nothing again', async () => {
    const { store, read } = counted()
    const book = openBook({ ...settings, store })
    await talk(book.thread('a'), 30)
    const before = read()
    await talk(book.thread('a'), 1)
    expect(read()).toBe(before)
    expect(book.thread('a')).toBe(book.thread('a', { window: undefined }))
    expect(book.thread('a')).not.toBe(book.thread('b'))
  })

  test('with other options is another one, and each sees what the other wrote', async () => {
    const book = openBook({ ...settings, store: memoryStore() })
    const [plain, brief] = [book.thread('a'), book.thread('a', { system: 'Be brief.' })]
    expect(brief).not.toBe(plain)
    expect(book.thread('a', { system: 'Be brief.' })).toBe(brief)
    await talk(plain, 2)
    await talk(brief, 2)
    await talk(plain, 1)
    const said = (await brief.messages()).filter(({ role }) => role === 'user')
    expect(said.length).toBe(5)
    expect(await plain.messages()).toEqual(await brief.messages())
    expect((await plain.verify()).ok).toBe(true)
  })

  test('has the same entries as one that reads the log afresh', async () => {
    const store = memoryStore()
    const [one, other] = [openBook({ ...settings, store }), openBook({ ...settings, store })]
    for (let turn = 0; turn < 12; turn++) await talk((turn % 3 ? one : other).thread('a'), 1)
    const fresh = openBook({ ...settings, store }).thread('a')
    for (const book of [one, other]) expect(await book.thread('a').entries()).toEqual(await fresh.entries())
    expect(await one.thread('a').dump()).toEqual(await fresh.dump())
  })

  test('is followed by each of its callers until that one leaves', async () => {
    const book = openBook({ ...settings, store: memoryStore() })
    const seen = new Map<string, number>()
    const leaving = new AbortController()
    const follow = async (name: string, signal: AbortSignal, most: number): Promise<void> => {
      for await (const event of book.thread('a').watch({ signal })) {
        if (event.type !== 'entry') continue
        seen.set(name, (seen.get(name) ?? 0) + 1)
        if (seen.get(name) === most) return
      }
    }
    const short = follow('short', leaving.signal, 2)
    const long = follow('long', leaving.signal, 6)
    await talk(book.thread('a'), 3)
    await Promise.all([short, long])
    expect([...seen]).toEqual(
      expect.arrayContaining([
        ['short', 2],
        ['long', 6],
      ]),
    )
  })

  test('takes the messages of two callers one after the other', async () => {
    const book = openBook({ ...settings, store: memoryStore() })
    const turns = ['One?', 'Two?'].map((text) => book.thread('a').send(text, { ifBusy: 'queue' }))
    expect(await Promise.all(turns.map(async ({ done }) => (await done).status))).toEqual(['complete', 'complete'])
    expect((await book.thread('a').messages()).map(({ content }) => content)).toEqual(['One?', 'Yes.', 'Two?', 'Yes.'])
  })

  test('goes on with both callers if one of them cancels', async () => {
    const book = openBook({ ...settings, store: memoryStore(), model: script('One.', 'Two.') })
    const first = book.thread('a').send('First?')
    const second = book.thread('a').send('Second?', { ifBusy: 'queue' })
    second.cancel()
    expect([(await first.done).status, (await second.done).status]).toEqual(['complete', 'cancelled'])
  })

  test('is a new one after its removal', async () => {
    const book = openBook({ ...settings, store: memoryStore() })
    const thread = book.thread('a')
    await talk(thread, 2)
    await book.remove('a')
    expect(book.thread('a')).not.toBe(thread)
    await talk(book.thread('a'), 1)
    expect((await thread.messages()).length).toBe(2)
  })

  test('knows of an erasure by another process', async () => {
    const store = memoryStore()
    const book = openBook({ ...settings, store })
    await talk(book.thread('a'), 2)
    const [secret] = await book.thread('a').entries()
    await openBook({ ...settings, store })
      .thread('a')
      .erase([secret!.id])
    const [erased] = await book.thread('a').entries()
    expect(erased).toMatchObject({ status: 'erased', text: '' })
  })
})

describe('what is held', () => {
  const store = memoryStore()
  const held = (id: string, options: OpenOptions, size: number): OpenThread => {
    const handle = { thread: id, store, options } as OpenThread['handle']
    return { handle, thread: { id } as Thread, logs: [{ size } as OpenThread['logs'][number]] }
  }
  const options = {} as OpenOptions

  test('is bounded by number and by size, and the longest unused are let go', () => {
    const opening = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom(10, 3_000_000, 9_000_000))
    fc.assert(
      fc.property(fc.array(opening, { maxLength: 30 }), fc.integer({ min: 0, max: 4 }), (openings, most) => {
        const threads = new OpenThreads({ threads: most })
        let known: OpenThread[] = []
        for (const [id, size] of openings) {
          const before = known.find(({ thread }) => thread.id === id)
          const created = held(id, options, size)
          const found = threads.open(store, id, options, () => created)
          const isSmall = before?.logs[0]!.size !== 9_000_000
          expect(found).toBe(before && isSmall ? before : created)
          known = [...known.filter((each) => each !== before), found].slice(-most || Infinity)
          while (known.reduce((sum, { logs }) => sum + logs[0]!.size, 0) > 16_000_000) known.shift()
        }
      }),
    )
  })

  test('has the entries from a place on as they are stored, or says that it lacks them', async () => {
    const writer = fc.constantFrom('plain', 'brief', 'elsewhere')
    await fc.assert(
      fc.asyncProperty(fc.array(writer, { maxLength: 12 }), fc.constantFrom(4, undefined), async (writers, every) => {
        const store = memoryStore()
        const heldThreads = threadCache()
        const options = { ...settings, store, checkpointEvery: every }
        const book = openBook({ ...options, heldThreads })
        for (const each of writers) {
          const from = each === 'elsewhere' ? openBook(options) : book
          await talk(from.thread('a', each === 'brief' ? { system: 'Be brief.' } : {}), 1)
          const stored = await store.read('a')
          for (const { seq } of stored) {
            const held = heldThreads.since(store, 'a', seq)
            expect(held ?? []).toEqual(stored.slice(seq, seq + (held?.length ?? 0)))
            // Who wrote last has all that came with it, and all that came before if nothing is forgotten.
            const isHeld = each !== 'elsewhere' && (every === undefined || seq === stored.length - 1)
            if (isHeld) expect(held?.length).toBe(stored.length - seq)
          }
          expect(heldThreads.since(store, 'a', stored.length)).toBeUndefined()
          expect(heldThreads.since(memoryStore(), 'a', 0)).toBeUndefined()
        }
      }),
      { numRuns: cases('long') },
    )
  })

  test('is shared by books, and not by their stores', async () => {
    const heldThreads = threadCache({ threads: 2 })
    const [one, other] = [0, 1].map(() => openBook({ ...settings, store: memoryStore(), heldThreads }))
    await talk(one!.thread('a'), 1)
    const [first, second] = [one!.thread('a'), other!.thread('a')]
    expect(await second.messages()).toEqual([])
    expect([one!.thread('a'), other!.thread('a')]).toEqual([first, second])
    await one!.remove('a')
    expect(other!.thread('a')).toBe(second)
    other!.thread('b')
    other!.thread('c')
    expect(other!.thread('a')).not.toBe(second)
    expect(heldThreads.count).toBe(2)
  })

  test.each<[string, Partial<BookOptions>]>([
    ['nothing', { heldThreads: 0 }],
    ['only the newest', { heldThreads: 1 }],
  ])('may be %s', async (_, limit) => {
    const book = openBook({ ...settings, ...limit, store: memoryStore() })
    const first = book.thread('a')
    await talk(first, 1)
    await talk(book.thread('b'), 1)
    expect(book.thread('a')).not.toBe(first)
    await talk(book.thread('a'), 1)
    expect((await first.messages()).length).toBe(4)
  })
})
