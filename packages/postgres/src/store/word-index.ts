import {
  holdsPhrases,
  mostFound,
  searchPhrases,
  searchResult,
  searchText,
  searchWords,
  type SearchResult,
} from 'minutebook/store'
import { transaction, type Session, type Database } from '../connection/connection.ts'
import { keyOf, nameFrom } from '../connection/key.ts'
import { statement } from '../connection/statement.ts'
import { entryOfRow, type EntryRow } from './entry-row.ts'
import { bounded } from './threads.ts'

const findUnsearched = statement('unsearched')
const isUnsearched = statement('unsearched-thread')
const lockUnsearched = statement('lock-unsearched')
const readLines = statement('read')
const indexWords = statement('index-words')
const sayWords = statement('words')
const findWords = statement('search')
const findWordsIn = statement('search-thread')
const findNewest = statement('search-newest')

/** How many entries are taken in at once. */
const pageSize = 500

/**
 * Indexes all entries that are not in the index yet, of one thread or of all. Threads are locked one at a time, so
 * nothing is indexed while it is erased, and writers do not deadlock.
 */
export async function catchUp(database: Database, tenant: string, thread: string | undefined): Promise<void> {
  const key = thread === undefined ? null : keyOf(thread)
  for (let more = true; more;)
    ({ more } = await transaction(database, tenant, (session) => takeIn(session, key), database.long))
}

async function takeIn(session: Session, key: string | null): Promise<{ more: boolean }> {
  const { tenant } = session
  const [behind] = await (key === null
    ? session.run<{ thread: string }>(findUnsearched, [tenant])
    : session.run<{ thread: string }>(isUnsearched, [tenant, key]))
  if (!behind) return { more: false }
  const [standing] = await session.run<{ searched: number; length: number }>(lockUnsearched, [behind.thread, tenant])
  // Another instance indexed it meanwhile, or removed it.
  if (!standing || standing.searched >= standing.length) return { more: true }
  const to = Math.min(standing.length, standing.searched + pageSize)
  const lines = await session.run<EntryRow>(readLines, [behind.thread, tenant, standing.searched, to, pageSize])
  const worded = lines.map((line) => ({ seq: line.seq, words: wordsOf(line) })).filter(({ words }) => words.size > 0)
  await session.run(indexWords, [
    behind.thread,
    tenant,
    to,
    worded.map(({ seq }) => seq),
    worded.map(({ words }) => [...words, tenantWord(tenant)].join(' ')),
  ])
  return { more: true }
}

/** How many of the newest entries are looked through before the index is asked. */
const newest = 2000

/**
 * Entries that contain every phrase, the newest first. The index returns all entries of a word before the newest of them
 * are known: so a word that many have is looked for in the newest entries. The index knows words; the text shows which of them are
 * adjacent.
 */
export async function findPhrases(
  session: Session,
  query: string,
  thread: string | undefined,
  limit: number,
): Promise<SearchResult[]> {
  const phrases = searchPhrases(query)
  const most = bounded(limit)
  const found: SearchResult[] = []
  if (phrases.length === 0 || most === 0) return found
  const words = [...new Set(phrases.flat()), tenantWord(session.tenant)]
  const areWords = phrases.every((phrase) => phrase.length === 1)
  const page = Math.min(most, 50)
  let characters = 0
  /** Returns true if nothing more is to be found. */
  const take = (rows: readonly FoundRow[]): boolean => {
    for (const row of rows) {
      const entry = entryOfRow(row)
      const text = searchText(entry)
      if (!areWords && !holdsPhrases(text, phrases)) continue
      characters += text.length
      if (characters > mostFound) return true
      found.push(searchResult(nameFrom(row.thread, row.name), entry, text))
      if (found.length === most) return true
    }
    return false
  }
  if (thread === undefined) {
    const rows = await session.run<FoundRow>(findNewest, [session.tenant, words, newest, page])
    if (take(rows)) return found
    found.length = characters = 0
  }
  await session.run(sayWords, [words.join(' ')])
  for (let offset = 0; ; offset += page) {
    const asked = [session.tenant, words, page, offset]
    const rows = await (thread === undefined
      ? session.run<FoundRow>(findWords, asked)
      : session.run<FoundRow>(findWordsIn, [...asked, keyOf(thread)]))
    if (take(rows) || rows.length < page) return found
  }
}

type FoundRow = EntryRow & { readonly thread: string; readonly name: string | null }

/** A damaged entry has no words: it is an error for its reader, but must not be one for every search. */
function wordsOf(line: EntryRow): ReadonlySet<string> {
  try {
    return new Set(searchWords(searchText(entryOfRow(line))))
  } catch {
    return new Set()
  }
}

/** No text produces a word that begins like this. */
function tenantWord(tenant: string): string {
  return `=${tenant.replaceAll(' ', '\\u0020')}`
}
