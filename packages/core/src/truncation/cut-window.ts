import type { ReadPoint } from './read-curve.ts'

/**
 * The window that a cut shows: the most tokens of a prompt that the server reads. `anchor` was read whole, `since` are
 * the points after it that were read short, oldest first.
 */
export function cutWindow(anchor: ReadPoint, since: readonly ReadPoint[]): number {
  const most = since.reduce((largest, { read }) => Math.max(largest, read), anchor.read)
  const [last, before] = [since.at(-1), since.at(-2)]
  const isSteady = last !== undefined && before !== undefined && Math.abs(last.read - before.read) <= 1
  if (!last || last.read >= anchor.read * 0.85)
    return isSteady ? usualIn(most, most + 2) : usualIn(most, leastCut(anchor, since, most))
  if (last.read < anchor.read * 0.4) return last.read
  // Half of it is left, to the token.
  if (isSteady) return usualIn(last.read * 2 - 5, last.read * 2 + 1)
  // Blocks of half a window are gone, and what is added after that is read again.
  const first = since.find(({ thread, read }) => thread === anchor.thread && read < anchor.read * 0.85) ?? last
  const twice = 2 * (whole(anchor, first) - first.read)
  return usualIn(Math.max(most, Math.round(twice * 0.97)), Math.max(most, Math.round(twice * 1.03)))
}

/** The smallest prompt that was cut: the window is below it. */
function leastCut(anchor: ReadPoint, since: readonly ReadPoint[], most: number): number {
  const sizes = since
    .filter(({ thread, sent }) => thread === anchor.thread && sent > anchor.sent)
    .map((point) => whole(anchor, point))
  return Math.max(most, Math.round(Math.min(most * 1.1, ...sizes) * 1.02))
}

/** What a prompt would have come to, had it been read whole. */
function whole({ read, sent }: ReadPoint, later: ReadPoint): number {
  return read + Math.min(1.5, read / Math.max(1, sent)) * (later.sent - sent)
}

/** The roundest size in an interval; its lower end if it has none. */
function usualIn(least: number, most: number): number {
  for (const unit of [4096, 2048, 1024, 1000, 512, 500, 256]) {
    const size = Math.ceil(least / unit) * unit
    if (size <= most) return size
  }
  return least
}
