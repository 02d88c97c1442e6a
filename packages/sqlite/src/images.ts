import type { DatabaseSync } from 'node:sqlite'
import { checksumOf } from './line.ts'

/** The table of images, each kept once for a thread, and of who holds them. Threads are given by their numbers. */
export interface ImageTable {
  /** To be run in a transaction, with the entry that holds them. */
  add(thread: number, seq: number, images: ReadonlyMap<string, string>): void
  /** Finds images for one read: each is looked up and checked once. */
  finder(thread: number): (hash: string) => string | undefined
  /** To be run in a transaction, for an entry that holds these no more. Removes those that no other entry holds, and returns how many. */
  release(thread: number, seq: number, hashes: readonly string[]): number
}

export function createImageTable(database: DatabaseSync): ImageTable {
  const add = database.prepare('insert into image (thread, hash, content) values (?, ?, ?)')
  const has = database.prepare('select 1 from image where thread = ? and hash = ?')
  const hold = database.prepare('insert into entry_image (thread, hash, seq) values (?, ?, ?)')
  const find = database.prepare('select content from image where thread = ? and hash = ?')
  const release = database.prepare('delete from entry_image where thread = ? and hash = ? and seq = ?')
  const remove = database.prepare('delete from image where thread = ? and hash = ? and not exists (select 1 from entry_image where entry_image.thread = image.thread and entry_image.hash = image.hash)')

  return {
    add: (thread, seq, images) => {
      for (const [hash, content] of images) {
        if (!has.get(thread, hash)) add.run(thread, hash, content)
        hold.run(thread, hash, seq)
      }
    },
    finder: (thread) => {
      const found = new Map<string, string | undefined>()
      return (hash) => {
        if (!found.has(hash)) found.set(hash, checked(hash, find.get(thread, hash)?.['content']))
        return found.get(hash)
      }
    },
    release: (thread, seq, hashes) =>
      hashes.reduce((count, hash) => {
        release.run(thread, hash, seq)
        return count + Number(remove.run(thread, hash).changes)
      }, 0),
  }
}

/** Undefined if it is not the image that was kept. */
function checked(hash: string, content: unknown): string | undefined {
  return typeof content === 'string' && checksumOf(content) === hash ? content : undefined
}
