import { traits } from '../log/kind.ts'
import { atOnce, type Steps } from '../log/time.ts'
import { costBetween, costInPlace, ownCost } from './budget.ts'
import {
  at,
  between,
  countNotes,
  entryAt,
  exchangeOf,
  exchangeStart,
  lastNotAfter,
  notesBetween,
  openingOf,
} from './columns.ts'
import {
  chooseParts,
  isRepeated,
  type DigestPart,
  type EntriesPart,
  type Part,
  type PartList,
  type Tier,
} from './parts.ts'
import { advance, createFold, refold, type Fold } from './fold.ts'
import type { RecallPart, RecallReader } from './recall.ts'
import type { Verdict } from './verdict.ts'
import { totalTokens } from './cost.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { Message } from '../log/message.ts'
import { render, type Piece } from './render.ts'
import type { CompileOptions } from './settings.ts'

/** What `compile` returns: the prompt, and the plan that says why it is what it is. */
export interface CompileResult<M extends Message = Message> {
  /** In the shape they were passed in. A message that is sent whole is the same object that was passed. */
  readonly messages: M[]
  readonly plan: Plan
  /** What the prompt costs by the counter. Never less than the sum of its messages. */
  readonly tokens: number
  /** For each message, the pieces of text it is made of. `dump` labels them. */
  readonly pieces: readonly (readonly Piece[])[]
}

/**
 * What will the prompt be, and why? A plan has one verdict for every entry, with reason and tokens. Plain data. Nothing
 * is decided here: `chooseParts` in parts.ts, `nextEpoch` and `layoutOf` in cut.ts and `firstDigest` in outline.ts
 * decide, and the verdicts are read off.
 */
export interface Plan {
  readonly policy: string
  readonly counter: string
  /** The digesters that were asked, by id. */
  readonly digesters: readonly string[]
  readonly window: number
  readonly reserve: number
  /** What the whole prompt costs: tools, prompt overhead and all parts. */
  readonly tokens: number
  readonly tools: number
  readonly overhead: number
  /** The number of entries in the log. */
  readonly entries: number
  readonly exchanges: number
  /**
   * The number of compactions so far, and how many entries the log had when the beginning of the prompt last changed.
   * While `since` is the same, each prompt begins with the one before it.
   */
  readonly epoch: { readonly number: number; readonly since: number }
  /** Tokens above the budget. 0 unless the policy keeps required messages that do not fit. */
  readonly overflow: number
  /** What the prompt is made of, in order. */
  readonly parts: readonly Part[]
  /** The verdicts, in the order of the log. Every entry is in exactly one span. */
  readonly spans: readonly Span[]
}

/** Neighbouring entries of the log that have the same verdict. */
export interface Span {
  readonly from: number
  readonly to: number
  /** The exchange of its first entry, and of its last. -1 for entries before the first exchange. */
  readonly exchange: number
  readonly last: number
  readonly verdict: Verdict
  readonly tier: Tier | null
  /** What the entries cost in the prompt by themselves. The cost of a digest is in its part. */
  readonly tokens: number
  /** How many of the entries are notes. Digests and outlines do not cover notes, so in such a span they are omitted. */
  readonly notes: number
  readonly reason: string
  /** The first words of the first entry. Empty for a note. */
  readonly title: string
  /** The numbers of its first and of its last message, if they are not their places in the plan. */
  readonly numbers?: readonly [first: number, last: number] | undefined
}

/** Compiles the next prompt of a fold. Default: the fold's own options, under which nothing is counted again. */
export function compile<M extends Message>(fold: Fold<M>, options?: Partial<CompileOptions>): CompileResult<M>
/** The same for entries of a log instead of plain messages. */
export function compile<M extends Message>(entries: readonly Entry<M>[], options: CompileOptions): CompileResult<M>
/**
 * Fits a conversation into a context window. Pure: the same input returns the same bytes. Throws `window_overflow` if
 * the required messages do not fit, and `no_user` if the profile needs a user message and the conversation has none.
 *
 * @example
 * const { messages, plan } = compile(conversation, { window: 8192 })
 */
