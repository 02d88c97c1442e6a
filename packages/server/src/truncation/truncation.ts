// Does a model server truncate prompts, and which window does it really have? Its counts of many calls show it.
import type { Usage, UsageSample } from 'minutebook'
import type { SentPrompt, TruncationFinding } from 'minutebook/wire'
import { cutWindow, findOnCurve } from './read-curve.ts'
import { ratioOf, type KnownPoint, type ReadPoint } from './server-counts.ts'

/** The calls that share a curve. Content can imitate a truncation, so each key has curves of its own. */
export interface CurveKey {
  readonly tenant: string
  /** The name of the key. */
  readonly owner: string
  readonly upstream: string
  readonly model: string
}

/**
 * What the counts of a key can lower. `none`: they lower only the key's own window, and only if no source names it.
 * `shared`: they also lower the windows of all keys, as far as another such key agrees. `alone`: they lower the windows
 * of all keys.
 */
export type EvidenceTrust = 'none' | 'shared' | 'alone'

/** A call that a server has answered: what was sent, and the server's counts. */
export interface ReadCall extends SentPrompt {
  readonly thread: string
  readonly usage: Usage
  /** The window according to the server, the request or the operator. */
  readonly told?: number | undefined
  /** Whether the protocol says that the count is of what was read. Default: false, then it may be of what was sent. */
  readonly countsRead?: boolean | undefined
  /**
   * Whether the protocol says that the count is of the whole prompt, cached or not. Default: false, then it may be of
   * the uncached part.
   */
  readonly countsWhole?: boolean | undefined
  /** What the calibrated counter predicted. A larger count can only raise the calibration, so it is clean at once. */
  readonly predicted?: number | undefined
  /** What this call shows by itself. */
  readonly alone?: TruncationFinding | undefined
  /** What the counts of this key can lower. Default: `none`. */
  readonly trust?: EvidenceTrust | undefined
}

/** What is known about a call after its count was checked. */
export interface ReadResult {
  readonly truncated: TruncationFinding
  /** Counts of this call and of earlier ones that cannot be of truncated prompts. A calibration may learn from them. */
  readonly clean: readonly UsageSample[]
}

/** A window that was computed from counts. */
export interface ReadWindow {
  readonly window: number
  readonly source: 'read'
}

/**
 * Did the server truncate a prompt? Keeps what servers have read, by tenant, key, upstream and model, over all threads.
 * Bounded: of each place the newest calls are kept. If there are too many places, the tenant with the most loses the
 * oldest place of its key with the most.
 */
export interface ReadCurves {
  note(place: CurveKey, call: ReadCall): ReadResult
  /**
   * The window that a server was seen to have. `told`: the window that a source names now. It is lowered only as far as
   * two trusted keys of the tenant agree, or one that is trusted alone. If no source names a window, the counts of the
   * key itself are enough. A window that was computed while a source named another one no longer counts. Nor does one
   * if no truncation was seen for an hour, or if a trusted key has since had more read than was agreed.
   */
  windowOf(place: CurveKey, told?: number): ReadWindow | undefined
}

/**
 * Keeps what was sent and what was read, and tells from the curve whether a server truncates. `now`: the time in
 * milliseconds. By default it stands still, so that nothing becomes old.
 *
 * @example
 * const curves = createReadCurves()
 * curves.note({ tenant, owner, upstream, model }, call).truncated // 'yes'
 * curves.windowOf({ tenant, owner, upstream, model }) // { window: 2048, source: 'read' }
 */
