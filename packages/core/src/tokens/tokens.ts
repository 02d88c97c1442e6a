import { MinutebookError } from '../log/error.ts'
import { canonicalJson, endsInHalf } from '../log/json.ts'
import { atOnce, type Steps } from '../log/steps.ts'

/**
 * Counts the tokens of a text as one model sees them. `count` must not throw, whatever the text holds (lone surrogates,
 * special-token text), and returns a number, 0 or more. The same text always has the same count. Receipts name the
 * counter by `name`.
 */
export interface TokenCounter {
  readonly name: string
  count(text: string): number
  readonly overhead: Overhead
  /** How far off the texts may be; without one nobody knows. */
  readonly margin?: Margin
  /** The counter that this one scales, and by how much. */
  readonly scales?: { readonly counter: TokenCounter; readonly factor: number }
}

/**
 * The shares of a count by which the model's own may be below or above it; 0 and 0 where texts are counted as the model
 * does.
 */
export interface Margin {
  readonly below: number
  readonly above: number
}

/**
 * Tokens per message beside its text, once per prompt, per tool call beside its name and arguments, per image. A number
 * is the first.
 */
export type Overhead =
  | number
  | { readonly message: number; readonly prompt?: number; readonly call?: number; readonly image?: number }

interface FullOverhead {
  readonly message: number
  readonly prompt: number
  readonly call: number
  readonly image: number
}

/**
 * The overhead with its defaults: a call is wrapped about as a message is, and an image is 768 tokens, because most
 * vision models spend between 256 (gemma3) and 765 (GPT-4o, 1024 × 1024) on one and too few would cost an overflow, too
 * many only room.
 *
 * @example
 * overheadOf({ name: 'words', count: (text) => text.split(' ').length, overhead: 4 })
 * // { message: 4, prompt: 0, call: 4, image: 768 }
 */
export function overheadOf(counter: TokenCounter): FullOverhead {
  if (typeof counter?.count !== 'function' || counter.overhead === undefined) {
    throw new MinutebookError(
      'counter_broken',
      'This is not a token counter; pass { name, count(text), overhead }, with overhead a number of tokens per message.',
    )
  }
  const given = typeof counter.overhead === 'number' ? { message: counter.overhead } : counter.overhead
  const { message, prompt = 0, call = message, image = 768 } = given
  for (const [part, value] of Object.entries({ message, prompt, call, image })) {
    if (!isCount(value)) throw broken(counter, `overhead.${part} is ${String(value)}`)
  }
  return { message: Math.ceil(message), prompt: Math.ceil(prompt), call: Math.ceil(call), image: Math.ceil(image) }
}

/**
 * The tokens of the tool schemas that go with a prompt: the JSON of each, and the overhead of a call for what the
 * template puts around it.
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
 * A tool as it is counted: in the order in which its fields are recorded, whatever order it came in. Else the derived
 * prompt would differ from the one that was sent.
 */
export function toolText(tool: unknown): string {
  return canonicalJson(tool)
}

/**
 * Counts, and throws where the counter breaks its contract, so that no budget is ever computed from a NaN. A fraction,
 * as estimates have it, is rounded up. A long text is counted piece by piece, so that none takes long.
 *
 * @example
 * checkedCount(estimator, 'The harbour was quiet.') // 7
 */
export function checkedCount(counter: TokenCounter, text: string): number {
  return text.length <= longestPiece ? countPiece(counter, text) : atOnce(counting(counter, text))
}

/** The same, step by step. */
export function* counting(counter: TokenCounter, text: string): Steps<number> {
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

/**
 * Behind a line break or a blank if there is one near the longest piece's end, and never between the halves of a pair.
 */
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
  if (!isCount(count)) throw broken(counter, `it counted ${String(count)} for a text of ${text.length} characters`)
  return Math.ceil(count)
}

function isCount(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}

function broken(counter: TokenCounter, what: string): MinutebookError {
  const message = `The token counter "${counter.name}" broke its contract: ${what}. Counts must be numbers, 0 or more; correct the counter.`
  return new MinutebookError('counter_broken', message, { counter: counter.name })
}

/** One model call: what the counter predicted for the prompt, and what the model reported for it. */
export interface UsageSample {
  readonly predicted: number
  readonly reported: number
}

/**
 * The counter, scaled to what one model reported for its last prompts. Samples come oldest first and all from that
 * model, with `predicted` as the uncalibrated counter gave it.
 *
 * The factor covers the worst recent ratio and not the mean: with the mean every second prompt would be larger than
 * planned, and a prompt that is too long is refused or silently cut, while one that is too short only leaves a little
 * room. So one sample may raise the factor, and all of the recent ones together lower it.
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
 * The counter of this name: the one at hand, or an earlier calibration of it or of what it scales. The margin is not in
 * the name, and nothing is compiled by it. Undefined where the name is another counter's.
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

/** The count that a scaled counter makes of what the counter under it counted. */
export function scaled(count: number, factor: number): number {
  // In hundredths, because 100 × 1.1 is 110.00000000000001 and its ceiling one too many.
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

/** What the end of a name says of a calibration. */
function lastScale(
  name: string,
): { readonly of: string; readonly factor: number; readonly samples: number } | undefined {
  const at = name.lastIndexOf('×')
  const said = at < 0 ? null : /^(\d\.\d\d) \((\d{1,2})\)$/.exec(name.slice(at + 1))
  return said ? { of: name.slice(0, at), factor: Number(said[1]), samples: Number(said[2]) } : undefined
}

const recentSamples = 32
/** Fewer say too little about what a prompt may come to. */
const knownFrom = 20
const lowest = 0.25
const highest = 3

/**
 * A count below a fifth of the prediction is one of the uncached rest of a prompt, not of a prompt; one above five
 * times is of another prompt. Below 16 tokens a ratio says nothing.
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
 * The margin is 2%, and as much as 10% more while there are few samples. Whole hundredths, rounded up, so that the name
 * says it exactly.
 */
function factorOf(samples: readonly UsageSample[]): number {
  const worst = samples.reduce((most, { predicted, reported }) => Math.max(most, reported / predicted), 0)
  const margin = 1.02 + 0.1 / samples.length
  const bounded = Math.min(highest, Math.max(lowest, worst * margin))
  return Math.ceil(bounded * 100 - 1e-6) / 100
}

function scaledOverhead({ message, prompt, call, image }: FullOverhead, factor: number): FullOverhead {
  return {
    message: scaled(message, factor),
    prompt: scaled(prompt, factor),
    call: scaled(call, factor),
    image: scaled(image, factor),
  }
}

/**
 * From the smallest ratio to the largest, the upper end further out by as much as lies between them, the lower one by
 * half of that, and both by a tenth at least: the next prompt may be of another kind than those before it, and an
 * honest count must not look like a cut.
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
