import { entryOf, type Store, type StoredEntry } from 'minutebook'
import { fieldsFrom } from './fields.ts'
import { scopes, type Scope } from './scope.ts'

/** A key that was made while the server ran. Of the key itself only its SHA-256 is kept. */
export interface RecordedKey {
  readonly name: string
  readonly tenant: string
  readonly scope: Scope
  /** In hexadecimal. */
  readonly sha256: string
  /** When it was made, and revoked. */
  readonly time: string
  readonly revoked?: string
}

/** The keys on record. What others write there is known after the next `refresh`. */
export interface KeyRecord {
  /** The key of a tenant of that name that counts: the one that was not revoked, else the newest. */
  named(name: string, tenant: string): RecordedKey | undefined
  /** The key with that hash, if it was not revoked. */
  withHash(sha256: string): RecordedKey | undefined
  all(): readonly RecordedKey[]
  /** Reads what has come since; several who ask meanwhile are served by one reading. */
  refresh(): Promise<void>
  /** Milliseconds since what is known here was true. */
  age(): number
  write(key: Omit<RecordedKey, 'revoked'>): Promise<void>
  revoke(key: RecordedKey, time: string): Promise<void>
}

/**
 * Kept in a thread of its own, as the directory keeps lines: `pending` entries that wait for nothing. A revocation is an
 * entry too. A second key of a name in a tenant is none while the first one is not revoked, so that all instances know the same.
 */
export function keyRecord(store: Pick<Store, 'append' | 'read'>, now: () => number = () => performance.now()): KeyRecord {
  const made = new Map<string, RecordedKey>()
  const live = new Map<string, RecordedKey>()
  const byName = new Map<string, RecordedKey>()
  let [next, at] = [0, -Infinity]

  const take = ({ text, time = '', status }: StoredEntry): void => {
    const said = status === 'erased' ? undefined : fieldsFrom(text)
    if (typeof said?.['revokes'] === 'string') return revoked(said['revokes'], time)
    const key = said && keyIn(said, time)
    if (!key || made.has(key.sha256) || isLive(byName.get(placeOf(key)))) return
    for (const map of [made, live]) map.set(key.sha256, key)
    byName.set(placeOf(key), key)
  }
  const revoked = (sha256: string, time: string): void => {
    const key = live.get(sha256)
    if (!key) return
    const gone = { ...key, revoked: time }
    live.delete(sha256)
    made.set(sha256, gone)
    byName.set(placeOf(key), gone)
  }
  const read = async (): Promise<void> => {
    const began = now()
    for (const entry of await store.read(thread, { from: next })) {
      take(entry)
      next = entry.seq + 1
    }
    at = began
  }
  const refresh = coalesced(read)
  const append = (name: string, said: object, time: string): Promise<unknown> =>
    store.append(thread, [entryOf({ role: 'user', content: JSON.stringify(said) }, undefined, { kind: 'pending', origin: 'engine', status: 'cancelled', key: name, time })])
  return {
    named: (name, tenant) => byName.get(placeOf({ name, tenant })),
    withHash: (sha256) => live.get(sha256),
    all: () => [...made.values()],
    refresh,
    age: () => now() - at,
    write: async ({ name, tenant, scope, sha256, time }) => {
      await append(name, { name, tenant, scope, sha256 }, time)
      await refresh()
    },
    revoke: async ({ name, sha256 }, time) => {
      await append(name, { revokes: sha256 }, time)
      await refresh()
    },
  }
}

const thread = 'minutebook:keys'

/** Each tenant has names of its own: what another one has must not show. */
function placeOf({ name, tenant }: Pick<RecordedKey, 'name' | 'tenant'>): string {
  return `${tenant}:${name}`
}

function isLive(key: RecordedKey | undefined): boolean {
  return key !== undefined && key.revoked === undefined
}

function keyIn({ name, tenant, scope, sha256 }: Readonly<Record<string, unknown>>, time: string): RecordedKey | undefined {
  if (typeof name !== 'string' || typeof tenant !== 'string' || typeof sha256 !== 'string') return undefined
  const known = scopes.find((each) => each === scope)
  return known && { name, tenant, scope: known, sha256, time }
}

/** Whoever asks while it runs waits for a run that begins later: one that runs may have missed what they know of. */
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