export function createReadCurves({
  places = 512,
  points = 64,
  now = () => 0,
}: {
  readonly places?: number | undefined
  readonly points?: number | undefined
  readonly now?: (() => number) | undefined
} = {}): ReadCurves {
  const curves = new Map<string, Curve>()
  const windowIn = ({ learnt, at }: Curve): number | undefined => (now() - at < life ? learnt : undefined)
  /** Two keys agree that the window is at most the second smallest. */
  const agreedOn = (asked: ServerPlace): number | undefined =>
    [...curves.values()]
      .filter((curve) => isSameServer(curve, asked))
      .flatMap((curve) => Array<number | undefined>(votes[curve.trust]).fill(windowIn(curve)))
      .filter((window) => window !== undefined)
      .toSorted((one, other) => one - other)[1]
  return {
    note: (place, call) => {
      const name = nameOf(place)
      const known = curves.get(name)
      const curve: Curve =
        known && !isOther(known.told, call.told)
          ? { ...known, learnt: windowIn(known) }
          : { place, told: call.told, trust: 'none', kept: [], learnt: undefined, at: 0, isBeside: false }
      const { reading, next } = readOn(curve, call, points)
      curves.delete(name)
      curves.set(name, reading.truncated === 'yes' ? { ...next, at: now() } : next)
      const read = next.trust === 'none' || call.usage.prompt === undefined ? 0 : wholeIn(next)
      if (isDisproved(agreedOn(next), read))
        for (const [key, other] of curves)
          if (isSameServer(other, next) && isDisproved(other.learnt, read))
            curves.set(key, { ...other, learnt: undefined })
      if (curves.size > places) curves.delete(surplusIn(curves))
      return reading
    },
    windowOf: (place, told) => {
      const curve = curves.get(nameOf(place))
      const own = told === undefined && curve ? windowIn(curve) : undefined
      const window = Math.min(own ?? Infinity, agreedOn({ place, told }) ?? Infinity)
      return window === Infinity ? undefined : { window, source: 'read' }
    },
  }
}

const votes: Readonly<Record<EvidenceTrust, number>> = { none: 0, shared: 1, alone: 2 }

/** Milliseconds for which a computed window counts: it keeps prompts small, so no later count may disprove it. */
const life = 3_600_000

/** A model of a server, and the window that a source names. */
interface ServerPlace {
  readonly place: Omit<CurveKey, 'owner'>
  readonly told: number | undefined
}

/** What is kept of the calls of one place, oldest first. */
interface Curve extends ServerPlace {
  readonly place: CurveKey
  readonly trust: EvidenceTrust
  readonly kept: readonly Kept[]
  /** The window that was computed. */
  readonly learnt: number | undefined
  /** When a truncation was last seen. */
  readonly at: number
  /** True if its prompt counts do not include cached tokens. */
  readonly isBeside: boolean
}

interface Kept extends KnownPoint {
  readonly usage: Usage
  readonly predicted: number
  /** True if a calibration has learned from it. */
  readonly isUsed: boolean
}

function readOn(
  curve: Curve,
  call: ReadCall,
  mostPoints: number,
): { readonly reading: ReadResult; readonly next: Curve } {
  const {
    usage,
    told,
    countsWhole = false,
    trust = 'none',
    predicted = Infinity,
    thread,
    sent,
    sure,
    optional,
    reused,
    tools,
    images,
  } = call
  const next = { ...curve, trust, told: told ?? curve.told }
  if (usage.prompt === undefined) return { reading: { truncated: 'unknown', clean: [] }, next }
  // More cached tokens than prompt tokens: then no prompt count of this server includes the cached ones.
  const isBeside = curve.isBeside || (usage.cached ?? 0) > usage.prompt
  const before =
    isBeside === curve.isBeside
      ? curve.kept
      : curve.kept.map((each) => ({ ...each, read: readIn(each.usage, isBeside) }))
  const point: ReadPoint = {
    thread,
    sent,
    sure,
    optional,
    reused,
    tools,
    images,
    read: readIn(usage, isBeside),
    isWhole: countsWhole || usage.cached !== undefined,
  }
  const { is, anchor, since } = findOnCurve(before, point)
  const learnt = learntFrom(
    curve.learnt,
    point,
    ratioOf([...before, point]),
    anchor && since ? cutWindow(anchor, since) : undefined,
  )
  const newest: Kept = { ...point, usage, predicted, is, isUsed: false }
  // For such a server, the verdict on a single call means nothing.
  const truncated = verdictOf(newest, before, learnt, isBeside ? { ...call, alone: undefined } : call)
  const kept = [...before, truncated === 'yes' && is !== 'cut' ? { ...newest, is: 'short' as const } : newest].slice(
    -mostPoints,
  )
  const clean = cleanIn(kept)
  return {
    reading: {
      truncated,
      clean: clean.map(({ sent: predicted, read: reported }) => ({ predicted, reported })),
    },
    next: {
      ...next,
      learnt,
      isBeside,
      kept: kept.map((each) => (clean.includes(each) ? { ...each, isUsed: true } : each)),
    },
  }
}

