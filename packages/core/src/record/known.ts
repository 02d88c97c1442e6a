import { traits } from '../log/kind.ts'
import { sizeOf } from '../log/size.ts'
import type { StoredEntry } from '../log/store.ts'
import { pendingOf, type Checkpoint } from './checkpoint.ts'
import { headOf } from './head.ts'
import { createLine, type Line } from './line.ts'

/** What is known of a log, and what is kept to find one's way in it: everything, or what came after a checkpoint with what waits from before. */
export interface Known {
  readonly start: Checkpoint | undefined
  readonly entries: StoredEntry[]
  readonly byId: Map<string, StoredEntry>
  readonly line: Line<StoredEntry>
  /** How many entries the log has. */
  length: number
  /** About how many characters `entries` hold. */
  size: number
}

export function createKnown(start?: Checkpoint): Known {
  const entries = start ? pendingOf(start) : []
  return { start, entries, byId: new Map(entries.map((entry) => [entry.id, entry])), line: createLine(entries, start?.head), length: start ? start.seq + 1 : 0, size: 0 }
}

/** Takes in what follows, and gives what of it is new. */
export function learn(known: Known, read: readonly StoredEntry[]): StoredEntry[] {
  return read.filter((entry) => {
    if (entry.seq !== known.length) return false
    known.entries.push(entry)
    known.byId.set(entry.id, entry)
    known.length++
    known.size += sizeOf(entry.raw)
    return true
  })
}

/** Whether all that follows an entry is known, and so whether something was said there before. */
export function reaches(known: Pick<Known, 'start' | 'byId'>, id: string | null): boolean {
  const { start, byId } = known
  if (!start || id === start.head) return true
  const entry = id === null ? undefined : byId.get(id)
  return entry !== undefined && (traits[entry.kind].chained || reaches(known, entry.parent))
}

/** Whether the newest turn can be told from what is known, `fresh` being what came last: it stands in it, and nothing came to what is before it. */
export function suffices(known: Known, fresh: readonly StoredEntry[]): boolean {
  const { start, entries, byId } = known
  if (!start) return true
  const isBefore = ({ kind, parent, text }: StoredEntry): boolean => {
    if (traits[kind].chained || kind === 'pending') return false
    return !reaches(known, parent) || (kind === 'revocation' && !byId.has(text))
  }
  return !fresh.some(isBefore) && hasQuestion(known, headOf(entries))
}

/** Whether the line of conversation that ends there has a question in what is known. */
function hasQuestion({ start, byId }: Known, head: string | null): boolean {
  let isAsked = false
  for (let next = head; next !== start?.head; ) {
    const entry = next === null ? undefined : byId.get(next)
    if (!entry) return false
    isAsked ||= traits[entry.kind].opensExchange
    next = entry.parent
  }
  return isAsked
}