export function compile<M extends Message>(messages: readonly M[], options: CompileOptions): CompileResult<M>
export function compile<M extends Message>(
  conversation: readonly (M | Entry<M>)[] | Fold<M>,
  options?: Partial<CompileOptions>,
): CompileResult<M> {
  return atOnce(compileInSteps(foldOf(conversation, options)))
}

/** The same in steps, for a fold whose recall may have to read what it dropped. */
export function* compileInSteps<M extends Message>(fold: Fold<M>, read?: RecallReader): Steps<CompileResult<M>> {
  if (fold.settings.window === Infinity)
    throw new MinutebookError(
      'invalid_window',
      'No window is given.',
      'Pass { window } with the number of tokens your model takes.',
    )
  if (fold.settings.prices.profile.needsUser && fold.firstUser < 0) {
    throw new MinutebookError(
      'no_user',
      'This model needs a user message and the conversation has none.',
      'Add one before compiling.',
    )
  }
  const plan = planOf(fold, yield* chooseParts(fold, read))
  return { ...render(fold, plan.parts), plan, tokens: plan.tokens }
}

function foldOf<M extends Message>(
  conversation: readonly (M | Entry<M>)[] | Fold<M>,
  options?: Partial<CompileOptions>,
): Fold<M> {
  if (isMessages(conversation))
    return conversation.reduce<Fold<M>>(advance<M>, createFold<M>(options as CompileOptions | undefined))
  if (conversation?.columns === undefined)
    throw new MinutebookError(
      'invalid_messages',
      'There is nothing to compile.',
      'Pass an array of messages or a fold.',
    )
  return options ? refold(conversation, { ...conversation.settings.options, ...options }) : conversation
}

function isMessages<M extends Message>(value: readonly (M | Entry<M>)[] | Fold<M>): value is readonly (M | Entry<M>)[] {
  return Array.isArray(value)
}

function planOf(fold: Fold, chosen: PartList): Plan {
  const { settings } = fold
  const { prices, tools } = settings
  return {
    policy: settings.policy.name,
    counter: prices.counter.name,
    digesters: settings.digesting.digesters.map(({ id }) => id),
    window: settings.window,
    reserve: settings.reserve,
    tokens: tools + prices.prompt + totalTokens(chosen.parts),
    tools,
    overhead: prices.prompt,
    entries: fold.length,
    exchanges: fold.exchanges,
    epoch: { number: fold.epoch.number, since: fold.epoch.since },
    overflow: chosen.overflow,
    parts: chosen.parts,
    spans: spansOf(fold, chosen),
  }
}

type Claim = Omit<Span, 'exchange' | 'last' | 'title' | 'notes'>

/** Entries that are covered by lines of the prompt. */
interface Told {
  readonly from: number
  readonly to: number
  readonly verdict: 'digested' | 'outlined'
}

/** Reads the verdicts of all entries off the parts. Entries that no part claims are digested, outlined or omitted. */
function spansOf(fold: Fold, { parts, frame: { earlierMarker: marker } }: PartList): Span[] {
  const told = parts.flatMap((part) => (part.shape === 'digest' ? toldBy(fold, part) : []))
  const claims = [...parts.flatMap((part) => claimsOf(fold, marker, part)), ...hidden(fold, marker)].toSorted(
    (left, right) => left.from - right.from,
  )
  const spans: Span[] = []
  let next = 0
  for (const claim of [...claims, { from: fold.length, to: fold.length }]) {
    if (claim.from > next) spans.push(...gaps(fold, next, claim.from, told).map((gap) => spanOf(fold, gap)))
    if ('verdict' in claim) spans.push(spanOf(fold, claim))
    next = claim.to
  }
  return spans
}

