import fc from 'fast-check'
import { memoryStore, type Book, type Store } from 'minutebook'
import { entryOf, type Metadata } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, system, user } from '@minutebook/testing'
import { book } from '../support/book.ts'
import { company } from '../support/instances.ts'
import { script } from '../support/scripted.ts'

const answers = (count = 9): ReturnType<typeof script> => script(...Array.from({ length: count }, () => 'Fine.'))

describe('metadata', () => {
  test('is written with the first message, in the same append', async () => {
    const store = memoryStore()
    const appended: (readonly [entries: number, records: number])[] = []
    const watched: Store = {
      ...store,
      append: (thread, entries, terms) => {
        appended.push([entries.length, terms?.records?.length ?? 0])
        return store.append(thread, entries, terms)
      },
    }
    const thread = book({ model: answers() }, watched).thread('t', { metadata: { owner: 'ann', title: 'Garden' } })
    expect(await thread.metadata()).toEqual({})
    await thread.send('Hello').done
    expect(await thread.metadata()).toEqual({ owner: 'ann', title: 'Garden' })
    // The other one is the row of the model call.
    expect(appended.map(([, records]) => records).filter(Boolean)).toEqual([2, 1])
    expect(appended[0]).toEqual([1, 2])
  })

  test('does not overwrite that of a thread that exists', async () => {
    const open = book({ model: answers() })
    await open.thread('t', { metadata: { owner: 'ann' } }).send('Hello').done
    const again = open.thread('t', { metadata: { owner: 'ben', title: 'Mine' } })
    await again.send('Hello again').done
    expect(await again.metadata()).toEqual({ owner: 'ann' })
  })

  test('is written by an import, by a relay and through a queue, too', async () => {
    const metadata = { owner: 'ann' }
    const open = book({ model: answers() })
    await open.thread('a', { metadata }).importMessages([user('Hello')])
    const relay = await open.thread('b', { metadata }).relay([user('Hello')])
    await relay.answer({ type: 'end', message: assistant('Hi'), finish: 'stop' })
    expect([await open.thread('a').metadata(), await open.thread('b').metadata()]).toEqual([metadata, metadata])
    const { join } = company()
    join({ model: answers() })
    const thread = join({}, { works: false }).book.thread('c', { metadata })
    await thread.send('Hello').done
    expect(await thread.metadata()).toEqual(metadata)
  })

  test('is changed pair by pair, and null removes a pair', async () => {
    const thread = book({ model: answers() }).thread('t', { metadata: { owner: 'ann', draft: 'yes' } })
    await thread.send('Hello').done
    expect(await thread.setMetadata({ title: 'Garden', draft: null, other: null })).toEqual({
      owner: 'ann',
      title: 'Garden',
    })
    expect(await thread.metadata()).toEqual({ owner: 'ann', title: 'Garden' })
  })

  test('needs a thread, also one that was not removed', async () => {
    const open = book({ model: answers() })
    const thread = open.thread('t')
    await expect(thread.setMetadata({ title: 'x' })).rejects.toMatchObject({ code: 'unknown_thread' })
    await thread.send('Hello').done
    await open.remove('t')
    await expect(thread.setMetadata({ title: 'x' })).rejects.toMatchObject({ code: 'unknown_thread' })
    expect(await thread.metadata()).toEqual({})
  })

  test('is not written to a thread that is removed meanwhile', async () => {
    const store = memoryStore()
    await store.append('t', [entryOf(user('Hello'))])
    let isFirst = true
    const removing: Store = {
      ...store,
      append: async (thread, entries, terms) => {
        if (isFirst) await store.remove(thread)
        isFirst = false
        return store.append(thread, entries, terms)
      },
    }
    await expect(book({}, removing).thread('t').setMetadata({ title: 'x' })).rejects.toMatchObject({
      code: 'unknown_thread',
    })
    expect(await store.records.find({ name: 'metadata' })).toEqual([])
  })

  test('has at most 16 pairs, also after changes and in an import', async () => {
    const many = (count: number): Metadata =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x']))
    const open = book({ model: answers() })
    expect(() => open.thread('u', { metadata: many(17) })).toThrow(
      expect.objectContaining({ code: 'invalid_metadata' }) as Error,
    )
    const thread = open.thread('t', { metadata: many(16) })
    await thread.send('Hello').done
    await expect(thread.setMetadata({ more: 'x' })).rejects.toMatchObject({ code: 'invalid_metadata' })
    expect(Object.keys(await thread.setMetadata({ more: 'x', k0: null }))).toHaveLength(16)
    const lines = await collect(thread.export())
    const other = book({ model: answers() }).thread('v', { metadata: { more: 'x', k0: 'x' } })
    await other.send('Hello').done
    const records = (await collect(other.export())).filter((line) => line.startsWith('{"record"'))
    const doubled = [...lines, ...records.filter((line) => line.includes('"k0"'))]
    await expect(open.restore('w', doubled)).rejects.toMatchObject({ code: 'invalid_metadata' })
  })

  test.each<[string, unknown]>([
    ['a long key', { ['k'.repeat(65)]: 'x' }],
    ['an empty key', { '': 'x' }],
    ['a control character in a key', { 'a\0': 'x' }],
    ['a long value', { k: 'x'.repeat(513) }],
    ['a number', { k: 1 }],
    ['an object', { k: {} }],
    ['a control character', { k: '\u0001' }],
    ['half a character', { k: '\ud800' }],
    ['a list', ['x']],
    ['a text', 'x'],
  ])('refuses %s, and a list that asks for it', async (_, metadata) => {
    const open = book({ model: answers() })
    const error = expect.objectContaining({ code: 'invalid_metadata' }) as Error
    expect(() => open.thread('t', { metadata: metadata as Metadata })).toThrow(error)
    await expect(open.threads({ metadata: metadata as Metadata })).rejects.toMatchObject({ code: 'invalid_metadata' })
  })

  test('goes with a fork and an export', async () => {
    const open = book({ model: answers() })
    const thread = open.thread('t', { metadata: { owner: 'ann', title: 'Garden' } })
    await thread.send('Hello').done
    expect(await (await thread.fork({ as: 'fork' })).metadata()).toEqual({ owner: 'ann', title: 'Garden' })
    const restored = await open.restore('restored', await collect(thread.export()))
    expect(await restored.metadata()).toEqual({ owner: 'ann', title: 'Garden' })
  })

  test('is in no prompt', async () => {
    const model = answers()
    await book({ model })
      .thread('t', { metadata: { owner: 'xylophone' } })
      .send('Hello').done
    expect(JSON.stringify(model.requests)).not.toContain('xylophone')
  })
})

