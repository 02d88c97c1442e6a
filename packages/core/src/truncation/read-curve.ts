import type { SentPrompt } from '../tokens/prediction.ts'

/**
 * One call on a curve: how many tokens were sent, by our estimate without calibration, and how many the server says it
 * read.
 */
export interface ReadPoint extends SentPrompt {
  readonly thread: string
  /** The server's count of the prompt. */
  readonly read: number
  /** True if the count is known to be of the whole prompt, cached or not. */
  readonly isWhole: boolean
}

/**
 * What a curve says about a point. `cut`: more was sent, but no more was read. `short`: less was read than such a
 * prompt should have; the reason may be a truncation, a cache, or text that the server added to an earlier prompt.
 * `whole`: as much more was read as was added. `open`: there is nothing to compare it with.
 */
export type PointFinding = 'cut' | 'short' | 'whole' | 'open'

/** A point with its finding. */
export interface KnownPoint extends ReadPoint {
  readonly is: PointFinding
}

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

/** How a server counts, according to all of its points. */
interface Counting {
  /** `likely`: it was often seen to count what it could have had in a cache. */
  readonly kind: 'whole' | 'likely' | 'unsure' | 'uncached'
  /** The largest ratio of read to sent: the ratio of prompts without any cached part. */
  readonly ratio: number
  /**
   * The most by which a count grew more than was added, with a safety factor. Servers add text of their own, and may
   * add less of it the next time.
   */
  readonly noise: number
  /** The noise to assume while few steps were seen, and the noise that may exist although it was not seen yet. */
  readonly doubt: number
  readonly hidden: number
  /** The smallest number of tokens read for each sure token that was added. Undefined while few steps were seen. */
  readonly least?: number | undefined
  /** The fewest tokens that an image was counted as. 0 while that is unknown. */
  readonly image: number
}

function howItCounts(known: readonly KnownPoint[], newest: ReadPoint): Counting {
  const points = [...known, newest]
  const ratio = ratioOf(points)
  const isTold = points.some(({ isWhole }) => isWhole)
  const evidence = known.filter(
    ({ reused, sent, read, is }) =>
      (is === 'whole' || is === 'open') && reused >= sent * 0.3 && read >= sent * ratio * 0.7,
  ).length
  const ofNew = points.filter(
    (point) => point.read <= point.sent * ratio * 0.6 && isOfNewPart(point, ratio * 1.5),
  ).length
  const kind = isTold ? 'whole' : ofNew >= 2 ? 'uncached' : evidence >= 8 ? 'likely' : 'unsure'
  return { kind, ratio, ...stepsIn(known) }
}

/** The largest ratio of read to sent, limited to plausible values. */
export function ratioOf(points: readonly ReadPoint[]): number {
  return points.reduce((most, { read, sent }) => Math.max(most, Math.min(1.5, read / (sent + 48))), 0.3)
}

/** True if a count may be of only the part that was not in the previous prompt. */
function isOfNewPart({ sent, reused, tools, read, isWhole }: ReadPoint, ratio: number): boolean {
  if (isWhole || reused < sent * 0.2) return false
  return read <= (sent - reused - tools) * ratio + 64
}

/** An earlier point of a thread, and how many of its tokens are no longer in the later one. */
interface Earlier {
  readonly point: KnownPoint
  readonly gone: number
}

/**
 * The points of the same thread that a later one begins with, newest first. An edited message in between is tolerated.
 */
function earlierOf(known: readonly KnownPoint[], newest: ReadPoint, upto = known.length, most = 12): Earlier[] {
  const earlier: Earlier[] = []
  let common = newest.reused
  for (let index = upto - 1; index >= 0 && earlier.length < most; index--) {
    const point = known[index]!
    if (point.thread !== newest.thread) continue
    const own = point.sent - point.tools
    if (common >= own * 0.8 && newest.tools === point.tools && newest.images >= point.images)
      earlier.push({ point, gone: Math.max(0, own - common - 8) })
    common = Math.min(common, point.reused)
  }
  return earlier
}

function ratioAt({ read, sent }: ReadPoint): number {
  return Math.min(1.2, read / Math.max(1, sent))
}

/** Sure tokens that were added, minus what a template may have left out since and what is gone. */
function addedTo({ point, gone }: Earlier, { sure }: ReadPoint): number {
  return Math.max(0, sure - point.sure - point.optional - 2 * gone)
}

function isInLine(earlier: Earlier, newest: ReadPoint): boolean {
  const { point, gone } = earlier
  return newest.read - point.read >= ratioAt(point) * (addedTo(earlier, newest) * 0.6 - gone * 1.6 - point.optional) - 8
}

