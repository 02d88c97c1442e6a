import { overheadOf, type FullOverhead, type Margin, type TokenCounter } from './tokens.ts'

/** One model call: what the counter predicted for the prompt, and what the model reported for it. */
export interface UsageSample {
  readonly predicted: number
  readonly reported: number
}

/**
 * The counter, scaled to what one model reported for its last prompts. Samples come oldest first
 * and all from that model, with `predicted` as the uncalibrated counter gave it.
 *
 * The factor covers the worst recent ratio and not the mean: with the mean every second prompt
 * would be larger than planned, and a prompt that is too long is refused or silently cut, while
 * one that is too short only leaves a little room. So one sample may raise the factor, and all of
 * the recent ones together lower it.
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
function lastScale(name: string): { readonly of: string; readonly factor: number; readonly samples: number } | undefined {
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
 * A count below a fifth of the prediction is one of the uncached rest of a prompt, not of a prompt;
 * one above five times is of another prompt. Below 16 tokens a ratio says nothing.
 */
function isSensible({ predicted, reported }: UsageSample): boolean {
  return Number.isFinite(predicted) && Number.isFinite(reported) && predicted >= 16 && reported > predicted / 5 && reported < predicted * 5
}

/** The margin is 2%, and as much as 10% more while there are few samples. Whole hundredths, rounded up, so that the name says it exactly. */
function factorOf(samples: readonly UsageSample[]): number {
  const worst = samples.reduce((most, { predicted, reported }) => Math.max(most, reported / predicted), 0)
  const margin = 1.02 + 0.1 / samples.length
  const bounded = Math.min(highest, Math.max(lowest, worst * margin))
  return Math.ceil(bounded * 100 - 1e-6) / 100
}

function scaledOverhead({ message, prompt, call, image }: FullOverhead, factor: number): FullOverhead {
  return { message: scaled(message, factor), prompt: scaled(prompt, factor), call: scaled(call, factor), image: scaled(image, factor) }
}

/**
 * From the smallest ratio to the largest, the upper end further out by as much as lies between them, the lower one by half
 * of that, and both by a tenth at least:
 * the next prompt may be of another kind than those before it, and an honest count must not look like a cut.
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