function spanOf(fold: Fold, claim: Claim): Span {
  const { from, to } = claim
  return {
    ...claim,
    exchange: exchangeOf(fold, from),
    last: exchangeOf(fold, to - 1),
    notes: countNotes(fold, from, to),
    title: openingOf(fold, from),
  }
}

function claimsOf(fold: Fold, marker: number, part: Part): Claim[] {
  if (part.shape === 'entries')
    return part.clips.length || !part.notes ? eachEntry(fold, marker, part) : byExchange(fold, marker, part)
  if (part.shape === 'recall') return part.entries.map((entry) => quotedClaim(fold, entry, 'recalled', part.tier))
  if (part.shape === 'pins')
    return part.entries.map((entry) =>
      part.clips.some(({ index }) => index === entry.index)
        ? single(entry, 'clipped', part.tier, 'pinned')
        : quotedClaim(fold, entry, 'verbatim', part.tier, 'pinned'),
    )
  if (part.shape === 'notes')
    return part.entries.map((entry) =>
      single(entry, part.clips.some(({ index }) => index === entry.index) ? 'clipped' : 'verbatim', part.tier),
    )
  return []
}

/** Only text can be quoted: a message with something attached is not whole. */
function quotedClaim(
  fold: Fold,
  entry: RecallPart['entries'][number],
  verdict: Verdict,
  tier: Tier,
  reason: string = reasons[tier],
): Claim {
  const { images, attachments } = entryAt(fold, entry.index)
  if (images.length + attachments.length === 0) return single(entry, verdict, tier, reason)
  return { ...single(entry, 'clipped', tier), reason: `${reason}, quoted without what is attached` }
}

function single(
  { index, tokens }: { readonly index: number; readonly tokens: number },
  verdict: Verdict,
  tier: Tier,
  reason: string = reasons[tier],
): Claim {
  return {
    from: index,
    to: index + 1,
    verdict,
    tier,
    tokens,
    reason: reason + (verdict === 'clipped' ? ', clipped to fit' : ''),
  }
}

/**
 * One claim for each exchange. System entries get their own claims, because their tokens are not in the running sums.
 */
function byExchange(fold: Fold, marker: number, part: EntriesPart): Claim[] {
  const { systems } = fold.columns
  if (part.tier === 'system') return [single({ index: part.from, tokens: part.tokens }, 'verbatim', 'system')]
  const claims: Claim[] = []
  /** The journal is not sent here. It may be inside a step, and sums are exact only over whole steps. */
  const claim = (from: number, to: number): void => {
    let [start, counted] = [from, from]
    const spoken = (end: number): void => {
      const upTo = end === to ? to : Math.min(to, stepFrom(fold, end))
      const tokens = costBetween(fold, counted, upTo, part.reasoningFrom)
      if (start >= end) return
      claims.push({ from: start, to: end, verdict: 'verbatim', tier: part.tier, tokens, reason: reasons[part.tier] })
      counted = upTo
    }
    for (const index of notesBetween(fold, from, to)) {
      if (!traits[at(fold.columns.entries, index).kind].late) continue
      spoken(index)
      claims.push(hiddenClaim(index, callsAreSent))
      start = index + 1
    }
    spoken(to)
  }
  let system = lastNotAfter(systems, fold.systems, part.from - 1) + 1
  for (let from = part.from; from < part.to;) {
    const to = Math.min(part.to, exchangeStart(fold, exchangeOf(fold, from) + 1))
    let start = from
    for (; system < fold.systems && at(systems, system) < to; system++) {
      const index = at(systems, system)
      claim(start, index)
      if (part.systems && index !== marker)
        claims.push(single({ index, tokens: ownCost(fold, index) }, 'verbatim', 'system'))
      start = index + 1
    }
    claim(start, to)
    from = to
  }
  return claims
}

