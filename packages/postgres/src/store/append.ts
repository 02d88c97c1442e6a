import {
  countText,
  hasLongImages,
  recordTexts,
  refusedBy,
  traits,
  type AppendResult,
  type AppendTerms,
  type NewEntry,
  type StoredEntry,
} from 'minutebook/store'
import type { Session, Undo } from '../connection/connection.ts'
import { keyOf, nameBeside } from '../connection/key.ts'
import { requestOf, statement, type Request } from '../connection/statement.ts'
import { entryColumns, idBytes, newEntryRow, type EntryRow, type NewEntryRow } from './entry-row.ts'
import { appendCounted, countColumns, countIn } from './figures.ts'
import { keepImages, readWhole } from './images.ts'
import { putIn, recordColumns } from './records.ts'
import { standingOf, type ThreadRow } from './threads.ts'

const appendLines = statement('append')
const appendAfter = statement('append-after')
const appendWith = statement('append-with')
const openThread = statement('open-thread')
const lockThread = statement('lock-thread')
const findEntries = statement('find-entries')

/**
 * An append in one statement, for entries that are all new, which is the usual case. Undefined if some are known not to
 * be new.
 */
export interface QuickAppend {
  readonly request: Request
  /** Undefined if nothing was written; then `append` finds out why. */
  readonly answer: (rows: readonly ThreadRow[]) => AppendResult | undefined
}

export function quickAppend(
  tenant: string,
  thread: string,
  entries: readonly NewEntry[],
  terms: AppendTerms,
): QuickAppend | undefined {
  // Images are looked up before they are written, with the thread locked.
  if (entries.some((entry) => Array.isArray(entry.images) && hasLongImages(entry))) return undefined
  const lines = entries.map(newEntryRow)
  if (lines.length === 0 || new Set(entries.map(({ id }) => id)).size < lines.length) return undefined
  if (terms.records?.some(({ expected, remove }) => expected !== undefined || remove)) return undefined
  const request = appending(tenant, thread, lines, terms)
  return request && { request, answer: ([row]) => (row ? written(row, lines) : undefined) }
}

/**
 * An append step by step, with the thread locked: for entries that may exist already, for new threads, and to find out
 * why it is refused.
 */
export async function append(
  session: Session,
  thread: string,
  entries: readonly NewEntry[],
  terms: AppendTerms,
): Promise<AppendResult | Undo<AppendResult>> {
  const { tenant } = session
  const at = [keyOf(thread), tenant] as const
  const ids = entries.flatMap(({ id, parent }) => [id, parent]).filter((id) => typeof id === 'string')
  if (entries.length > 0) await session.run(openThread, [...at, nameBeside(thread)])
  const [row] = await session.run<ThreadRow>(lockThread, at)
  const rows = await readWhole(session.run, at, async (entryOf) =>
    (await session.run<EntryRow>(findEntries, [...at, ids.map(idBytes)])).map(entryOf),
  )
  const known = new Map(rows.map((entry) => [entry.id, entry]))
  const fresh = freshLines(known, entries)
  const standing = standingOf(row)
  const isRetried = fresh.length === 0 && entries.length > 0
  const reason =
    (isRetried ? undefined : refusedBy(terms, standing)) ??
    ((await putIn(session, thread, terms.records ?? [])) ? undefined : 'conflict')
  if (reason) return { undo: { ok: false, reason, standing } }
  if (fresh.length === 0) return { ok: true, entries: entries.map(({ id }) => known.get(id)!), standing }
  const request = appending(tenant, thread, fresh, {}, known)
  if (!request) return { undo: { ok: false, reason: 'absent', standing } }
  await keepImages(session, thread, fresh)
  const [advanced] = await session.run<ThreadRow>(request.statement, request.values)
  const added = written(advanced!, fresh)
  // Last, because others may wait for its row.
  await countIn(
    session,
    countText(terms.count, (id) => fresh.some(({ entry }) => entry.id === id)),
  )
  for (const entry of added.entries) known.set(entry.id, entry)
  return { ...added, entries: entries.map(({ id }) => known.get(id)!) }
}

/** Those that are not known, each once. */
function freshLines(known: ReadonlyMap<string, StoredEntry>, entries: readonly NewEntry[]): NewEntryRow[] {
  const fresh = new Map<string, NewEntryRow>()
  for (const entry of entries) if (!known.has(entry.id) && !fresh.has(entry.id)) fresh.set(entry.id, newEntryRow(entry))
  return [...fresh.values()]
}

/** Undefined if a parent comes after its child, or is not `known`. Without `known` the statement itself checks that. */
function appending(
  tenant: string,
  thread: string,
  lines: readonly NewEntryRow[],
  { head, term, records = [], count }: AppendTerms,
  known?: ReadonlyMap<string, StoredEntry>,
): Request | undefined {
  const before = new Set<string>()
  const all = new Set(lines.map(({ entry }) => entry.id))
  const outside = new Set<string>()
  for (const {
    entry: { id, parent },
  } of lines) {
    if (parent !== null && !before.has(parent)) {
      if (all.has(parent) || (known && !known.has(parent))) return undefined
      // If the thread must end with an entry, that entry exists.
      if (parent !== head && !known) outside.add(parent)
    }
    before.add(id)
  }
  const newHead = lines.findLast(({ entry }) => traits[entry.kind].chained)?.id ?? null
  const counted = countText(count, (id) => all.has(id))
  const appended = records.length > 0 ? appendWith : outside.size === 0 ? appendLines : appendAfter
  return requestOf(counted ? appendCounted : appended, {
    thread: keyOf(thread),
    tenant,
    ...entryColumns(lines),
    new_head: newHead,
    term: term ?? null,
    has_head: head !== undefined,
    head: head === undefined || head === null ? null : idBytes(head),
    parents: [...outside].map(idBytes),
    thread_name: nameBeside(thread),
    ...recordColumns(recordTexts(records)),
    ...countColumns(counted),
  })
}

function written(row: ThreadRow, lines: readonly NewEntryRow[]): Extract<AppendResult, { ok: true }> {
  const standing = standingOf(row)
  const first = standing.length - lines.length
  return { ok: true, entries: lines.map(({ entry }, place) => ({ ...entry, seq: first + place })), standing }
}
