import { MinutebookError } from '../log/error.ts'
import { canonicalJson, endsInHalf } from '../log/json.ts'
import type { Content } from '../log/message.ts'
import { atOnce, type Steps } from '../log/time.ts'

/**
 * How many tokens does a text have for one model? `count` must not throw, whatever the text contains (lone surrogates,
 * special-token text), and returns a number, 0 or more. The same text always has the same count. Receipts record the
 * counter's `name`.
 */
export interface TokenCounter {
  readonly name: string
  count(text: string): number
  readonly overhead: Overhead
  /** How far the counts of texts may be off. Absent: not known. */
  readonly margin?: Margin
  /** The counter that this one scales, and the factor. */
  readonly scales?: { readonly counter: TokenCounter; readonly factor: number }
}

/**
 * How far the model's own count may be below or above this one, as shares of it. Both are 0 if texts are counted
 * exactly as the model does.
 */
export interface Margin {
  readonly below: number
  readonly above: number
}

/**
 * The tokens that are added per message, once per prompt, per tool call, and per image. A single number is per message.
 */
export type Overhead =
  | number
  | { readonly message: number; readonly prompt?: number; readonly call?: number; readonly image?: number }

/**
 * The overhead with its defaults. A call is wrapped about like a message. An image is 768 tokens: most vision models
 * use between 256 (gemma3) and 765 (GPT-4o, 1024 × 1024). Too low a number could overflow the window, too high a number
 * only costs room.
 *
 * @example
 * overheadOf({ name: 'words', count: (text) => text.split(' ').length, overhead: 4 })
 * // { message: 4, prompt: 0, call: 4, image: 768 }
 */
export function overheadOf(counter: TokenCounter): Required<Exclude<Overhead, number>> {
  if (typeof counter?.count !== 'function' || counter.overhead === undefined) {
    throw new MinutebookError(
      'counter_broken',
      'This is not a token counter.',
      'Pass { name, count(text), overhead }, with overhead a number of tokens per message.',
    )
  }
  const given = typeof counter.overhead === 'number' ? { message: counter.overhead } : counter.overhead
  const { message, prompt = 0, call = message, image = 768 } = given
  for (const [part, value] of Object.entries({ message, prompt, call, image })) {
    if (!isCount(value)) throw brokenCounterError(counter, `overhead.${part} is ${String(value)}`)
  }
  return { message: Math.ceil(message), prompt: Math.ceil(prompt), call: Math.ceil(call), image: Math.ceil(image) }
}

/**
 * The tokens of the tool schemas that are sent with a prompt: the JSON of each, plus the overhead of a call for what
 * the template puts around it.
 *
 * @example
 * countTools(estimator, [{ type: 'function', function: { name: 'now', parameters: {} } }])
 */
export function countTools(counter: TokenCounter, tools: readonly unknown[]): number {
  const { call } = overheadOf(counter)
  let total = 0
  for (const tool of tools) total += checkedCount(counter, toolText(tool)) + call
  return total
}

/**
 * What the images and attachments of a message cost, without the texts of attachments: these are counted as any other
 * text. A template puts about as much around an attachment as around a call.
 */
export function attachedTokens(
  { images, attachments }: Pick<Content, 'images' | 'attachments'>,
  { call, image }: Pick<ReturnType<typeof overheadOf>, 'call' | 'image'>,
): number {
  return attachments.reduce(
    (sum, attachment) => sum + call + attachment.images * image + sealedTokens(attachment.sealed),
    images.length * image,
  )
}

/**
 * The tokens of what only its server can read: one for 4 characters. In base64 these are 3 bytes, and a token has more
 * than that in most languages.
 */
export function sealedTokens(characters: number): number {
  return Math.ceil(characters / 4)
}

/**
 * A tool as text for counting. Its fields are in the order in which they are recorded, not in which they were passed.
 * If not, the derived prompt would differ from the one that was sent.
 */
export function toolText(tool: unknown): string {
  return canonicalJson(tool)
}

/**
 * Counts, and throws if the counter breaks its contract, so that no budget is ever computed from NaN. A fraction, which
 * estimates may return, is rounded up. A long text is counted piece by piece, so that no piece takes long.
 *
 * @example
 * checkedCount(estimator, 'The harbour was quiet.') // 7
 */
export function checkedCount(counter: TokenCounter, text: string): number {
  return text.length <= longestPiece ? countPiece(counter, text) : atOnce(countInSteps(counter, text))
}

/** The same in steps, so that others can work in between. */
export function* countInSteps(counter: TokenCounter, text: string): Steps<number> {
  let total = 0
  for (let from = 0; from < text.length;) {
    const to = pieceEnd(text, from)
    total += countPiece(counter, text.slice(from, to))
    yield to - from
    from = to
  }
  return total
}

const longestPiece = 1 << 16

/** The end of the next piece: after a line break or a blank if one is near, and never inside a surrogate pair. */
function pieceEnd(text: string, from: number): number {
  const end = from + longestPiece
  if (end >= text.length) return text.length
  const near = text.slice(end - nearEnd, end)
  const gap = Math.max(near.lastIndexOf('\n'), near.lastIndexOf(' '))
  if (gap >= 0) return end - nearEnd + gap + 1
  return endsInHalf(near) ? end - 1 : end
}

const nearEnd = 1024

function countPiece(counter: TokenCounter, text: string): number {
  const count = counter.count(text)
  if (!isCount(count))
    throw brokenCounterError(counter, `it counted ${String(count)} for a text of ${text.length} characters`)
  return Math.ceil(count)
}

