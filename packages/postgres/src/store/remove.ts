import { MinutebookError } from 'minutebook'
import { removalRemains, type PruneResult, type Removal, type StoredThread } from 'minutebook/store'
import { hasTable, transaction, type Session, type Database } from '../connection/connection.ts'
import { keyOf, nameFrom } from '../connection/key.ts'
import { statement } from '../connection/statement.ts'
import { removeImagesOf } from './images.ts'
import { removeRestOfSegments, removeSegmentsOf } from './segments.ts'

const chooseThreads = statement('choose-threads')
const lockThread = statement('lock-thread')
const removeContents = statement('remove')
const removeRows = statement('remove-threads')
const lockUnchanged = statement('lock-unchanged')
const resetThreads = statement('reset-threads')
const unsearchThreads = statement('unsearch-threads')
const removeWords = statement('remove-words')
const removeRemaining = statement('remove-rest')

/** Which threads to remove. It must be explicit, so that a missing option does not remove everything. */
export interface RemoveOptions {
  readonly all: true
}

/** What was removed at once, and what may be left of the bytes. */
export interface RemovedThreads {
  readonly threads: readonly string[]
  readonly entries: number
  readonly snapshots: number
  readonly remains: readonly string[]
}

/** Removed at once: few enough that other writers do not wait long. */
const batch = 100

/** Removes all threads of a tenant with all that was made from them, some at a time. */
export async function* removeThreads(
  database: Database,
  tenant: string,
  options: RemoveOptions,
): AsyncGenerator<RemovedThreads> {
  checkOptions(options)
  for (;;) {
    const removed = await transaction(database, tenant, removeSome, database.long)
    if (isEmpty(removed)) break
    yield told(removed)
  }
  const rest = await transaction(database, tenant, removeRest, database.long)
  if (!isEmpty(rest)) yield told(rest)
}

function checkOptions(options: RemoveOptions | undefined): void {
  const { all, ...others } = { all: undefined, ...options }
  if (all === true && Object.keys(others).length === 0) return
  throw new MinutebookError(
    'invalid_removal',
    'The call does not say which threads to remove.',
    'Pass { all: true }, or remove old threads with prune() of a book.',
  )
}

interface Removed {
  readonly names: readonly string[]
  readonly entries: number
  readonly snapshots: number
}

const nothing: Removed = { names: [], entries: 0, snapshots: 0 }

async function removeSome(session: Session): Promise<Removed> {
  const { tenant } = session
  const chosen = await session.run<{ thread: string; name: string }>(chooseThreads, [tenant, batch])
  if (chosen.length === 0) return nothing
  const threads = chosen.map(({ thread }) => thread)
  const { entries, snapshots } = await removeFrom(session, threads)
  await session.run(removeRows, [threads, tenant])
  return { entries, snapshots, names: chosen.map(({ name }) => name) }
}

/** Removes one thread. Its row stays and fences the runners of what it had. */
export async function removeThread(session: Session, thread: string): Promise<Removal> {
  await session.run(lockThread, [keyOf(thread), session.tenant])
  const removed = await emptyThreads(session, [keyOf(thread)])
  return { thread, ...removed, remains: [...removalRemains, ...remains] }
}

/**
 * Removes those of these threads that got no entry, no term and no erasure since they were listed. A thread that another
 * session is writing to or removing stays: there is no waiting for its lock.
 */
export async function pruneThreads(session: Session, listed: readonly StoredThread[]): Promise<PruneResult> {
  const names = new Map(listed.map(({ thread }) => [keyOf(thread), thread]))
  const rows = await session.run<{ thread: string }>(lockUnchanged, [
    session.tenant,
    [...names.keys()],
    ...(['length', 'term', 'erasures'] as const).map((column) => listed.map((row) => row[column])),
  ])
  const unchanged = rows.map(({ thread }) => thread)
  const removed = await emptyThreads(session, unchanged)
  return {
    threads: unchanged.map((key) => names.get(key)!),
    ...removed,
    remains: [...removalRemains, ...remains],
  }
}

/** Their rows stay and fence the runners of what they had. With the threads locked, given by their keys. */
async function emptyThreads(session: Session, threads: readonly string[]): Promise<Counts> {
  const removed = await removeFrom(session, threads)
  const at = [threads, session.tenant]
  if (await hasTable(session, 'word')) await session.run(unsearchThreads, at)
  await session.run(resetThreads, at)
  return removed
}

type Counts = Pick<Removal, 'entries' | 'snapshots' | 'records' | 'images'>

/** Removes what these threads hold, given by their keys. With the threads locked. */
async function removeFrom(session: Session, threads: readonly string[]): Promise<Counts> {
  const { tenant } = session
  if (await hasTable(session, 'word')) await session.run(removeWords, [threads, tenant])
  const images = await removeImagesOf(session, threads)
  await removeSegmentsOf(session, threads)
  const [counts] = await session.run<Omit<Counts, 'images'>>(removeContents, [threads, tenant])
  return { entries: 0, snapshots: 0, records: 0, ...counts, images }
}

/** Threads that were never written to, and what was kept for threads that are not there. */
async function removeRest(session: Session): Promise<Removed> {
  await removeRestOfSegments(session)
  const [row] = await session.run<Omit<Removed, 'names'> & { names: string }>(removeRemaining, [session.tenant])
  return row ? { ...row, names: JSON.parse(row.names) as string[] } : nothing
}

function isEmpty({ names, snapshots }: Removed): boolean {
  return names.length === 0 && snapshots === 0
}

function told({ names, entries, snapshots }: Removed): RemovedThreads {
  return { threads: names.map((name) => nameFrom(name, null)), entries, snapshots, remains: [namesRemain, ...remains] }
}

/** What Postgres keeps of rows that were overwritten or removed, and how to end that. */
export const remains: readonly string[] = [
  'Postgres keeps the old rows in the files of its tables, even after a plain VACUUM. When no older transaction is open, run VACUUM FULL minutebook.entry, minutebook.image, minutebook.snapshot, minutebook.segment, minutebook.piece, minutebook.word, minutebook.record, minutebook.thread; then CHECKPOINT.',
  'The write-ahead log keeps the old rows too, also in files that it uses again. Run SELECT pg_switch_wal(); CHECKPOINT; as many times as pg_wal has files, plus one. Archived files stay as long as you keep them.',
  'Standbys lose the old rows when they replay this. Base backups and dumps keep them: delete those backups, or restore them and erase again.',
  'Text that was streamed while it was written may be in the notification queue of Postgres (pg_notify). Later notifications overwrite it, and a restart removes it.',
]

/** What else is kept of threads that were removed. */
const namesRemain =
  'The planner keeps samples of the names of threads. ANALYZE the same tables, then VACUUM FULL pg_statistic.'
