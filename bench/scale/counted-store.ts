import type { Store } from 'minutebook'
import { payloadOf, type StoredEntry } from 'minutebook/store'
import { processorTime } from '../processor-time.ts'

/** What a store has returned since it was reset: entries, snapshots, records and standings. */
export interface Reading {
  rows: number
  bytes: number
  /** What the counting took, in milliseconds. It is no part of the work that is measured. */
  elapsed: number
  processor: number
}

/** A store that counts what its methods return, except what was just written. */
export function countedStore(store: Store): { readonly store: Store; readonly take: () => Reading } {
  let reading = nothing()
  const count = (result: unknown): void => {
    const [began, spent] = [performance.now(), processorTime()]
    const rows: readonly unknown[] = Array.isArray(result) ? result : result === undefined ? [] : [result]
    reading.rows += rows.length
    for (const row of rows) reading.bytes += bytesOf(row)
    reading.processor += (processorTime() - spent) / 1000
    reading.elapsed += performance.now() - began
  }
  return {
    store: counted(store, count),
    take: () => {
      const taken = reading
      reading = nothing()
      return taken
    },
  }
}

function nothing(): Reading {
  return { rows: 0, bytes: 0, elapsed: 0, processor: 0 }
}

function counted<T extends object>(object: T, count: (result: unknown) => void): T {
  return new Proxy(object, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === 'object' && value !== null) return counted(value, count)
      if (typeof value !== 'function' || writers.has(name)) return value
      return async (...args: unknown[]): Promise<unknown> => {
        const result: unknown = await Reflect.apply(value, target, args)
        count(result)
        return result
      }
    },
  })
}

const writers: ReadonlySet<string | symbol> = new Set(['append', 'erase', 'remove', 'put', 'save'])

/** The bytes of a piece or an entry as it is stored, or of anything else as JSON. */
function bytesOf(row: unknown): number {
  if (row instanceof Uint8Array) return row.length
  return Buffer.byteLength(isEntry(row) ? payloadOf(row) : JSON.stringify(row))
}

function isEntry(row: unknown): row is StoredEntry {
  return typeof row === 'object' && row !== null && 'raw' in row && 'checksum' in row
}