function isCount(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}

function brokenCounterError(counter: TokenCounter, what: string): MinutebookError {
  const problem = `The token counter "${counter.name}" broke its contract: ${what}.`
  return new MinutebookError('counter_broken', problem, 'Counts must be numbers, 0 or more; correct the counter.', {
    counter: counter.name,
  })
}

/** One model call: what the counter predicted for the prompt, and what the model reported. */
export interface UsageSample {
  readonly predicted: number
  readonly reported: number
}

/**
 * Returns the counter scaled to what one model reported for its last prompts. Samples are oldest first and all from
 * that model. Their `predicted` comes from the uncalibrated counter.
 *
 * The factor covers the worst recent ratio, not the mean. With the mean every second prompt would be larger than
 * planned, and a prompt that is too long is refused or silently truncated. A prompt that is too short only wastes a
 * little room. So a single sample can raise the factor, but only all recent ones together lower it.
 *
 * @example
 * calibrated(estimator, [{ predicted: 1200, reported: 1000 }]).name // 'estimate@1×0.94 (1)'
 */
export function calibrated(counter: TokenCounter, samples: readonly UsageSample[]): TokenCounter {
  const recent = samples.filter(isSensible).slice(-recentSamples)
  if (recent.length === 0) return counter
  const factor = factorOf(recent)
  const margin = marginOf(recent, factor)
  return { ...scaledCounter(counter, factor, recent.length), ...(margin && { margin }) }
}

/**
 * Returns the counter of this name: the one that was passed, or an earlier calibration of it or of the counter that it
 * scales. The margin is not in the name, because prompts do not depend on it. Undefined if the name is another
 * counter's.
 *
 * @example
 * counterNamed('estimate@1×0.94 (23)', estimator)?.count('The harbour was quiet.') // 7
 */
export function counterNamed(name: string, atHand: TokenCounter): TokenCounter | undefined {
  if (atHand.name === name) return atHand
  const scale = lastScale(name)
  const inner = scale && counterNamed(scale.of, atHand)
  if (inner) return scaledCounter(inner, scale.factor, scale.samples)
  return atHand.scales && counterNamed(name, atHand.scales.counter)
}

/** The counter before any calibration. */
export function innermost(counter: TokenCounter): TokenCounter {
  return counter.scales ? innermost(counter.scales.counter) : counter
}

/** What a scaled counter makes of the count of the counter that it scales. */
export function scaled(count: number, factor: number): number {
  // In hundredths, because 100 × 1.1 is 110.00000000000001, which would be rounded up to 111.
  return Math.ceil((count * Math.round(factor * 100)) / 100)
}

function scaledCounter(counter: TokenCounter, factor: number, samples: number): TokenCounter {
  return {
    name: `${counter.name}×${factor.toFixed(2)} (${samples})`,
    overhead: scaledOverhead(overheadOf(counter), factor),
    count: (text) => scaled(counter.count(text), factor),
    scales: { counter, factor },
  }
}

/** Reads a calibration from the end of a counter's name. */
function lastScale(
  name: string,
): { readonly of: string; readonly factor: number; readonly samples: number } | undefined {
  const at = name.lastIndexOf('×')
  const said = at < 0 ? null : /^(\d\.\d\d) \((\d{1,2})\)$/.exec(name.slice(at + 1))
  return said ? { of: name.slice(0, at), factor: Number(said[1]), samples: Number(said[2]) } : undefined
}

const recentSamples = 32
/** Fewer samples say too little about how large a prompt can get. */
const knownFrom = 20
const lowest = 0.25
const highest = 3

/**
 * A count below a fifth of the prediction is only of the uncached rest of a prompt. One above five times is of another
 * prompt. Below 16 tokens a ratio means nothing.
 */
function isSensible({ predicted, reported }: UsageSample): boolean {
  return (
    Number.isFinite(predicted) &&
    Number.isFinite(reported) &&
    predicted >= 16 &&
    reported > predicted / 5 &&
    reported < predicted * 5
  )
}

/**
 * The margin is 2%, plus up to 10% while there are few samples. Rounded up to hundredths, so that the name has the
 * exact factor.
 */
function factorOf(samples: readonly UsageSample[]): number {
  const worst = samples.reduce((most, { predicted, reported }) => Math.max(most, reported / predicted), 0)
  const margin = 1.02 + 0.1 / samples.length
  const bounded = Math.min(highest, Math.max(lowest, worst * margin))
  return Math.ceil(bounded * 100 - 1e-6) / 100
}

function scaledOverhead(
  { message, prompt, call, image }: ReturnType<typeof overheadOf>,
  factor: number,
): ReturnType<typeof overheadOf> {
  return {
    message: scaled(message, factor),
    prompt: scaled(prompt, factor),
    call: scaled(call, factor),
    image: scaled(image, factor),
  }
}

/**
 * The range from the smallest ratio to the largest, made wider: the upper end by the whole spread, the lower end by
 * half of it, and both by at least a tenth. The next prompt may be of another kind, and an honest count must not look
 * like a truncation.
 */
function marginOf(samples: readonly UsageSample[], factor: number): Margin | undefined {
  if (samples.length < knownFrom) return undefined
  const ratios = samples.map(({ predicted, reported }) => reported / predicted)
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)]
  const spread = most - least
  const low = Math.max(0, least - Math.max(spread / 2, least * slack))
  const high = most + Math.max(spread, most * slack)
  return { below: Math.max(0, 1 - low / factor), above: Math.max(0, high / factor - 1) }
}

const slack = 0.1
