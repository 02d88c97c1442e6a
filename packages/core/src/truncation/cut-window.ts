import type { ReadPoint } from './read-curve.ts'

/**
 * Which window does a truncation show? Returns the most tokens of a prompt that the server reads. `anchor` was read
 * whole. `since` are the points after it that were read short, oldest first.
 */
export function cutWindow(anchor: ReadPoint, since: readonly ReadPoint[]): number {
  const most = since.reduce((largest, { read }) => Math.max(largest, read), anchor.read)
  const [last, before] = [since.at(-1), since.at(-2)]
  const isSteady = last !== undefined && before !== undefined && Math.abs(last.read - before.read) <= 1
  if (!last || last.read >= anchor.read * 0.85)
    return isSteady ? usualIn(most, most + 2) : usualIn(most, leastCut(anchor, since, most))
  if (last.read < anchor.read * 0.4) return last.read
  // Exactly half of the window is left.
  if (isSteady) return usualIn(last.read * 2 - 5, last.read * 2 + 1)
  // The server drops blocks of half a window, and reads what is added after that.
  const first = since.find(({ thread, read }) => thread === anchor.thread && read < anchor.read * 0.85) ?? last
  const twice = 2 * (whole(anchor, first) - first.read)
  return usualIn(Math.max(most, Math.round(twice * 0.97)), Math.max(most, Math.round(twice * 1.03)))
}

/** The smallest prompt that was truncated. The window is below it. */
function leastCut(anchor: ReadPoint, since: readonly ReadPoint[], most: number): number {
  const sizes = since
    .filter(({ thread, sent }) => thread === anchor.thread && sent > anchor.sent)
    .map((point) => whole(anchor, point))
  return Math.max(most, Math.round(Math.min(most * 1.1, ...sizes) * 1.02))
}

/** What a prompt would have cost if it had been read whole. */
function whole({ read, sent }: ReadPoint, later: ReadPoint): number {
  return read + Math.min(1.5, read / Math.max(1, sent)) * (later.sent - sent)
}

/** The roundest size in an interval, or its lower end if there is no round one. */
function usualIn(least: number, most: number): number {
  for (const unit of [4096, 2048, 1024, 1000, 512, 500, 256]) {
    const size = Math.ceil(least / unit) * unit
    if (size <= most) return size
  }
  return least
}
