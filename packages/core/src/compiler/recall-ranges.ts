/**
 * Which entries does a query look at? Those that have its stems, and those near them. They are given slots, one after
 * the other in the order of the log, so that what is computed of them fits into plain arrays, however long the log is.
 */
export interface EntryRanges {
  /** The number of slots. */
  readonly count: number
  /** Of each range of entries that follow each other: the first, the first one after it, and the slot of the first. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly slots: Int32Array
}

/** The ranges of the entries in lists of postings, and those at most `reach` before or after, up to `end`. */
export function rangesNear(lists: readonly Float64Array[], reach: number, end: number): EntryRanges {
  const entries = sortedEntries(lists)
  const starts = new Int32Array(entries.length)
  const ends = new Int32Array(entries.length)
  const slots = new Int32Array(entries.length)
  let [ranges, count] = [0, 0]
  for (let place = 0; place < entries.length; place++) {
    const entry = entries[place]!
    const to = Math.min(entry + reach + 1, end)
    const from = Math.max(0, entry - reach)
    const last = ranges > 0 ? ends[ranges - 1]! : 0
    if (ranges > 0 && from <= last) {
      count += to - last
      ends[ranges - 1] = to
    } else {
      starts[ranges] = from
      ends[ranges] = to
      slots[ranges] = count
      count += to - from
      ranges++
    }
  }
  return {
    count,
    starts: starts.subarray(0, ranges),
    ends: ends.subarray(0, ranges),
    slots: slots.subarray(0, ranges),
  }
}

function sortedEntries(lists: readonly Float64Array[]): Int32Array {
  let count = 0
  for (const list of lists) count += list.length
  const entries = new Int32Array(count)
  let next = 0
  for (const list of lists)
    for (let place = 0; place < list.length; place++) entries[next++] = Math.floor(list[place]! / 16)
  return lists.length > 1 ? entries.sort() : entries
}
