import type { Entry } from 'minutebook'
import {
  countText,
  putImagesBack,
  refusedBy,
  traits,
  withoutImages,
  workLeft,
  type AppendResult,
  type AppendTerms,
  type Standing,
  type StoredEntry,
} from 'minutebook/store'
import type { FigureTable } from './figures.ts'
import type { ImageTable } from './images.ts'
import { placed, type NewLine, type UnplacedLine } from './line.ts'
import type { Lines } from './lines.ts'
import type { RecordTable } from './records.ts'
import { standingOf, type ThreadRow, type Threads } from './threads.ts'
import type { WordIndex } from './word-index.ts'

export interface Tables {
  readonly threads: Threads
  readonly lines: Lines
  readonly images: ImageTable
  readonly index: WordIndex
  readonly records: RecordTable
  readonly figures: FigureTable
}

/** To be run in a transaction. Yields between the lines. */
export function* append(
  tables: Tables,
  name: string,
  lines: readonly UnplacedLine[],
  terms: AppendTerms,
): Generator<void, AppendResult, void> {
  const thread = tables.threads.find(name)
  const { known, fresh } = yield* sorted(tables, thread, lines)
  const standing = standingOf(thread)
  const { records = [] } = terms
  const answer = (after: Standing): AppendResult => {
    tables.records.write(name, records)
    return { ok: true, entries: lines.map(({ entry: { id } }) => known.get(id)!), standing: after }
  }
  const isRetried = fresh.length === 0 && lines.length > 0
  const reason =
    (isRetried ? undefined : refusedBy(terms, standing)) ??
    (tables.records.holds(name, records) ? undefined : 'conflict')
  if (reason) return { ok: false, reason, standing }
  if (fresh.length === 0) return answer(standing)
  const parents = parentsOf(tables.lines, thread, known, fresh)
  if (!parents) return { ok: false, reason: 'absent', standing }
  const count = countText(terms.count, (id) => fresh.some(({ entry }) => entry.id === id))
  if (count) tables.figures.add(count)
  return answer(yield* write(tables, thread ?? tables.threads.open(name), fresh, parents))
}

/** All entries by id as they are or will be stored, and those that are new, each once. */
function* sorted(
  { lines, images }: Tables,
  thread: ThreadRow | undefined,
  unplaced: readonly UnplacedLine[],
): Generator<void, { known: Map<string, StoredEntry>; fresh: NewLine[] }, void> {
  const known = new Map<string, StoredEntry>()
  const fresh: NewLine[] = []
  const find = thread && images.finder(thread.number)
  for (const next of unplaced) {
    yield
    const { id } = next.entry
    if (known.has(id)) continue
    const line = thread && lines.find(thread.number, id)
    if (line && find) {
      known.set(id, putImagesBack(line, find))
      continue
    }
    const added = placed(next, (thread?.length ?? 0) + fresh.length)
    fresh.push(added)
    known.set(id, added.entry)
  }
  return { known, fresh }
}

/** The seq of each new entry's parent; undefined if one is not in the log, or only after its child. */
function parentsOf(
  lines: Lines,
  thread: ThreadRow | undefined,
  known: ReadonlyMap<string, StoredEntry>,
  fresh: readonly NewLine[],
): (number | null)[] | undefined {
  const parents: (number | null)[] = []
  for (const {
    seq,
    entry: { parent },
  } of fresh) {
    const place = parent === null ? null : (known.get(parent)?.seq ?? (thread && lines.seqOf(thread.number, parent)))
    if (place === undefined || (place !== null && place >= seq)) return undefined
    parents.push(place)
  }
  return parents
}

function* write(
  { threads, lines, images }: Tables,
  thread: ThreadRow,
  fresh: readonly NewLine[],
  parents: readonly (number | null)[],
): Generator<void, Standing, void> {
  let { head } = thread
  let written = 0
  for (const [place, line] of fresh.entries()) {
    written = lines.add(thread.number, parents[place] ?? null, line)
    images.add(thread.number, line.seq, line.images)
    yield
    if (traits[line.entry.kind].chained) head = line.entry.id
  }
  const length = thread.length + fresh.length
  const readTail = (last: number): Entry[] => lines.read(thread.number, { last }).map(withoutImages)
  const added = fresh.map(({ entry }) => entry)
  const unfinished = workLeft(thread.unfinished, added, readTail)
  threads.advance({ ...thread, head, length, unfinished }, written)
  return { ...standingOf(thread), head, length }
}
