import { describe, expect, test } from 'vitest'
import { memoryStore, openBook, type Book, type Store, type Thread } from 'minutebook'
import { scriptedModel } from '@minutebook/testing'

interface Rated {
  readonly store: Store
  readonly book: Book
  readonly thread: Thread
  /** The ids of question, answer, question, answer. */
  readonly ids: readonly string[]
}

async function rated(): Promise<Rated> {
  const store = memoryStore()
  let tick = 0
  const clock = {
    now: () => `2026-01-01T00:00:${String(tick++).padStart(2, '0')}.000Z`,
    after: () => new Promise<void>(() => undefined),
  }
  const book = openBook({ store, model: scriptedModel(['It is a fern.', 'Not often.']), window: 2048, clock })
  const thread = book.thread('garden')
  await thread.ask('What grows in the shade?')
  await thread.ask('How often do I water it?')
  return { store, book, thread, ids: (await thread.visible()).map(({ id }) => id) }
}

const feedbackOf = async (thread: Thread, id: string): Promise<unknown> =>
  (await thread.visible()).find((entry) => entry.id === id)?.feedback

describe('feedback', () => {
  test('is shown with its message, of each writer the newest, and can be taken back', async () => {
    const { thread, ids } = await rated()
    const said = { rating: 'down', comment: ' Ferns want water. ', tags: ['Water', 'facts', 'water'] } as const
    expect(await thread.rate(ids[3]!, { ...said, by: 'ann' })).toBe(true)
    expect(await thread.rate(ids[3]!, { ...said, by: 'ann' })).toBe(false)
    expect(await thread.rate(ids[3]!, { rating: 'up', by: 'bob' })).toBe(true)
    expect(await feedbackOf(thread, ids[3]!)).toMatchObject([
      { by: 'ann', rating: 'down', comment: 'Ferns want water.', tags: ['facts', 'water'], time: expect.any(String) },
      { by: 'bob', rating: 'up', tags: [] },
    ])
    await thread.rate(ids[3]!, { rating: 'up', by: 'ann' })
    expect(await feedbackOf(thread, ids[3]!)).toMatchObject([{ by: 'bob' }, { by: 'ann', rating: 'up', tags: [] }])
    expect(await thread.rate(ids[3]!, { by: 'ann' })).toBe(true)
    expect(await thread.rate(ids[3]!, { by: 'ann' })).toBe(false)
    expect(await feedbackOf(thread, ids[3]!)).toMatchObject([{ by: 'bob' }])
    // The same again is another entry.
    expect(await thread.rate(ids[3]!, { rating: 'up', by: 'ann' })).toBe(true)
    expect(await thread.verify()).toMatchObject({ ok: true })
  })

  test('is found by rating and by tag, in one thread or in all, and by words', async () => {
    const { book, thread, ids } = await rated()
    const other = await thread.fork({ as: 'other', at: ids[1] })
    await thread.rate(ids[1]!, { rating: 'up', tags: ['ferns'], by: 'ann' })
    await thread.rate(ids[3]!, { rating: 'down', comment: 'Ferns want water.', tags: ['ferns'], by: 'ann' })
    await other.rate(ids[1]!, { rating: 'down', by: 'bob' })
    const found = async (page: Parameters<Book['feedback']>[0]): Promise<unknown[]> =>
      (await book.feedback(page)).found.map(({ thread: name, id, feedback }) => [name, ids.indexOf(id), feedback.by])
    expect(await found({})).toEqual([
      ['other', 1, 'bob'],
      ['garden', 3, 'ann'],
      ['garden', 1, 'ann'],
    ])
    expect(await found({ rating: 'down' })).toEqual([
      ['other', 1, 'bob'],
      ['garden', 3, 'ann'],
    ])
    expect(await found({ tag: 'Ferns', rating: 'up' })).toEqual([['garden', 1, 'ann']])
    expect(await found({ query: 'water' })).toEqual([['garden', 3, 'ann']])
    expect(await found({ query: 'fern', thread: 'other' })).toEqual([['other', 1, 'bob']])
    const first = await book.feedback({ limit: 2 })
    expect(first.found).toHaveLength(2)
    expect(await found({ limit: 2, after: first.next })).toEqual([['garden', 1, 'ann']])
    expect(await book.search('want water')).toMatchObject([{ thread: 'garden', about: ids[3], by: 'ann' }])
    expect(await book.search('ferns')).toHaveLength(2)
    await thread.rate(ids[3]!, { rating: 'down', comment: 'Wrong.', by: 'ann' })
    expect(await book.search('want water')).toEqual([])
    expect(await found({ tag: 'ferns' })).toEqual([['garden', 1, 'ann']])
  })

  test('is erased with its message, or by itself with what it replaced, and is then found no more', async () => {
    const { store, book, thread, ids } = await rated()
    for (const comment of ['first secret', 'second secret'])
      for (const id of [ids[1]!, ids[3]!]) await thread.rate(id, { rating: 'up', comment, tags: ['secret'], by: 'ann' })
    const newest = (await store.read('garden')).findLast(({ kind }) => kind === 'feedback')!
    expect((await thread.erase([newest.id])).erased).toHaveLength(2)
    expect(await feedbackOf(thread, ids[3]!)).toBe(undefined)
    expect((await book.feedback({ tag: 'secret' })).found).toHaveLength(1)
    await thread.erase([ids[1]!])
    expect((await book.feedback({ tag: 'secret' })).found).toEqual([])
    expect(await book.search('secret')).toEqual([])
    expect(JSON.stringify(await store.read('garden'))).not.toContain('secret')
    for (const name of ['feedback', 'feedback:any', 'feedback:up', 'feedback#secret'])
      expect(await store.records.find({ name })).toEqual([])
    expect(await thread.verify()).toMatchObject({ ok: true })
  })

  test('counts although the log has the same already: erased, or taken back before a fork', async () => {
    const { thread, ids } = await rated()
    const same = { rating: 'up', comment: 'Yes.', by: 'ann' } as const
    await thread.rate(ids[3]!, same)
    const rating = (await thread.entries()).findLast(({ kind }) => kind === 'feedback')!
    await thread.erase([rating.id])
    await thread.rate(ids[3]!, same)
    expect(await feedbackOf(thread, ids[3]!)).toMatchObject([same])
    await thread.rate(ids[3]!, { by: 'ann' })
    const fork = await thread.fork({ as: 'fork' })
    await fork.rate(ids[3]!, same)
    expect(await feedbackOf(fork, ids[3]!)).toMatchObject([same])
    expect(await fork.verify()).toMatchObject({ ok: true })
  })

  test('that is written while its message is erased is not kept', async () => {
    const { store, ids } = await rated()
    let isErased = false
    const crowded: Store = {
      ...store,
      append: async (...appended) => {
        if (!isErased) await store.erase('garden', [ids[3]!])
        isErased = true
        return store.append(...appended)
      },
    }
    const rating = openBook({ store: crowded })
      .thread('garden')
      .rate(ids[3]!, { comment: 'secret', tags: ['secret'] })
    await expect(rating).rejects.toMatchObject({ code: 'not_ratable' })
    expect(JSON.stringify(await store.read('garden'))).not.toContain('secret')
    for (const name of ['feedback', 'feedback:any', 'feedback#secret'])
      expect(await store.records.find({ name })).toEqual([])
  })

  test('goes along with a fork, an export and an import', async () => {
    const { book, thread, ids } = await rated()
    await thread.rate(ids[3]!, { rating: 'down', tags: ['water'], by: 'ann' })
    const fork = await thread.fork({ as: 'fork' })
    const lines: string[] = []
    for await (const line of thread.export()) lines.push(line)
    const restored = await book.restore('restored', lines)
    for (const each of [fork, restored]) {
      expect(await feedbackOf(each, ids[3]!)).toMatchObject([{ by: 'ann', rating: 'down' }])
      expect((await book.feedback({ tag: 'water', thread: each.id })).found).toHaveLength(1)
      expect(await each.rate(ids[3]!, { rating: 'down', tags: ['water'], by: 'ann' })).toBe(false)
    }
    await restored.rate(ids[3]!, { by: 'ann' })
    expect((await book.feedback({ tag: 'water' })).found.map((one) => one.thread)).toEqual(['fork', 'garden'])
  })

  test('that two processes write at once is listed as the one that counts', async () => {
    const { store, thread, ids } = await rated()
    const other = openBook({ store }).thread('garden')
    for (let round = 0; round < 8; round++)
      await Promise.all([
        thread.rate(ids[3]!, { rating: 'up', tags: [`a${round}`], by: 'ann' }),
        other.rate(ids[3]!, { rating: 'down', tags: [`b${round}`], by: 'ann' }),
      ])
    const [counts] = (await feedbackOf(thread, ids[3]!)) as { rating: string; tags: readonly string[] }[]
    const listed = await Promise.all(
      ['up', 'down'].map(async (rating) => (await store.records.find({ name: `feedback:${rating}` })).length),
    )
    expect(listed).toEqual(counts!.rating === 'up' ? [1, 0] : [0, 1])
    for (let round = 0; round < 8; round++)
      for (const tag of [`a${round}`, `b${round}`])
        expect(await store.records.find({ name: `feedback#${tag}` })).toHaveLength(counts!.tags.includes(tag) ? 1 : 0)
  })

  test('tells those who watch', async () => {
    const { thread, ids } = await rated()
    const left = new AbortController()
    const seen: unknown[] = []
    const watching = (async () => {
      for await (const event of thread.watch({ from: 'now', signal: left.signal })) {
        seen.push(event.type === 'changed' ? event.entry : event.type)
        if (event.type === 'changed' && event.entry === ids[1]) left.abort()
      }
    })()
    await thread.rate(ids[3]!, { rating: 'up' })
    await thread.pin(ids[1]!)
    await watching
    expect(seen.filter((what) => what !== 'end')).toEqual([ids[3], ids[1]])
  })

  test.each([
    ['a rating that does not exist', { rating: 'sideways' as 'up' }],
    ['a comment that is too long', { comment: 'a'.repeat(4097) }],
    ['a comment with a control character', { comment: 'a\u0007' }],
    ['half of a pair of surrogates', { comment: '\ud800' }],
    ['too many tags', { tags: Array.from({ length: 9 }, (_, index) => `t${index}`) }],
    ['a tag with a space', { tags: ['two words'] }],
    ['a tag that is too long', { tags: ['t'.repeat(33)] }],
    ['an empty tag', { tags: [''] }],
    ['a writer with a line break', { rating: 'up' as const, by: 'a\u0000b' }],
  ])('refuses %s', async (_, feedback) => {
    const { thread, ids } = await rated()
    await expect(thread.rate(ids[3]!, feedback)).rejects.toMatchObject({ code: 'invalid_feedback' })
  })

  test('is refused for what is not a message', async () => {
    const { store, thread, ids } = await rated()
    await expect(thread.rate('f'.repeat(64), { rating: 'up' })).rejects.toMatchObject({ code: 'unknown_entry' })
    await thread.rate(ids[3]!, { rating: 'up' })
    const own = (await store.read('garden')).find(({ kind }) => kind === 'feedback')!
    await expect(thread.rate(own.id, { rating: 'up' })).rejects.toMatchObject({ code: 'not_ratable' })
    await thread.erase([ids[1]!])
    await expect(thread.rate(ids[1]!, { rating: 'up' })).rejects.toMatchObject({ code: 'not_ratable' })
  })
})
