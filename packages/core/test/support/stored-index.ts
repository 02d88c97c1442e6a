import { MinutebookError, type Entry } from 'minutebook'
import type { Fold } from 'minutebook/fold'
import { compileInSteps } from '../../src/compiler/compile.ts'
import type { RecallReader } from '../../src/compiler/recall.ts'
import type { SealedSegments, SegmentReader } from '../../src/past/segment-seal.ts'
import type { Segment } from '../../src/compiler/stem-index.ts'
import { decodeSegment, joinContents, type SegmentContent } from '../../src/past/segment.ts'
import { storedSource, type PieceReader } from '../../src/past/stored-index.ts'
import { atOnce, inSlices } from '../../src/log/time.ts'

/** A place for the segments of one index, and the entries of its log. */
export interface StoredIndex {
  readonly reader: RecallReader
  readonly pieces: PieceReader
  readonly segment: SegmentReader
  store(changes: Pick<SealedSegments, 'stored' | 'replaced'>): void
  /** How many pieces and bytes were read. */
  readonly read: { pieces: number; bytes: number; entries: number }
}

export function createStored(entries: readonly Entry[]): StoredIndex {
  const segments = new Map<string, readonly Uint8Array[]>()
  const read = { pieces: 0, bytes: 0, entries: 0 }
  const pieces: PieceReader = async (wanted) =>
    wanted.map(({ segment, piece }) => {
      const found = segments.get(segment)?.[piece]
      read.pieces++
      read.bytes += found?.length ?? 0
      return found
    })
  return {
    read,
    pieces,
    reader: {
      source: (index) => storedSource(index, pieces),
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

/** What stored segments say, all together. */
export async function contentsOf(segments: readonly Segment[], stored: StoredIndex): Promise<SegmentContent> {
  const contents: SegmentContent[] = []
  for (const segment of segments) contents.push(atOnce(decodeSegment(segment, (await stored.segment(segment.name))!)))
  return joinContents(contents)
}

/** The prompt of a fold as text, or why there is none. */
export async function outcome(fold: Fold, stored?: StoredIndex): Promise<string> {
  try {
    return JSON.stringify(await inSlices(compileInSteps(fold, stored?.reader), () => undefined))
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code !== 'not_loaded') return error.message
    throw error
  }
}
