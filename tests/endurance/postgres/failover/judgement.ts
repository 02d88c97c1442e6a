import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Store } from 'minutebook'
import { checkConsistency } from '@minutebook/testing'
import type { Load } from './load.ts'

/** What a load's clients saw, held against the log as it is now. */
export interface Judgement {
  /** Entries that were acknowledged, each counted once. */
  readonly acknowledged: number
  /** Acknowledged entries that are not in the log. */
  readonly lost: number
  /** Entries that are in the log more than once. */
  readonly doubled: number
  readonly findings: readonly string[]
}

export async function judge(load: Load, store: Store): Promise<Judgement> {
  const judged = await Promise.all(
    load.threads.map(async (thread) => {
      const begin = performance.now()
      const entries = await store.read(thread)
      const there = new Set(entries.map(({ id }) => id))
      const ids = load
        .appendsOn(thread)
        .filter(({ outcome }) => outcome === 'written')
        .flatMap((append) => append.ids)
      const acknowledged = [...new Set(ids)]
      const findings = checkConsistency([
        ...load.operationsOn(thread),
        { kind: 'read', begin, end: performance.now(), entries },
      ])
      const repeated =
        acknowledged.length === ids.length
          ? []
          : [
              `the writers of ${thread} wrote ${ids.length} entries, but only ${acknowledged.length} different ones: this shows nothing`,
            ]
      return {
        acknowledged: acknowledged.length,
        lost: acknowledged.filter((id) => !there.has(id)).length,
        doubled: entries.length - there.size,
        findings: [...findings, ...repeated],
      }
    }),
  )
  const sum = (count: 'acknowledged' | 'lost' | 'doubled'): number =>
    judged.reduce((total, each) => total + each[count], 0)
  return {
    acknowledged: sum('acknowledged'),
    lost: sum('lost'),
    doubled: sum('doubled'),
    findings: judged.flatMap(({ findings }) => findings),
  }
}

/** Whether a replica has the very logs of the primary, or gets them soon. */
export async function hasSameLogs(replica: Store, primary: Store, threads: readonly string[]): Promise<boolean> {
  for (const end = Date.now() + 30_000; Date.now() < end; await pause(250)) {
    const same = await Promise.all(
      threads.map(async (thread) => isDeepStrictEqual(await replica.read(thread), await primary.read(thread))),
    )
    if (same.every(Boolean)) return true
  }
  return false
}
