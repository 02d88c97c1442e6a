import {
  addedTo,
  earlierOf,
  howItCounts,
  isOfNewPart,
  ratioAt,
  type EarlierPoint,
  type KnownPoint,
  type PointFinding,
  type ReadPoint,
  type ServerCounts,
} from './server-counts.ts'

/** What a curve says about its newest point. */
export interface CurveFinding {
  readonly is: PointFinding
  /** Of a cut: the point before it that was read whole, and the points since, oldest first. */
  readonly anchor?: ReadPoint | undefined
  readonly since?: readonly ReadPoint[] | undefined
}

/**
 * What does the newest count mean, compared with the counts before it? Compares prompts of one thread of which the
 * later one begins with the earlier one: the count must include what was added. If a server has the beginning in a
 * cache and counts only the rest, its count shows only what is new, and means nothing here.
 *
 * @example
 * findOnCurve(known, newest).is // 'cut'
 */
export function findOnCurve(known: readonly KnownPoint[], newest: ReadPoint): CurveFinding {
  const counting = howItCounts(known, newest)
  const earlier = earlierOf(known, newest)
  const isSmall = newest.read < newest.sent * counting.ratio * 0.5
  if (earlier.length === 0) return { is: isSmall ? 'short' : 'open' }
  const short = isOfNewPart(newest, counting.ratio * 2)
    ? undefined
    : earlier.find((each) => lackOf(each, newest, counting) >= 0)
  const isFull = isRepeated(earlier, newest, counting)
  if (short || isFull) {
    const since = shortSince(known, newest, counting)
    const canShow =
      counting.kind !== 'uncached' &&
      followsWhatIsSent(known, newest, counting) &&
      !hasReadMore(known, newest, earlier[0]!.point)
    return canShow && (isFull || isCut(newest, { earlier: short!, since }, counting))
      ? { is: 'cut', anchor: largestOf(earlier), since }
      : { is: 'short' }
  }
  const sound = earlier.find(({ point: { is } }) => is === 'whole' || is === 'open')
  if (!sound) return { is: newest.read < newest.sent * counting.ratio * 0.8 ? 'short' : 'open' }
  return { is: !isSmall && isInLine(sound, newest) ? 'whole' : 'short' }
}

function isInLine(earlier: EarlierPoint, newest: ReadPoint): boolean {
  const { point, gone } = earlier
  return newest.read - point.read >= ratioAt(point) * (addedTo(earlier, newest) * 0.6 - gone * 1.6 - point.optional) - 8
}

/** How many tokens are missing in the count of the later prompt, compared with the earlier one. Below 0 if none are. */
function lackOf(earlier: EarlierPoint, newest: ReadPoint, { ratio, noise, doubt, least, image }: ServerCounts): number {
  const { point } = earlier
  const added = addedTo(earlier, newest)
  const shown = earlier.gone > 0 ? 0 : (newest.images - point.images) * image
  // An image may be left out when the next message comes.
  if (
    added + shown < 40 ||
    (point.images > 0 && point.reused < point.sent * 0.5) ||
    point.read < point.sent * ratio * 0.6
  )
    return -1
  const expected = added * (least === undefined ? ratioAt(point) * 0.35 : least * 0.6) + shown * 0.8
  return expected - Math.max(noise, doubt) - (newest.read - point.read)
}

/** True if the count is exactly the same although something was added: then the window is full. */
function isRepeated(
  earlier: readonly EarlierPoint[],
  newest: ReadPoint,
  { kind, noise, doubt, ratio }: ServerCounts,
): boolean {
  if (noise >= 160 || isOfNewPart(newest, ratio * 2)) return false
  // Only the points right before it. If a count equals a much earlier one by chance, that means nothing.
  const other = earlier.findIndex(({ point }) => Math.abs(newest.read - point.read) > 1)
  const same = earlier
    .slice(0, other < 0 ? undefined : other)
    .filter(({ point, gone }) => newest.sent - point.sent >= 24 + gone && point.images === newest.images)
  const added = same.map((each) => addedTo(each, newest)).filter((count) => count >= 8)
  if (kind === 'unsure') return added.filter((count) => count >= 64).length >= 2
  return added.length >= 2 || (kind === 'whole' && noise < 16 && doubt < 320 && added.some((count) => count >= 64))
}

/** True if smaller prompts had smaller counts. A server that always reports the same count says nothing. */
function followsWhatIsSent(known: readonly KnownPoint[], newest: ReadPoint, { ratio }: ServerCounts): boolean {
  return (
    known.filter(({ read, sent }) => read <= newest.read * 0.9 && read <= sent * 1.8 + 64 && read >= sent * ratio * 0.4)
      .length >= 2
  )
}

/** True if the server has just read a larger prompt than this one: then this one was not too large. */
function hasReadMore(known: readonly KnownPoint[], newest: ReadPoint, last: KnownPoint): boolean {
  const size = last.is === 'short' || last.is === 'cut' ? newest.sent : newest.sent * ratioAt(last)
  return known.slice(-8).some(({ is, read }) => (is === 'whole' || is === 'open') && read > size * 1.1)
}

/** The point with the largest count. */
function largestOf(earlier: readonly EarlierPoint[]): ReadPoint {
  return earlier.map(({ point }) => point).reduce((most, point) => (point.read > most.read ? point : most))
}

/** True if enough calls in a row were short, at the same level. */
function isCut(
  newest: ReadPoint,
  { earlier, since }: { readonly earlier: EarlierPoint; readonly since: readonly ReadPoint[] },
  counting: ServerCounts,
): boolean {
  const { kind, noise, hidden } = counting
  const hasFallen = newest.read < earlier.point.read * 0.85
  const isSteady = since.length >= 2 && since.slice(-2).every(({ read }) => Math.abs(read - newest.read) <= 1)
  if (kind === 'unsure') return !hasFallen && since.length >= 3
  const lack = lackOf(earlier, newest, counting)
  if (since.length === 1) return kind === 'whole' && noise === 0 && !hasFallen && lack >= Math.max(48, 0.75 * hidden)
  if (since.length < 3 ? lack < 24 : noise > 0 && lack < 32) return false
  return since.length >= (isSteady || !hasFallen || kind === 'whole' ? 2 : 3)
}

/** The short points of the thread in a row, those of other threads at the same level, and the newest. */
function shortSince(known: readonly KnownPoint[], newest: ReadPoint, { kind, ratio }: ServerCounts): ReadPoint[] {
  const since: ReadPoint[] = [newest]
  for (let index = known.length - 1; index >= 0 && index >= known.length - 32; index--) {
    const point = known[index]!
    const isShort = point.is === 'short' || point.is === 'cut'
    const isOwn = point.thread === newest.thread
    if (isShort && isOfNewPart(point, ratio * 2)) continue
    // If the server does not report its cache, a count far below the next one may be of the uncached part.
    if (isShort && kind !== 'whole' && point.read < newest.read * 0.6) continue
    if (isShort && (isOwn || Math.abs(point.read - newest.read) <= newest.read * 0.15)) since.unshift(point)
    // The server read one as large as this, or the last one of this thread, whole.
    else if (point.is === 'whole' && (isOwn || point.sent > newest.sent)) break
  }
  return since
}

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