/** How many tokens are missing in the count of the later prompt, compared with the earlier one. Below 0 if none are. */
function lackOf(earlier: Earlier, newest: ReadPoint, { ratio, noise, doubt, least, image }: Counting): number {
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
function isRepeated(earlier: readonly Earlier[], newest: ReadPoint, { kind, noise, doubt, ratio }: Counting): boolean {
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
function followsWhatIsSent(known: readonly KnownPoint[], newest: ReadPoint, { ratio }: Counting): boolean {
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
function largestOf(earlier: readonly Earlier[]): ReadPoint {
  return earlier.map(({ point }) => point).reduce((most, point) => (point.read > most.read ? point : most))
}

/** True if enough calls in a row were short, at the same level. */
function isCut(
  newest: ReadPoint,
  { earlier, since }: { readonly earlier: Earlier; readonly since: readonly ReadPoint[] },
  counting: Counting,
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
function shortSince(known: readonly KnownPoint[], newest: ReadPoint, { kind, ratio }: Counting): ReadPoint[] {
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

/** What the steps from one prompt of a thread to the next say about a server. */
function stepsIn(known: readonly KnownPoint[]): Omit<Counting, 'kind' | 'ratio'> {
  const steps: Step[] = []
  const withImages: { readonly grown: number; readonly sent: number; readonly images: number }[] = []
  const perSure: number[] = []
  const mostAfter = mostAfterEach(known)
  let [surplus, outlived] = [0, 0]
  for (const [at, point] of known.entries()) {
    if (point.images === 0)
      surplus = Math.max(surplus, point.read - 1.3 * (point.sent - point.tools) - 2 * point.tools - 64)
    const [before] = earlierOf(known, point, at, 1)
    if (!before) continue
    const grown = point.read - before.point.read
    const added = addedTo(before, point)
    const images = point.images - before.point.images
    const sent = point.sent - before.point.sent + before.gone - images * imageTokens
    const isWhole = point.is === 'whole'
    if (images > 0 && isWhole) withImages.push({ grown, sent, images })
    if (images > 0) continue
    steps.push({
      thread: point.thread,
      grown,
      sent,
      isOutgrown: before.gone === 0 && mostAfter[at]! > 1.1 * Math.max(point.read, before.point.read),
    })
    if (isWhole && point.images > 0) outlived++
    if (isWhole && added >= 48) perSure.push(grown / added)
  }
  const usual = Math.min(
    middleOf(steps.filter(({ sent }) => sent >= 32).map(({ grown, sent }) => grown / sent)),
    1.1 * middleOf(known.map(ratioAt)),
  )
  const beyond = steps
    .filter(({ grown, sent }) => grown > 1.5 * usual * sent + 24)
    .map(({ grown, sent }) => grown - usual * sent)
  // The count fell although more was sent, and later it was larger than ever. Nothing was truncated: the server had
  // added less of its own text.
  const lull = Math.max(
    0,
    ...steps
      .filter(({ isOutgrown, grown, sent }) => isOutgrown && grown < 0 && sent >= 0)
      .map(({ grown, sent }) => usual * sent - grown),
  )
  const perImage = withImages.map(({ grown, sent, images }) => (grown - 1.5 * usual * sent) / images)
  return {
    noise: Math.max(0, 4 * Math.max(0, ...beyond), 3 * surplus, 4 * swingOf(steps, usual), 3 * lull),
    doubt: steps.length >= 12 ? 0 : steps.length >= 8 ? 96 : 320,
    hidden:
      steps.map(({ sent }) => 0.5 * usual * Math.max(0, sent) + 24).toSorted((one, other) => one - other)[7] ??
      Infinity,
    least: perSure.length >= 6 ? Math.min(1.2, ...perSure) : undefined,
    image: perImage.length >= 2 && outlived >= 4 ? Math.max(0, Math.min(...perImage)) : 0,
  }
}

/** From one prompt of a thread to the next: how many more tokens were sent and read. */
interface Step {
  readonly thread: string
  readonly grown: number
  readonly sent: number
  /** True if the server has clearly read more than both since. */
  readonly isOutgrown: boolean
}

/** The largest count after each point. */
function mostAfterEach(known: readonly KnownPoint[]): readonly number[] {
  const most: number[] = []
  for (let [index, read] = [known.length - 1, 0]; index >= 0; index--) {
    most[index] = read
    read = Math.max(read, known[index]!.read)
  }
  return most
}

/**
 * How much text of its own a server adds to prompts, as a deviation. What it adds to one prompt is missing in the next
 * step, so such steps are too large and too small in turn. Differences between texts do not alternate like that.
 */
function swingOf(steps: readonly Step[], usual: number): number {
  const last = new Map<string, number>()
  let [together, alone, count] = [0, 0, 0]
  for (const { thread, grown, sent } of steps) {
    const off = grown - usual * sent
    const before = last.get(thread)
    last.set(thread, off)
    if (before === undefined) continue
    together += off * before
    alone += (off * off + before * before) / 2
    count++
  }
  return count >= 4 && together < -0.25 * alone ? Math.sqrt(-together / count) : 0
}

/** What counters assume for an image by default. */
const imageTokens = 768

function middleOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}
