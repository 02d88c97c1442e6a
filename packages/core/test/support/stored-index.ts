import type { Entry } from 'minutebook'
import type { RecallReader } from '../../src/compiler/recall.ts'
import type { SealedSegments, SegmentReader } from '../../src/compiler/recall-seal.ts'

/** A place for the segments of one index, and the entries of its log. */
export interface StoredIndex {
  readonly reader: RecallReader
  readonly segment: SegmentReader
  store(changes: Pick<SealedSegments, 'stored' | 'replaced'>): void
  /** How many pieces and bytes were read. */
  readonly read: { pieces: number; bytes: number; entries: number }
}

export function createStored(entries: readonly Entry[]): StoredIndex {
  const segments = new Map<string, readonly Uint8Array[]>()
  const read = { pieces: 0, bytes: 0, entries: 0 }
  return {
    read,
    reader: {
      pieces: async (wanted) =>
        wanted.map(({ segment, piece }) => {
          const found = segments.get(segment)?.[piece]
          read.pieces++
          read.bytes += found?.length ?? 0
          return found
        }),
      entries: async (seqs) => {
        read.entries += seqs.length
        return seqs.map((seq) => entries[seq]!)
      },
    },
    segment: async (name) => segments.get(name),
    store: ({ stored, replaced }) => {
      for (const { name, pieces } of stored) segments.set(name, pieces)
      for (const name of replaced) segments.delete(name)
    },
  }
}
