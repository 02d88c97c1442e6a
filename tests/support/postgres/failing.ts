import type { Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { Pool, type PoolConfig } from 'pg'
import { onTestFinished } from 'vitest'
import { user } from '@minutebook/testing'
import type { PostgresStore } from '@minutebook/postgres'
import { gathered } from './gathered.ts'

/** In all that is written, and so in no error. */
export const canary = 'xylophone'

const segment = { name: canary, pieces: [Buffer.from(canary)] }

/** Every method, and whether it writes; called with what nobody else may be told. */
export const calls: readonly (readonly [
  name: string,
  writes: boolean,
  call: (store: PostgresStore) => Promise<unknown>,
])[] = [
  ['append', true, (store) => store.append(canary, [entryOf(user(canary))])],
  ['read', false, (store) => store.read(canary)],
  ['standing', false, (store) => store.standing(canary)],
  ['claim', true, (store) => store.claim(canary)],
  ['list', false, (store) => store.list()],
  ['search', false, (store) => store.search(canary, { thread: canary })],
  ['erase', true, (store) => store.erase(canary)],
  ['remove', true, (store) => store.remove(canary)],
  ['removeThreads', true, (store) => gathered(store.removeThreads({ all: true }))],
  ['snapshots.save', true, (store) => store.snapshots.save(canary, canary, { id: canary, seq: 0, value: canary })],
  ['snapshots.load', false, (store) => store.snapshots.load(canary, canary)],
  ['segments.change', true, (store) => store.segments.change(canary, { stored: [segment], removed: [canary] }, 0)],
  ['segments.read', false, (store) => store.segments.read(canary, [{ segment: canary, piece: 0 }])],
  ['segments.load', false, (store) => store.segments.load(canary, canary)],
  ['segments.list', false, (store) => store.segments.list(canary)],
]

/** The calls that fail, each by itself, with what they fail with. */
export async function failuresOf(store: PostgresStore): Promise<{ readonly call: string; readonly error: unknown }[]> {
  const failures: { call: string; error: unknown }[] = []
  for (const [name, , call] of calls) await call(store).catch((error: unknown) => failures.push({ call: name, error }))
  return failures
}

/** A pool for one test. Nobody hears of its broken connections but who uses them, until the test is over. */
export function open(config: PoolConfig): Pool {
  const pool = new Pool(config)
  onTestFinished(() => {
    pool.on('error', () => undefined)
    return pool.end()
  })
  return pool
}

export async function readAll(store: Store, thread: string): Promise<string[]> {
  return (await store.read(thread)).map(({ text }) => text)
}
