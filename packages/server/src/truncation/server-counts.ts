import type { SentPrompt } from 'minutebook/wire'

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
 * What a curve says about a point. `cut`: the prompt grew, but the count that the server read did not. `short`: less was read than such a
 * prompt should have; the reason may be a truncation, a cache, or text that the server added to an earlier prompt.
 * `whole`: as much more was read as was added. `open`: there is nothing to compare it with.
 */
export type PointFinding = 'cut' | 'short' | 'whole' | 'open'

/** A point with its finding. */
export interface KnownPoint extends ReadPoint {
  readonly is: PointFinding
}

/** How a server counts, according to all of its points. */
export interface ServerCounts {
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

export function howItCounts(known: readonly KnownPoint[], newest: ReadPoint): ServerCounts {
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
export function isOfNewPart({ sent, reused, tools, read, isWhole }: ReadPoint, ratio: number): boolean {
  if (isWhole || reused < sent * 0.2) return false
  return read <= (sent - reused - tools) * ratio + 64
}

/** An earlier point of a thread, and how many of its tokens are no longer in the later one. */
export interface EarlierPoint {
  readonly point: KnownPoint
  readonly gone: number
}

/**
 * The points of the same thread that a later one begins with, newest first. An edited message in between is tolerated.
 */
export function earlierOf(
  known: readonly KnownPoint[],
  newest: ReadPoint,
  upto: number = known.length,
  most: number = 12,
): EarlierPoint[] {
  const earlier: EarlierPoint[] = []
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

export function ratioAt({ read, sent }: ReadPoint): number {
  return Math.min(1.2, read / Math.max(1, sent))
}

/** Sure tokens that were added, minus what a template may have left out since and what is gone. */
export function addedTo({ point, gone }: EarlierPoint, { sure }: ReadPoint): number {
  return Math.max(0, sure - point.sure - point.optional - 2 * gone)
}

/** What the steps from one prompt of a thread to the next say about a server. */
function stepsIn(known: readonly KnownPoint[]): Omit<ServerCounts, 'kind' | 'ratio'> {
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