function readIn({ prompt = 0, cached = 0 }: Usage, isBeside: boolean): number {
  return prompt + (isBeside ? cached : 0)
}

/** Keeps the computed window until the server reads more than that, or truncates a prompt that would fit into it. */
function learntFrom(
  before: number | undefined,
  point: ReadPoint,
  ratio: number,
  seen: number | undefined,
): number | undefined {
  if (before === undefined || isDisproved(before, point.read)) return seen
  return seen !== undefined && point.sent * ratio <= before ? seen : before
}

function isDisproved(learnt: number | undefined, read: number): boolean {
  return learnt !== undefined && read > learnt * 1.03
}

/** The count of the newest call if it was surely read whole, or 0. One that is larger than the window is of what was sent. */
function wholeIn({ kept, told = Infinity }: Curve): number {
  const newest = kept.at(-1)
  return newest?.is === 'whole' && newest.read <= told ? newest.read : 0
}

function verdictOf(
  point: KnownPoint,
  before: readonly KnownPoint[],
  learnt: number | undefined,
  { countsRead, alone, told }: ReadCall,
): TruncationFinding {
  if (point.is === 'cut') return 'yes'
  if (learnt !== undefined) {
    if (point.is !== 'whole' && point.read <= learnt * 1.01 && point.sure * leastPerSure(before) >= learnt * 1.05)
      return 'yes'
    return point.is === 'whole' && point.read <= learnt ? 'no' : 'unknown'
  }
  if (alone === 'yes') return point.is === 'whole' ? 'unknown' : 'yes'
  // A count that may be of what was sent cannot show a truncation. Neither can one that is larger than the window.
  if (!countsRead || point.is === 'short' || point.read > (told ?? Infinity)) return 'unknown'
  return point.is === 'whole' || alone === 'no' ? 'no' : 'unknown'
}

/** The smallest ratio of tokens read to sure tokens, among prompts of text only that were read whole. */
function leastPerSure(known: readonly KnownPoint[]): number {
  const ratios = known
    .filter(({ is, sure, tools, images }) => is === 'whole' && sure >= 64 && tools === 0 && images === 0)
    .map(({ read, sure }) => read / sure)
  return ratios.length < 4 ? 0 : Math.min(...ratios)
}

/**
 * Counts that fit the curve, and that a later count clearly exceeds: a server that had truncated them could not have
 * read that much more. Prompts with images are left out, because they say nothing about texts.
 */
function cleanIn(kept: readonly Kept[]): Kept[] {
  const most = kept.reduce((largest, { read }) => Math.max(largest, read), 0)
  const inLine = kept.filter(({ is }) => is === 'whole' || is === 'open')
  const ratio = ratioOf(inLine)
  return inLine.filter(
    ({ isUsed, images, read, sent, predicted }) =>
      !isUsed && images === 0 && (read > predicted || (read * 1.1 <= most && read >= sent * ratio * 0.7)),
  )
}

function isOther(before: number | undefined, now: number | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now
}

function nameOf({ tenant, owner, upstream, model }: CurveKey): string {
  return JSON.stringify([tenant, owner, upstream, model])
}

/** Whether two curves are of the same model of a server, as one tenant sees it, with the same window. */
function isSameServer(one: ServerPlace, other: ServerPlace): boolean {
  return (
    one.place.tenant === other.place.tenant &&
    one.place.upstream === other.place.upstream &&
    one.place.model === other.place.model &&
    !isOther(one.told, other.told)
  )
}

/** The name of the place to forget. `curves`: the one that was used longest ago is the first. */
function surplusIn(curves: ReadonlyMap<string, Curve>): string {
  const ofTenant = largestShare([...curves.values()], ({ place }) => place.tenant)
  const [oldest] = largestShare(ofTenant, ({ place }) => place.owner)
  return oldest ? nameOf(oldest.place) : ''
}

/** The curves of the one that has the most of them. Among equals, of the one whose curve is the first. */
function largestShare(curves: readonly Curve[], whose: (curve: Curve) => string): readonly Curve[] {
  const shares = new Map<string, Curve[]>()
  for (const curve of curves) {
    const share = shares.get(whose(curve))
    if (share) share.push(curve)
    else shares.set(whose(curve), [curve])
  }
  return [...shares.values()].reduce((most, share) => (share.length > most.length ? share : most), [])
}
