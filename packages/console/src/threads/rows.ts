import type { ThreadSummary } from '../api/threads.ts'

/** A row of the list: a thread, or a fold of one-off threads. */
type Row =
  | { readonly kind: 'thread'; readonly thread: ThreadSummary; readonly isInFold: boolean }
  /** `name`: the oldest of its threads. */
  | { readonly kind: 'fold'; readonly name: string; readonly count: number; readonly isOpen: boolean }

/** The least number of one-off neighbours that are folded. */
const leastFolded = 3

/**
 * The rows of the list. Neighbouring one-off threads are folded; an open fold shows all of them, a closed one only the
 * chosen.
 *
 * @example
 * rowsOf(threads, { open: new Set(), chosen: 'garden' })
 */
export function rowsOf(
  threads: readonly ThreadSummary[],
  { open, chosen }: { readonly open: ReadonlySet<string>; readonly chosen?: string | undefined },
): readonly Row[] {
  const rows: Row[] = []
  for (let start = 0; start < threads.length;) {
    const end = endOfRange(threads, start)
    const range = threads.slice(start, end)
    if (range.length < leastFolded)
      rows.push(...range.map((thread): Row => ({ kind: 'thread', thread, isInFold: false })))
    else rows.push(...folded(range, open, chosen))
    start = end
  }
  return rows
}

/** The end of a range: one thread, or neighbouring one-off threads. */
function endOfRange(threads: readonly ThreadSummary[], start: number): number {
  let end = start + 1
  if (threads[start]?.oneOff) while (threads[end]?.oneOff) end++
  return end
}

function folded(
  range: readonly ThreadSummary[],
  open: ReadonlySet<string>,
  chosen: string | undefined,
): readonly Row[] {
  // New threads come on top, so the oldest one is a stable name for the fold.
  const name = range.at(-1)!.thread
  const isOpen = open.has(name)
  const shown = isOpen ? range : range.filter(({ thread }) => thread === chosen)
  return [
    { kind: 'fold', name, count: range.length, isOpen },
    ...shown.map((thread): Row => ({ kind: 'thread', thread, isInFold: true })),
  ]
}
