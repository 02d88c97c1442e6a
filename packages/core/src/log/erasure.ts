import { sentAs } from './entry.ts'
import { traits } from './kind.ts'
import type { StoredEntry } from './store.ts'

/**
 * The entries of a log that an erasure makes tombstones of: those with these ids (all of them where none are given), what was
 * sent under the same key, and what was derived from either. In order; those that are tombstones already are left out.
 */
export function erasedWith(log: readonly StoredEntry[], ids: readonly string[] | undefined): StoredEntry[] {
  const named = new Set(ids ?? log.map(({ id }) => id))
  const keys = new Set(log.filter(({ id }) => named.has(id)).map(sentAs))
  keys.delete(undefined)
  const sent = new Set(log.filter((entry) => named.has(entry.id) || keys.has(sentAs(entry))).map(({ id }) => id))
  return log.filter(({ id, parent, kind, status }) => {
    const follows = traits[kind].derived && parent !== null && sent.has(parent)
    return status !== 'erased' && (sent.has(id) || follows)
  })
}
