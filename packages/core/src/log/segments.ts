/**
 * The part of a store that keeps segments: parts of an index over a thread's log, made of small pieces of bytes. A
 * segment never changes. A store may lose any of them, because they can be made again from the log.
 */
export interface Segments {
  /**
   * Stores segments and removes others, all or none. A segment that is already there stays as it is. If something was
   * erased since `erasures` (of the thread's standing before the log was read), nothing happens.
   */
  change(thread: string, change: SegmentChange, erasures: number): Promise<void>
  /** Returns pieces in the order in which they are asked for. A piece that is not there is undefined. */
  read(thread: string, wanted: readonly PieceId[]): Promise<readonly (Uint8Array | undefined)[]>
  /** Returns all pieces of a segment, in order. Undefined if it is not there. */
  load(thread: string, name: string): Promise<readonly Uint8Array[] | undefined>
  /** Returns the names of all segments of a thread. */
  list(thread: string): Promise<readonly string[]>
}

/** What is stored and what is removed. */
export interface SegmentChange {
  readonly stored: readonly StoredSegment[]
  /** Names. Those that are not there are ignored. */
  readonly removed: readonly string[]
}

/** A segment: its name, and its pieces in order. At most 2^20 pieces. */
export interface StoredSegment {
  readonly name: string
  readonly pieces: readonly Uint8Array[]
}

/** A piece of a segment: the segment's name, and the piece's number, from 0. */
export interface PieceId {
  readonly segment: string
  readonly piece: number
}

/** The segments of a thread in memory. Pieces are copied, so that a caller cannot change them. */
export function memorySegments<
  Log extends { readonly segments: Map<string, readonly Uint8Array[]>; readonly erasures: number },
>(logOf: (thread: string) => Log, keep: (thread: string, log: Log) => void): Segments {
  return {
    change: async (thread, { stored, removed }, erasures) => {
      const log = logOf(thread)
      if (erasures !== log.erasures) return
      keep(thread, log)
      for (const name of removed) log.segments.delete(name)
      for (const { name, pieces } of stored)
        if (!log.segments.has(name))
          log.segments.set(
            name,
            pieces.map((piece) => piece.slice()),
          )
    },
    read: async (thread, wanted) =>
      wanted.map(({ segment, piece }) => logOf(thread).segments.get(segment)?.[piece]?.slice()),
    load: async (thread, name) =>
      logOf(thread)
        .segments.get(name)
        ?.map((piece) => piece.slice()),
    list: async (thread) => [...logOf(thread).segments.keys()],
  }
}
