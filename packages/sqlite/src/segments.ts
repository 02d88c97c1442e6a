import type { DatabaseSync } from 'node:sqlite'
import type { PieceId, SegmentChange, Segments } from 'minutebook/store'
import type { Threads } from './threads.ts'
import type { Transaction } from './transaction.ts'

/** The tables of segments and their pieces. Threads are given by their numbers. */
export interface SegmentTable {
  change(thread: number, change: SegmentChange): void
  read(thread: number, wanted: readonly PieceId[]): (Uint8Array | undefined)[]
  load(thread: number, name: string): Uint8Array[] | undefined
  list(thread: number): string[]
  forget(thread: number): void
}

/** A piece is found by one number: that of its segment, then its own. */
const mostPieces = 2 ** 20

export function createSegmentTable(database: DatabaseSync): SegmentTable {
  const find = database.prepare('select number from segment where thread = ? and name = ?')
  const add = database.prepare('insert into segment (thread, name) values (?, ?)')
  const remove = database.prepare('delete from segment where number = ?')
  const list = database.prepare('select number, name from segment where thread = ? order by number')
  const piece = database.prepare('select content from piece where number = ?')
  const pieces = database.prepare('select content from piece where number >= ? and number < ? order by number')
  const addPiece = database.prepare('insert into piece (number, content) values (?, ?)')
  const removePieces = database.prepare('delete from piece where number >= ? and number < ?')

  const numberOf = (thread: number, name: string): number | undefined =>
    find.get(thread, JSON.stringify(name))?.['number'] as number | undefined
  const forget = (number: number): void => {
    removePieces.run(number * mostPieces, (number + 1) * mostPieces)
    remove.run(number)
  }
  const named = (thread: number): { readonly number: number; readonly name: string }[] =>
    list.all(thread) as unknown as { number: number; name: string }[]

  return {
    change: (thread, { stored, removed }) => {
      for (const name of removed) {
        const number = numberOf(thread, name)
        if (number !== undefined) forget(number)
      }
      for (const { name, pieces: contents } of stored) {
        if (numberOf(thread, name) !== undefined) continue
        const number = Number(add.run(thread, JSON.stringify(name)).lastInsertRowid)
        for (const [place, content] of contents.entries()) addPiece.run(number * mostPieces + place, content)
      }
    },
    read: (thread, wanted) => {
      const numbers = new Map<string, number | undefined>()
      return wanted.map(({ segment, piece: place }) => {
        if (!numbers.has(segment)) numbers.set(segment, numberOf(thread, segment))
        const number = numbers.get(segment)
        if (number === undefined || place >= mostPieces) return undefined
        return piece.get(number * mostPieces + place)?.['content'] as Uint8Array | undefined
      })
    },
    load: (thread, name) => {
      const number = numberOf(thread, name)
      if (number === undefined) return undefined
      return pieces.all(number * mostPieces, (number + 1) * mostPieces).map(({ content }) => content as Uint8Array)
    },
    list: (thread) => named(thread).map(({ name }) => JSON.parse(name) as string),
    forget: (thread) => {
      for (const { number } of named(thread)) forget(number)
    },
  }
}

/** The segments of a store. Without a `transaction`, none are saved. */
export function segmentsOf(
  table: SegmentTable,
  threads: Pick<Threads, 'find' | 'open'>,
  answer: <T>(work: () => T, thread: string) => Promise<T>,
  atOnce: Transaction,
  transaction: Transaction | undefined,
): Segments {
  return {
    change: (thread, change, erasures) =>
      answer(
        () =>
          transaction?.(() => {
            const row = threads.open(thread)
            if (erasures === row.erasures) table.change(row.number, change)
          }, thread),
        thread,
      ),
    read: (thread, wanted) =>
      answer(() => {
        const row = threads.find(thread)
        return row ? atOnce(() => table.read(row.number, wanted)) : wanted.map(() => undefined)
      }, thread),
    load: (thread, name) =>
      answer(() => {
        const row = threads.find(thread)
        return row && atOnce(() => table.load(row.number, name))
      }, thread),
    list: (thread) =>
      answer(() => {
        const row = threads.find(thread)
        return row ? table.list(row.number) : []
      }, thread),
  }
}
