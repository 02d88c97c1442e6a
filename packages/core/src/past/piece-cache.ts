import type { PieceId } from '../log/segments.ts'
import type { Store } from '../log/store.ts'

/**
 * Which pieces of segments are in memory? Those that were read last, of all threads of a book, up to a number of bytes. A
 * piece never changes, so a piece that was read is as good as the stored one. What is erased is forgotten: the thread then
 * has another number of erasures.
 */
export interface PieceCache {
  /** Returns pieces in the order in which they are asked for. Those that are not known are read from the store. */
  read(thread: CachedThread, wanted: readonly PieceId[], store: Pick<Store, 'segments'>): Promise<Pieces>
  /** Forgets all pieces of a thread. */
  forget(thread: string): void
}

/** A thread, and how often something of it was erased. */
interface CachedThread {
  readonly thread: string
  readonly erasures: number
}

type Pieces = readonly (Uint8Array | undefined)[]

interface KnownPieces {
  readonly erasures: number
  /** By segment and number. The one that was asked for last is the last. */
  readonly pieces: Map<string, Uint8Array>
}

/** `most`: how many bytes are kept. */
export function createPieceCache(most: number): PieceCache {
  /** The thread that was read last is the last. */
  const threads = new Map<string, KnownPieces>()
  let bytes = 0
  const forget = (thread: string): void => {
    for (const piece of threads.get(thread)?.pieces.values() ?? []) bytes -= piece.length
    threads.delete(thread)
  }
  const newest = ({ thread, erasures }: CachedThread): KnownPieces => {
    const known = threads.get(thread)
    if (known && known.erasures !== erasures) forget(thread)
    const found = known?.erasures === erasures ? known : { erasures, pieces: new Map<string, Uint8Array>() }
    threads.delete(thread)
    threads.set(thread, found)
    return found
  }
  /** Forgets the pieces that were not asked for the longest. */
  const shrink = (): void => {
    for (const [thread, { pieces }] of threads) {
      for (const [key, piece] of pieces) {
        if (bytes <= most) return
        pieces.delete(key)
        bytes -= piece.length
      }
      threads.delete(thread)
    }
  }
  return {
    read: async (of, wanted, { segments }) => {
      if (most <= 0) return segments.read(of.thread, wanted)
      const { pieces } = newest(of)
      const found: (Uint8Array | undefined)[] = wanted.map((id) => pieces.get(keyOf(id)))
      const missing = wanted.filter((_, place) => !found[place])
      const loaded = missing.length > 0 ? await segments.read(of.thread, missing) : []
      let next = 0
      for (let place = 0; place < found.length; place++) found[place] ??= loaded[next++]
      const { pieces: now } = newest(of)
      for (const [place, piece] of found.entries()) {
        const key = keyOf(wanted[place]!)
        const before = now.get(key)
        if (before) bytes -= before.length
        now.delete(key)
        if (!piece) continue
        now.set(key, piece)
        bytes += piece.length
      }
      shrink()
      return found
    },
    forget,
  }
}

/** Keeps nothing. */
export const uncached: PieceCache = createPieceCache(0)

function keyOf({ segment, piece }: PieceId): string {
  return `${segment} ${piece}`
}
