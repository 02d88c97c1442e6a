import type { DatabaseSync } from 'node:sqlite'
import type { Listing, Page, Standing } from 'minutebook'

export interface ThreadRow extends Standing {
  readonly number: number
}

export interface Threads {
  find(name: string): ThreadRow | undefined
  /** Finds it or makes it. */
  open(name: string): ThreadRow
  /** `written`: the number of its newest entry. */
  advance(thread: ThreadRow, written: number): void
  claim(name: string): Standing
  list(page?: Page): Listing
  nameOf(number: number): string
}

export function createThreads(database: DatabaseSync): Threads {
  const find = database.prepare('select number, head, length, term from thread where name = ?')
  const add = database.prepare('insert into thread (name) values (?) returning number, head, length, term')
  const advance = database.prepare('update thread set head = ?, length = ?, written = ? where number = ?')
  const claim = database.prepare('update thread set term = term + 1 where number = ?')
  const list = database.prepare('select name, head, length, term, written from thread where written < ? order by written desc limit ?')
  const nameOf = database.prepare('select name from thread where number = ?')

  const findRow = (name: string): ThreadRow | undefined => find.get(JSON.stringify(name)) as unknown as ThreadRow | undefined
  const openRow = (name: string): ThreadRow => findRow(name) ?? (add.get(JSON.stringify(name)) as unknown as ThreadRow)

  return {
    find: findRow,
    open: openRow,
    advance: ({ number, head, length }, written) => void advance.run(head, length, written, number),
    claim: (name) => {
      const { number, head, length, term } = openRow(name)
      claim.run(number)
      return { head, length, term: term + 1 }
    },
    list: ({ limit = 100, after } = {}) => {
      const most = bounded(limit)
      const rows = list.all(after === undefined ? Infinity : Number(after), most + 1) as unknown as (Standing & { name: string; written: number })[]
      const page = rows.slice(0, most)
      const last = page.at(-1)
      const threads = page.map(({ name, head, length, term }) => ({ thread: JSON.parse(name) as string, head, length, term }))
      return { threads, ...(last && rows.length > most && { next: String(last.written) }) }
    },
    nameOf: (number) => JSON.parse((nameOf.get(number) as unknown as { name: string }).name) as string,
  }
}

/** A number of rows as SQL takes it, for which a negative one would mean all. */
export function bounded(count: number): number {
  return count > 0 ? Math.min(Math.ceil(count), 2 ** 50) : 0
}
