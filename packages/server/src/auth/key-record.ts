import { MinutebookError, type Store } from 'minutebook'
import type { StoredRecord } from 'minutebook/store'
import { scopes, type Scope } from '../config/caller.ts'
import { asObject } from '../http/json.ts'

/** A key that was made while the server ran. Only the SHA-256 of the key is kept. */
export interface RecordedKey {
  readonly name: string
  readonly tenant: string
  readonly scope: Scope
  /** The key of an app that may decide about calls that need approval. */
  readonly decide?: true
  /** In hexadecimal. */
  readonly sha256: string
  /** When it was made, and revoked. */
  readonly time: string
  readonly revoked?: string
  /** When it ends by itself. Several of these may share a name. */
  readonly expires?: string
}

/** The recorded keys. Changes by other instances are known after the next `refresh`. */
export interface KeyRecord {
  /** The key with that hash, if it is valid. */
  withHash(sha256: string): RecordedKey | undefined
  all(): readonly RecordedKey[]
  /** Reads what is new. Calls at the same time share one reading. */
  refresh(): Promise<void>
  /** Milliseconds since the last successful reading. */
  age(): number
  /**
   * Not if the name has a valid key, except if both end by themselves. Throws `too_many_keys`. Also removes the keys of
   * all names that ended by themselves, or would have.
   */
  write(key: Omit<RecordedKey, 'revoked'>): Promise<void>
  revoke(key: RecordedKey, time: string): Promise<void>
}

/**
 * Kept as records of the store, one for each name of a tenant: the keys that were made under it, the newest last. A
 * name has at most one valid key, or several that end by themselves. If two of the other kind are made at once, one is
 * written. `time`: now, in ISO 8601.
 */
export function keyRecord(
  store: Pick<Store, 'records'>,
  now: () => number = () => performance.now(),
  time: () => string = () => new Date().toISOString(),
): KeyRecord {
  let known: readonly RecordedKey[] = []
  let live = new Map<string, RecordedKey>()
  let at = -Infinity
  const isValid = ({ revoked, expires }: RecordedKey): boolean =>
    revoked === undefined && (expires === undefined || expires > time())

  const read = async (): Promise<void> => {
    const began = now()
    const found = await store.records.find({ name: recordName, thread: null })
    known = found.flatMap(keysIn).toSorted((one, other) => (one.time < other.time ? -1 : 1))
    live = new Map(known.filter(isValid).map((key) => [key.sha256, key]))
    at = began
  }
  const refresh = coalesced(read)
  /** Writes the new keys of a name; undefined: nothing. Retries if another writer was faster. */
  const change = async (
    place: string,
    changed: (keys: readonly RecordedKey[]) => readonly RecordedKey[] | undefined,
  ): Promise<void> => {
    for (;;) {
      const [kept] = await store.records.find({ name: recordName, key: place, thread: null })
      const keys = changed(kept ? keysIn(kept) : [])
      if (!keys) return
      const { ok } = await store.records.put(null, [
        { name: recordName, key: place, value: keys, remove: keys.length === 0, expected: kept?.version ?? 0 },
      ])
      if (ok) return
    }
  }
  /** Removes keys for a run that no longer count. The new key remains in any case: where no key is, none is needed. */
  const prune = async ({ sha256 }: Pick<RecordedKey, 'sha256'>): Promise<void> => {
    const isOver = (key: RecordedKey): boolean => key.expires !== undefined && !isValid(key) && key.sha256 !== sha256
    const places = new Set(known.filter(isOver).map(placeOf))
    for (const place of [...places].slice(0, mostPruned))
      await change(place, (keys) => (keys.some(isOver) ? keys.filter((key) => !isOver(key)) : undefined))
    if (places.size > 0) await refresh()
  }
  return {
    withHash: (sha256) => {
      const key = live.get(sha256)
      return key && isValid(key) ? key : undefined
    },
    all: () => known,
    refresh,
    age: () => now() - at,
    write: async (key) => {
      await change(placeOf(key), (keys) => {
        const valid = keys.filter(isValid)
        if (valid.some(({ expires }) => expires === undefined || key.expires === undefined)) return undefined
        if (valid.length >= mostOfName) throw tooManyKeysError()
        return [...keys, key]
      })
      await refresh()
      await prune(key)
    },
    revoke: async (key, revoked) => {
      await change(placeOf(key), (keys) =>
        keys.map((each) => (each.sha256 === key.sha256 && each.revoked === undefined ? { ...each, revoked } : each)),
      )
      await refresh()
    },
  }
}

const recordName = 'key'
/** How many keys of one name may be valid. */
const mostOfName = 100
/** From how many names ended keys are removed at once. */
const mostPruned = 100

function tooManyKeysError(): MinutebookError {
  return new MinutebookError(
    'too_many_keys',
    `This name has ${mostOfName} valid keys, one for each run of a program, and may have no more.`,
    'Wait until a run ends, or revoke those of runs that ended without it: by their SHA-256, or all keys of the name.',
  )
}

/** Each tenant has its own names: those of others must not be visible. */
function placeOf({ name, tenant }: Pick<RecordedKey, 'name' | 'tenant'>): string {
  return `${tenant}:${name}`
}

/** Throws for a value that is not a list of keys: an unreadable key must not count as a missing one. */
function keysIn({ value }: StoredRecord): readonly RecordedKey[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isKey)) return value
  throw new MinutebookError(
    'store_corrupt',
    'A recorded key cannot be read.',
    'Restore the store from a backup, or remove the record and make the key again.',
  )
}

function isKey(value: unknown): value is RecordedKey {
  const { name, tenant, scope, decide, sha256, time, expires = '' } = asObject(value)
  return (
    [name, tenant, sha256, time, expires].every((text) => typeof text === 'string') &&
    scopes.some((each) => each === scope) &&
    (decide === undefined || decide === true)
  )
}

/** A call during a run waits for the next run: the running one may have missed what the caller knows of. */
function coalesced(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined
  const start = (): Promise<void> => {
    waiting = undefined
    running = run().finally(() => (running = undefined))
    return running
  }
  return () => {
    if (!running) return start()
    waiting ??= running.then(start, start)
    return waiting
  }
}
