import { overheadOf, type FullOverhead, type TokenCounter } from './tokens.ts'

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
  return {
    name: `${counter.name}×${factor.toFixed(2)} (${recent.length})`,
    overhead: scaledOverhead(overheadOf(counter), factor),
    count: (text) => scaled(counter.count(text), factor),
  }
}

const recentSamples = 32
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

/** In hundredths, because 100 × 1.1 is 110.00000000000001 and its ceiling one too many. */
function scaled(count: number, factor: number): number {
  return Math.ceil((count * Math.round(factor * 100)) / 100)
}
