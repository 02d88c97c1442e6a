import type { Snapshot, Snapshots } from 'minutebook/store'
import type { Ask } from './batches.ts'
import { keyOf } from './key.ts'
import { statement } from './statement.ts'
import { bounded } from './threads.ts'

const saveSnapshot = statement('save-snapshot')
const loadSnapshot = statement('load-snapshot')

export function createSnapshots(ask: Ask, tenant: string): Snapshots {
  return {
    save: async (thread, name, { id, seq, value }, { erasures, only = false } = {}) => {
      await ask(thread, {
        statement: saveSnapshot,
        values: [keyOf(thread), tenant, keyOf(name), seq, JSON.stringify({ id, seq, value }), erasures ?? null, only],
      })
    },
    load: async (thread, name, to = Infinity) => {
      const [row] = await ask<{ value: string }>(thread, {
        statement: loadSnapshot,
        values: [keyOf(thread), tenant, keyOf(name), bounded(to)],
      })
      return row && (JSON.parse(row.value) as Snapshot)
    },
  }
}
