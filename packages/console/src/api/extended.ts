import type { Entry, ShownThread } from './types.ts'

/**
 * A branch with an entry that was told just now; undefined where it does not go on from there, and all must be read
 * anew.
 *
 * @example
 * const next = extended(shown, entry) ?? (await read())
 */
export function extended(shown: ShownThread, entry: Entry): ShownThread | undefined {
  if (shown.entries.some(({ id }) => id === entry.id)) return shown
  const isChained = chained.has(entry.kind)
  if (entry.parent !== (shown.head === '' ? null : shown.head)) return undefined
  const turn = entry.kind === 'user' ? { turn: shown.entries.filter(({ kind }) => kind === 'user').length + 1 } : {}
  const entries = [...shown.entries, { ...entry, ...turn }]
  if (!isChained) return { ...shown, entries }
  return {
    ...shown,
    entries,
    head: entry.id,
    branches: [entry.id, ...shown.branches.filter((head) => head !== shown.head)],
  }
}

const chained: ReadonlySet<Entry['kind']> = new Set(['system', 'user', 'assistant', 'tool'])