describe('a list of threads', () => {
  test('has title, metadata and times', async () => {
    let hour = 9
    const clock = { now: () => `2026-11-17T${String(++hour)}:00:00Z`, after: () => Promise.resolve() }
    const open = book({ model: answers(), clock })
    const messages = [system('Rules.'), user('What grows  in\nthe shade?'), assistant('Ferns.')]
    await open.thread('plain').importMessages(messages, { trusted: true })
    await open.thread('titled', { metadata: { title: 'Garden', owner: 'ann' } }).importMessages([user('What is it?')])
    expect(await open.threads()).toEqual({
      threads: [
        {
          id: 'titled',
          title: 'Garden',
          metadata: { title: 'Garden', owner: 'ann' },
          entries: 2,
          created: '2026-11-17T11:00:00Z',
          written: '2026-11-17T11:00:00Z',
        },
        {
          id: 'plain',
          title: 'What grows in the shade?',
          metadata: {},
          entries: 3,
          created: '2026-11-17T10:00:00Z',
          written: '2026-11-17T10:00:00Z',
        },
      ],
    })
    await open.thread('plain').importMessages([user('And here?')])
    expect((await open.threads()).threads[0]).toMatchObject({
      id: 'plain',
      title: 'What grows in the shade?',
      created: '2026-11-17T10:00:00Z',
      written: '2026-11-17T12:00:00Z',
    })
  })

  test('has no title of a question that was erased', async () => {
    const open = book({})
    const [question] = await open.thread('t').importMessages([user('My code is 4711'), assistant('Fine.')])
    expect((await open.threads()).threads[0]?.title).toBe('My code is 4711')
    await open.thread('t').erase([question!.id])
    expect((await open.threads()).threads[0]?.title).toBeNull()
  })

  test('finds threads by metadata, a page at a time', async () => {
    const open = book({})
    for (let index = 0; index < 9; index++)
      await open
        .thread(`t${index}`, { metadata: { owner: index % 2 === 0 ? 'ann' : 'ben' } })
        .importMessages([user('Hello')])
    const first = await open.threads({ metadata: { owner: 'ann' }, limit: 3 })
    const second = await open.threads({ metadata: { owner: 'ann' }, limit: 3, after: first.next })
    expect([first, second].map(({ threads }) => threads.map(({ id }) => id))).toEqual([
      ['t8', 't6', 't4'],
      ['t2', 't0'],
    ])
    expect(second.next).toBeUndefined()
  })

  test('reads few entries of a long thread, and none of a thread that it knows', async () => {
    const store = memoryStore()
    const log = [entryOf(user('question'))]
    for (let index = 1; index < 1000; index++) log.push(entryOf(assistant(`answer ${index}`), log.at(-1)))
    await store.append('t', log)
    let read = 0
    const counting: Store = {
      ...store,
      read: async (thread, range) => {
        const entries = await store.read(thread, range)
        read += entries.length
        return entries
      },
    }
    const open = book({}, counting)
    expect((await open.threads()).threads[0]).toMatchObject({ title: 'question', entries: 1000 })
    expect(read).toBe(65)
    await open.threads()
    expect(read).toBe(65)
    await store.append('t', [entryOf(user('more'), log.at(-1))])
    expect((await open.threads()).threads[0]).toMatchObject({ title: 'question', entries: 1001 })
    expect(read).toBe(66)
  })

  test('is the same for a book that has seen all of it grow, and for a new one', async () => {
    const step = fc.record({
      thread: fc.constantFrom('a', 'b', 'c'),
      act: fc.constantFrom('say', 'say', 'say', 'many', 'title', 'erase', 'eraseFirst', 'remove', 'list'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const store = memoryStore()
        const old = book({ clock: tick() }, store)
        for (const [index, { thread, act }] of steps.entries()) await doStep(old, store, thread, act, index)
        expect(await old.threads()).toEqual(await book({}, store).threads())
      }),
    )
  })
})

async function doStep(open: Book, store: Store, thread: string, act: string, index: number): Promise<void> {
  const at = open.thread(thread)
  if (act === 'say') await at.importMessages([user(`question ${index}`), assistant('Fine.')])
  if (act === 'many')
    await at.importMessages(Array.from({ length: 70 }, (_, place) => assistant(`answer ${index} ${place}`)))
  if (act === 'title') await at.setMetadata({ title: `title ${index}` }).catch(() => undefined)
  if (act === 'erase') await at.erase()
  if (act === 'eraseFirst') await at.erase((await store.read(thread, { to: 1 })).map(({ id }) => id))
  if (act === 'remove') await open.remove(thread)
  if (act === 'list') await open.threads()
}

function tick(): { now: () => string; after: () => Promise<void> } {
  let count = 0
  return { now: () => new Date(++count * 1000).toISOString(), after: () => Promise.resolve() }
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}
