import { readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { assistant, system, user } from '@minutebook/testing'
import { sqliteStore, type SqliteStore } from '@minutebook/sqlite'
import { within } from '../../../tests/support/patience.ts'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const pathOf = temporaryFolder()

/** Which of the words are in the bytes of the file and of those beside it. */
function leftIn(path: string, words: readonly string[]): string[] {
  const beside = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))
  const bytes = beside.map((name) => readFileSync(join(dirname(path), name)))
  return words.filter((word) => bytes.some((content) => content.includes(word)))
}

const secrets = ['zanzibar', 'quagmire', 'xylophone', 'waxwing', 'jackdaw', 'kingfisher']
const [first, second, third, fourth, fifth, sixth] = secrets as [string, string, string, string, string, string]

/** A thread with a secret in each place from which it must go, among others that stay. */
function secretive(): { entries: Entry[]; chosen: Entry } {
  const before = entryOf(user('An ordinary beginning.'))
  const chosen = entryOf({ ...user(`My password is ${first}. ${'and so on '.repeat(1000)}`), custom: second }, before, {
    key: third,
    speaker: fourth,
  })
  const note = entryOf(system(`remember ${fifth}`), chosen, { kind: 'note' })
  const after = entryOf(assistant('An ordinary answer.'), chosen)
  return { entries: [before, chosen, note, after], chosen }
}

const forks = 'Forks and restored copies of this thread in this store keep what they hold: erase there too.'
const hashes =
  'The ids of erased entries stay, so that the log can still be verified, and so do hashes of prompts that held them. They are SHA-256 without a secret: anyone who reads the store and guesses the exact text can confirm it, as long as the thread is kept.'

describe('after an erasure no byte of it is left in the files', () => {
  test.each<[string, boolean]>([
    ['of one entry', false],
    ['of the whole thread', true],
  ])('%s', async (name, whole) => {
    const path = pathOf(`${name}.db`)
    const store = sqliteStore(path)
    const { entries, chosen } = secretive()
    await store.append('t', entries)
    await store.snapshots.save('t', 'state', { id: chosen.id, seq: 1, value: { bird: sixth } })
    for (let count = 0; count < 300; count++)
      await store.append(`other ${count % 3}`, [entryOf(user(`Filler ${count} about nothing.`))])
    expect(await store.search(first)).toHaveLength(1)

    const { erased, snapshots, remains } = await store.erase('t', whole ? undefined : [chosen.id])
    expect([erased.length, snapshots]).toEqual([whole ? 4 : 2, 1])
    expect(remains).toEqual([
      forks,
      hashes,
      `Copies and backups of "${name}.db" that were made before: erase there too, or delete them.`,
    ])
    expect(leftIn(path, secrets)).toEqual([])
    expect(leftIn(path, ['ordinary']).length).toBe(whole ? 0 : 1)
    store.close()
    expect(leftIn(path, secrets)).toEqual([])
  })

  test('and they were there before, each of them', async () => {
    const path = pathOf('before.db')
    using store = sqliteStore(path)
    const { entries, chosen } = secretive()
    await store.append('t', entries)
    await store.snapshots.save('t', 'state', { id: chosen.id, seq: 1, value: { bird: sixth } })
    expect(leftIn(path, secrets)).toEqual(secrets)
  })

  test('also of many entries among many, one by one, and of what their words begin with', async () => {
    const path = pathOf('many.db')
    using store = sqliteStore(path)
    const tails = new Map<string, Entry>()
    const written: { thread: string; id: string; secret: string }[] = []
    for (let count = 0; count < 300; count++) {
      const thread = `thread ${count % 7}`
      // Numbers that differ at the end only: an index likes to keep such a word as a signpost between two pages.
      const secret = `account4111${(count * 7919) % 1000}${'0'.repeat(count % 5)}${count}`
      const entry = entryOf(
        user(`${'lorem ipsum '.repeat(count % 11)} ${secret} ${'dolor '.repeat((count * 13) % 90)}`),
        tails.get(thread),
      )
      await store.append(thread, [entry])
      tails.set(thread, entry)
      written.push({ thread, id: entry.id, secret })
    }
    const chosen = written.filter((_, index) => (index * 37) % 5 === 0)
    for (const { thread, id } of chosen) await store.erase(thread, [id])
    expect(
      leftIn(
        path,
        chosen.map(({ secret }) => secret),
      ),
    ).toEqual([])
    expect(
      (await Promise.all(written.map(({ secret }) => store.search(secret)))).filter((found) => found.length === 1),
    ).toHaveLength(written.length - chosen.length)
  })
})

describe('the words of a long thread that is erased', () => {
  /** A thread of 40 secrets, and another around it with so many words that the index is rewritten in many steps. */
  async function longThread(store: SqliteStore): Promise<string[]> {
    const words: string[] = []
    let tail: Entry | undefined
    for (let count = 0; count < 40; count++) {
      // The index keeps of a word what the one before it in the alphabet does not begin with: here all but the first
      // letters.
      words.push(`qzx${count}y`)
      tail = entryOf(
        user(`${((count * 7919) % 46_656).toString(36).padStart(3, 'a')}${words[count]} lorem ipsum`),
        tail,
      )
      await store.append('long', [tail])
      await store.append(
        'other',
        Array.from({ length: 40 }, (_, other) =>
          entryOf(user(Array.from({ length: 200 }, (_, word) => `${count}w${other}w${word}`).join(' '))),
        ),
      )
    }
    await store.append('other', [entryOf(user('ipsum of somebody else'))])
    expect(await store.search('ipsum')).toHaveLength(20)
    return words
  }

  test('go a little at a time: others are served meanwhile, and find them no more', async () => {
    const path = pathOf('meanwhile.db')
    using store = sqliteStore(path)
    const words = await longThread(store)
    const erasing = store.erase('long')
    // Waits for the transaction of the erasure, not for the index.
    expect(await store.standing('long')).toMatchObject({ erasures: 1 })
    expect(await store.search('ipsum')).toMatchObject([{ thread: 'other' }])
    expect(leftIn(path, words)).not.toEqual([])
    await erasing
    expect(leftIn(path, words)).toEqual([])
    expect(await store.search('ipsum')).toMatchObject([{ thread: 'other' }])
  })

  test('go when the file is opened again, if the process ended before they were gone', async () => {
    const path = pathOf('ended.db')
    const store = sqliteStore(path)
    const words = await longThread(store)
    const erasing = store.erase('long')
    await store.standing('long')
    store.close()
    await expect(erasing).rejects.toMatchObject({ code: 'store_closed' })
    expect(leftIn(path, words)).not.toEqual([])
    using again = sqliteStore(path)
    expect(await again.search('ipsum')).toMatchObject([{ thread: 'other' }])
    await vi.waitFor(() => expect(leftIn(path, words)).toEqual([]), within(10_000))
  })
})

test('an erasure in memory leaves no files to tell of', async () => {
  using store = sqliteStore(':memory:')
  await store.append('t', secretive().entries)
  expect((await store.erase('t')).remains).toEqual([forks, hashes])
})
