import { erasedWith, payloadOf, recordsErasedWith, sha256, tombstone, type EraseOptions } from 'minutebook/store'
import { hasTable, type Session } from '../connection/connection.ts'
import { keyOf } from '../connection/key.ts'
import { statement } from '../connection/statement.ts'
import { entryOfRow, type EntryRow } from './entry-row.ts'
import { releaseImages } from './images.ts'
import { eraseRecords } from './records.ts'
import { removeSegmentsOf } from './segments.ts'

const lockThread = statement('lock-thread')
const readLines = statement('read')
const eraseEntry = statement('erase-entry')
const forgetWords = statement('forget-words')
const forgetSnapshots = statement('forget-snapshots')
const countErasure = statement('count-erasure')

/** What an erasure removed, for its receipt. */
export interface Erased {
  readonly erased: readonly string[]
  readonly snapshots: number
  readonly records: number
  readonly images: number
}

/** Makes tombstones, with the thread locked: meanwhile nothing is written to it or derived from it. */
export async function erase(
  session: Session,
  thread: string,
  ids: readonly string[] | undefined,
  { keep, records = [] }: EraseOptions,
): Promise<Erased> {
  const at = [keyOf(thread), session.tenant]
  await session.run(lockThread, at)
  const lines = await session.run<EntryRow>(readLines, [...at, 0, 2 ** 31 - 1, 2 ** 31 - 1])
  const gone = erasedWith(lines.reverse().map(entryOfRow), ids)
  const seqs = gone.map(({ seq }) => seq)
  const erased = new Set(seqs)
  const payloads = gone.map((entry) => payloadOf(tombstone(entry)))
  if (gone.length > 0) {
    await session.run(eraseEntry, [
      ...at,
      seqs,
      payloads,
      payloads.map((payload) => Buffer.from(sha256(payload), 'hex')),
    ])
    if (await hasTable(session, 'word')) await session.run(forgetWords, [...at, seqs])
    await session.run(countErasure, at)
  }
  const snapshots = await session.run(forgetSnapshots, at)
  await removeSegmentsOf(session, [keyOf(thread)])
  return {
    erased: gone.map(({ id }) => id),
    snapshots: snapshots.length,
    records: await eraseRecords(session, thread, ids, { keep, records: [...records, ...recordsErasedWith(gone)] }),
    images: await releaseImages(
      session,
      thread,
      lines.filter(({ seq }) => erased.has(seq)),
      lines.filter(({ seq }) => !erased.has(seq)),
    ),
  }
}
