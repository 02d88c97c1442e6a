import type { DatabaseSync } from 'node:sqlite'
import { sha256 } from 'minutebook/store'

/**
 * The table of images, each kept once per thread, and of the entries that hold them. Threads are given by their
 * numbers.
 */
export interface ImageTable {
  /**
   * Writes missing images, a piece at a time: yields the write of each, to be run in its own transaction. An image that
   * no entry holds in the end does no harm: `removeUnheld` removes it, and so does erasing the whole thread.
   */
  ahead(thread: number, images: ReadonlyMap<string, string>): Generator<() => void, void, void>
  /** To be run in a transaction, with the entry that holds them. */
  add(thread: number, seq: number, images: ReadonlyMap<string, string>): void
  /** Removes images of a thread that no entry holds. Returns how many went. */
  removeUnheld(thread: number): number
  /** Finds images for one read: each is looked up and checked once. */
  finder(thread: number): (hash: string) => string | undefined
  /**
   * To be run in a transaction, for an entry that holds these no more. Removes those that no other entry holds, and
   * returns how many.
   */
  release(thread: number, seq: number, hashes: readonly string[]): number
}

export function createImageTable(database: DatabaseSync): ImageTable {
  const add = database.prepare('insert or replace into image (thread, hash, piece, content) values (?, ?, ?, ?)')
  const has = database.prepare('select count(*) as count from image where thread = ? and hash = ?')
  const hold = database.prepare('insert into entry_image (thread, hash, seq) values (?, ?, ?)')
  const find = database.prepare('select content from image where thread = ? and hash = ? order by piece')
  const release = database.prepare('delete from entry_image where thread = ? and hash = ? and seq = ?')
  const unheld =
    'not exists (select 1 from entry_image where entry_image.thread = image.thread and entry_image.hash = image.hash)'
  const remove = database.prepare(`delete from image where thread = ? and hash = ? and ${unheld} returning piece`)
  const removeUnheld = database.prepare(`delete from image where thread = ? and ${unheld} returning piece`)
  const isWhole = (thread: number, hash: string, pieces: number): boolean =>
    Number(has.get(thread, hash)?.['count']) === pieces
  const firstPieces = (rows: readonly unknown[]): number =>
    rows.filter((row) => (row as { piece: number }).piece === 0).length

  return {
    ahead: function* (thread, images) {
      for (const [hash, content] of images) {
        const pieces = piecesOf(content)
        if (pieces.length === 1 || isWhole(thread, hash, pieces.length)) continue
        for (const [piece, text] of pieces.entries()) yield () => void add.run(thread, hash, piece, text)
      }
    },
    add: (thread, seq, images) => {
      for (const [hash, content] of images) {
        const pieces = piecesOf(content)
        if (!isWhole(thread, hash, pieces.length))
          for (const [piece, text] of pieces.entries()) add.run(thread, hash, piece, text)
        hold.run(thread, hash, seq)
      }
    },
    removeUnheld: (thread) => firstPieces(removeUnheld.all(thread)),
    finder: (thread) => {
      const found = new Map<string, string | undefined>()
      return (hash) => {
        if (!found.has(hash)) found.set(hash, checked(hash, find.all(thread, hash)))
        return found.get(hash)
      }
    },
    release: (thread, seq, hashes) =>
      hashes.reduce((count, hash) => {
        release.run(thread, hash, seq)
        return count + firstPieces(remove.all(thread, hash))
      }, 0),
  }
}

/** Characters that are written at once. */
const longestPiece = 1 << 22

/** Whether an image is kept in several pieces. */
export function hasLongImage(images: ReadonlyMap<string, string>): boolean {
  return [...images.values()].some(({ length }) => length > longestPiece)
}

/** An image in pieces, none of which ends in a lone surrogate. */
function piecesOf(content: string): readonly string[] {
  const pieces: string[] = []
  for (let from = 0; from < content.length;) {
    const unit = content.charCodeAt(from + longestPiece)
    const to = from + longestPiece - (unit >= 0xdc00 && unit < 0xe000 ? 1 : 0)
    pieces.push(content.slice(from, to))
    from = to
  }
  return pieces
}

/** Undefined if it is not the image that was kept. */
function checked(hash: string, rows: readonly { readonly content?: unknown }[]): string | undefined {
  const content = rows.map((row) => row.content).join('')
  return rows.length > 0 && sha256(content) === hash ? content : undefined
}