/** Where the first step begins that does not begin before `index`. Infinity if there is none. */
function stepFrom({ columns: { steps }, steps: count }: Fold, index: number): number {
  const step = lastNotAfter(steps, count, index - 1) + 1
  return step < count ? at(steps, step) : Infinity
}

function hiddenClaim(index: number, reason: string): Claim {
  return { from: index, to: index + 1, verdict: 'hidden', tier: null, tokens: 0, reason }
}

/** Of an entry of the journal. */
const callsAreSent = 'its calls are in the prompt'

/** One claim for each entry, if some of them are clipped or are sent elsewhere. */
function eachEntry(fold: Fold, marker: number, part: EntriesPart): Claim[] {
  const { entries, text } = fold.columns
  const claims: Claim[] = []
  const clipAt = new Map(part.clips.map((clip) => [clip.index, clip]))
  for (let index = part.from; index < part.to; index++) {
    const entry = at(entries, index)
    if (index === marker || (entry.kind === 'system' && !part.systems) || (!traits[entry.kind].chained && !part.notes))
      continue
    if (traits[entry.kind].late) {
      claims.push(hiddenClaim(index, callsAreSent))
      continue
    }
    const clip = clipAt.get(index)
    const whole = costInPlace(fold, index, part.reasoningFrom)
    const tokens = clip ? whole - at(text, index) + clip.tokens : whole
    const verdict = clip ? 'clipped' : 'verbatim'
    claims.push({
      ...single({ index, tokens }, verdict, part.tier),
      tier: entry.kind === 'system' ? 'system' : part.tier,
    })
  }
  return claims
}

function hidden(fold: Fold, marker: number): Claim[] {
  const systems = fold.settings.policy.system === 'once' ? between(fold.columns.systems, 0, fold.systems) : []
  const repeated = systems.filter((index) => index !== marker && isRepeated(fold, index))
  return [
    ...(marker >= 0 ? [hiddenClaim(marker, 'an earlier marker, replaced')] : []),
    ...repeated.map((index) => hiddenClaim(index, 'the head has this text already')),
  ]
}

/** The entries that a digest part covers: the newest have a line each, older ones are only counted. */
function toldBy(fold: Fold, { of, lines }: DigestPart): Told[] {
  const place = (line: number): number => (of === 'exchanges' ? exchangeStart(fold, line) : line)
  const [from, to] = [place(lines[0]!.from), place(lines.at(-1)!.to)]
  const own = place(lines.find((line) => line.own)?.from ?? lines.at(-1)!.to)
  const told: Told[] = [
    { from, to: own, verdict: 'outlined' },
    { from: own, to, verdict: 'digested' },
  ]
  return told.filter((each) => each.from < each.to)
}

/**
 * The verdicts of entries that no part has. A line covers them, or they are omitted. Notes after the cut are omitted,
 * too.
 */
function gaps(fold: Fold, from: number, to: number, told: readonly Told[]): Claim[] {
  const claims: Claim[] = []
  const omit = (end: number): void => {
    if (from < end)
      claims.push({ from, to: end, verdict: 'omitted', tier: null, tokens: 0, reason: 'older, did not fit' })
    from = Math.max(from, end)
  }
  for (const { verdict, ...range } of told) {
    const [start, end] = [Math.max(from, range.from), Math.min(to, range.to)]
    if (start >= end || countNotes(fold, start, end) === end - start) continue
    omit(start)
    claims.push({
      from,
      to: end,
      verdict,
      tier: 'outline',
      tokens: 0,
      reason: verdict === 'digested' ? 'older, a line each' : 'older, only counted',
    })
    from = end
  }
  omit(to)
  return claims
}

const reasons: Readonly<Record<Tier, string>> = {
  system: 'always sent',
  pinned: 'first user message, pinned',
  notes: 'newest notes',
  outline: 'in brief',
  marker: '',
  verbatim: 'newest exchanges',
  recall: 'matches the question, or adjacent',
  current: 'current turn',
}
