import {
  recordTexts,
  type EraseOptions,
  type NewRecord,
  type PutRecords,
  type RecordQuery,
  type Records,
  type RecordText,
  type StoredRecord,
} from 'minutebook/store'
import { transaction, type Session, type Database } from '../connection/connection.ts'
import { keyOf, nameBeside, nameFrom } from '../connection/key.ts'
import { requestOf, statement, type Request } from '../connection/statement.ts'
import type { Ask } from './snapshots.ts'
import { bounded, pagePlace } from './threads.ts'

const putRecords = statement('put-records')
const putNew = statement('put-new-record')
const putNext = statement('put-next-record')
const findRecords = statement('find-records')
const findBelow = statement('find-records-below')
const findOfThread = statement('find-thread-records')
const removeRecords = statement('remove-records')
const removeVersion = statement('remove-record-version')
const forgetRecords = statement('forget-records')

/** The records of a tenant. */
export function createRecords(database: Database, ask: Ask, tenant: string): Records {
  return {
    put: async (thread, records) =>
      transaction<PutRecords>(database, tenant, async (session) => {
        if (!(await putIn(session, thread, records))) return { undo: { ok: false, reason: 'conflict' } }
        return { ok: true, records: await storedAs(session, thread, records) }
      }),
    find: async (query) => (await ask<Row>(query.thread ?? null, findRequest(tenant, query))).map(recordOf),
    remove: async (thread, name, key) => {
      const values = [placeOf(thread), tenant, keyOf(name), key === undefined ? null : keyOf(key)]
      return (await ask(thread, { statement: removeRecords, values })).length
    },
  }
}

function findRequest(
  tenant: string,
  { name, key, thread, limit = Infinity, after, below, from = '' }: RecordQuery,
): Request {
  if (below !== undefined)
    return requestOf(findBelow, {
      tenant,
      name: keyOf(name),
      below: keyOf(below),
      from: keyOf(from),
      most: bounded(limit),
    })
  const [written, afterThread, afterKey] = after === undefined ? ['infinity', '', ''] : pagePlace(after, 2)
  return requestOf(thread === undefined ? findRecords : findOfThread, {
    tenant,
    name: keyOf(name),
    key: key === undefined ? null : keyOf(key),
    thread: thread === undefined ? undefined : placeOf(thread),
    written,
    after_thread: afterThread,
    after_key: afterKey,
    most: bounded(limit),
  })
}

/**
 * Writes records inside of a transaction. False if one does not have the expected version: then the transaction is to
 * be undone.
 */
export async function putIn(session: Session, thread: string | null, records: readonly NewRecord[]): Promise<boolean> {
  const texts = recordTexts(records)
  const at = [placeOf(thread), session.tenant]
  for (const { name, key, text, expected } of texts.filter((record) => record.expected !== undefined)) {
    const rows =
      text === null
        ? await session.run(removeVersion, [...at, keyOf(name), keyOf(key), expected])
        : expected === 0
          ? await session.run(putNew, [...at, besideOf(thread), keyOf(name), keyOf(key), nameBeside(key), text])
          : await session.run(putNext, [...at, keyOf(name), keyOf(key), text, expected])
    if (rows.length === 0) return false
  }
  const unconditional = texts.filter(({ expected }) => expected === undefined)
  for (const { name, key } of unconditional.filter(({ text }) => text === null))
    await session.run(removeRecords, [...at, keyOf(name), keyOf(key)])
  const free = unconditional.filter(({ text }) => text !== null)
  if (free.length > 0) {
    const [place, tenant] = at
    const columns = recordColumns(free)
    const { values } = requestOf(putRecords, { thread: place, tenant, thread_name: besideOf(thread), ...columns })
    await session.run(putRecords, values)
  }
  return true
}

/** The columns of records to be written, as parameters. Sorted, so that two writers of the same records do not deadlock. */
export function recordColumns(texts: readonly RecordText[]): Readonly<Record<string, readonly (string | null)[]>> {
  const sorted = texts.toSorted((one, other) => (`${one.name} ${one.key}` < `${other.name} ${other.key}` ? -1 : 1))
  return {
    record_names: sorted.map(({ name }) => keyOf(name)),
    record_keys: sorted.map(({ key }) => keyOf(key)),
    record_key_names: sorted.map(({ key }) => nameBeside(key)),
    record_values: sorted.map(({ text }) => text),
  }
}

/** Removes what goes with the entries of these ids, or with the whole thread. Returns how many. */
export async function eraseRecords(
  session: Session,
  thread: string,
  ids: readonly string[] | undefined,
  { keep = [], records = [] }: EraseOptions,
): Promise<number> {
  const at = [placeOf(thread), session.tenant]
  if (ids === undefined) return (await session.run(forgetRecords, [...at, keep.map(keyOf)])).length
  let count = 0
  for (const { name, key } of records)
    count += (await session.run(removeRecords, [...at, keyOf(name), keyOf(key)])).length
  return count
}

async function storedAs(
  session: Session,
  thread: string | null,
  records: readonly NewRecord[],
): Promise<StoredRecord[]> {
  const found: StoredRecord[] = []
  for (const { name, key } of recordTexts(records)) {
    const { statement: find, values } = findRequest(session.tenant, { name, key, thread, limit: 1 })
    const [row] = await session.run<Row>(find, values)
    if (row) found.push(recordOf(row))
  }
  return found
}

interface Row {
  readonly thread: string
  readonly thread_name: string | null
  readonly name: string
  readonly key: string
  readonly key_name: string | null
  readonly value: string
  readonly version: number
  readonly written: string
}

function recordOf({
  thread,
  thread_name: threadName,
  name,
  key,
  key_name: keyName,
  value,
  version,
  written,
}: Row): StoredRecord {
  return {
    thread: thread === ownPlace ? null : nameFrom(thread, threadName),
    name: nameFrom(name, null),
    key: nameFrom(key, keyName),
    value: JSON.parse(value) as unknown,
    version,
    position: JSON.stringify([written, thread, key]),
  }
}

/** The place of records that belong to no thread: an escape that no name produces. */
const ownPlace = '\\-'

function placeOf(thread: string | null): string {
  return thread === null ? ownPlace : keyOf(thread)
}

function besideOf(thread: string | null): string | null {
  return thread === null ? null : nameBeside(thread)
}
