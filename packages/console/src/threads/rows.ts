import type { ThreadSummary } from '../api/threads.ts'

/** What stands in one row of the list: a thread, or a fold of one-off threads. */
export type Row =
  | { readonly kind: 'thread'; readonly thread: ThreadSummary; readonly isInFold: boolean }
  /** `name`: the oldest of its threads. */
  | { readonly kind: 'fold'; readonly name: string; readonly count: number; readonly isOpen: boolean }

/** So many one-off threads beside each other are worth a fold. */
const leastFolded = 3

/**
 * The rows of a list of threads: stretches of one-off threads are folded together, unless one of them is open (by its
 * fold) or chosen.
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
    const end = endOfStretch(threads, start)
    const stretch = threads.slice(start, end)
    if (stretch.length < leastFolded)
      rows.push(...stretch.map((thread): Row => ({ kind: 'thread', thread, isInFold: false })))
    else rows.push(...folded(stretch, open, chosen))
    start = end
  }
  return rows
}

/** One thread, or as many one-off threads as follow each other. */
function endOfStretch(threads: readonly ThreadSummary[], start: number): number {
  let end = start + 1
  if (threads[start]?.oneOff) while (threads[end]?.oneOff) end++
  return end
}

function folded(
  stretch: readonly ThreadSummary[],
  open: ReadonlySet<string>,
  chosen: string | undefined,
): readonly Row[] {
  // The oldest stays the oldest while new ones come at the top: so an open fold stays open.
  const name = stretch.at(-1)!.thread
  const isOpen = open.has(name)
  const shown = isOpen ? stretch : stretch.filter(({ thread }) => thread === chosen)
  return [
    { kind: 'fold', name, count: stretch.length, isOpen },
    ...shown.map((thread): Row => ({ kind: 'thread', thread, isInFold: true })),
  ]
}
