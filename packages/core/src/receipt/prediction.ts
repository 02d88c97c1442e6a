import { scaled } from '../count/calibration.ts'
import { counting, overheadOf, toolText, type TokenCounter } from '../count/tokens.ts'
import { surePart, wordPart } from '../count/sure-part.ts'
import { argumentsText, readMessage, type Message } from '../log/message.ts'
import { atOnce, itemWork, type Steps } from '../log/steps.ts'
import type { ReadCall } from '../truncation/truncation.ts'

/** What a prompt will cost by the counter, and between what the model's own count must lie. */
export interface Prediction {
  readonly predicted: number
  /** By the counter under the calibration, as `calibrated` takes it for a sample; `predicted` where there is none. */
  readonly uncalibrated: number
  /** Neither is known where the counter does not know its margin. */
  readonly low?: number
  readonly high?: number
  /** What the prompt is made of, by the counter under the calibration: for the curve of what is sent and read. */
  readonly parts: Pick<ReadCall, 'sure' | 'optional' | 'tools' | 'images'>
}

/** What a message or the tools add to a prompt. */
export interface Weight {
  readonly predicted: number
  readonly uncalibrated: number
  readonly low: number
  readonly high: number
  readonly sure: number
  readonly optional: number
  readonly images: number
}

/** Weighs messages, each once as long as it is one object or goes by one id. */
export interface Meter {
  message(message: Message, id?: string): Weight
  /** The same, step by step. */
  weighing(message: Message, id?: string): Steps<Weight>
  predict(weights: readonly Weight[], tools: readonly unknown[]): Prediction
  /** The same, step by step. */
  predicting(weights: readonly Weight[], tools: readonly unknown[]): Steps<Prediction>
  /** A whole prompt, step by step. */
  all(messages: readonly Message[], tools: readonly unknown[]): Steps<Prediction>
}

/**
 * Of what is in a prompt, texts and calls are sure; a template may leave out reasoning and the blanks around a text, its own
 * overhead may be nothing or twice what is expected, and so may an image. How tools are written down differs most.
 */
export function createMeter(counter: TokenCounter): Meter {
  const base = innermost(counter)
  const known = new Map<string, Weight>()
  const seen = new WeakMap<Message, Weight>()
  const [overhead, plain] = [overheadOf(counter), overheadOf(base)]
  const count = (text: string): Steps<Pair> => countingBoth(counter, text)
  /** A calibration has seen the template's overhead: it is in its margin, but for prompts that are little else. */
  const doubt = counter.scales ? 0 : 1
  const least = function* (text: string, whole: number): Steps<number> {
    const part = (counter.scales ? surePart(text) : text).trim()
    if (part === text) return whole
    yield text.length
    const [sure] = yield* count(part)
    return counter.scales ? sure + Math.floor(Math.max(0, whole - sure) / 2) : sure
  }
  /** Letters of other scripts count half: vocabularies differ in them. */
  const sureOf = function* (text: string, whole: number): Steps<number> {
    const [sure, words] = [surePart(text), wordPart(text)]
    if (sure === text) return whole
    yield text.length
    const [, least] = yield* count(sure)
    const [, most] = words === sure ? [0, least] : yield* count(words)
    return Math.floor(Math.min(whole, (least + most) / 2))
  }
  const weigh = function* (message: Message): Steps<Weight> {
    yield itemWork
    const { text, calls, images, reasoning } = readMessage(message)
    const texts = [text, ...calls.flatMap((call) => [call.name, argumentsText(call)])]
    const sure: Pair[] = []
    let low = 0
    let surely = 0
    for (const each of texts) {
      const pair = yield* count(each)
      sure.push(pair)
      low += Math.min(pair[0], yield* least(each, pair[0]))
      surely += yield* sureOf(each, pair[1])
    }
    const thought = yield* count(reasoning)
    const around = overhead.message + calls.length * overhead.call
    const pictures = images.length * overhead.image
    const [said, saidPlain] = [sum(sure, 0), sum(sure, 1)]
    return {
      predicted: said + thought[0] + around + pictures,
      uncalibrated: saidPlain + thought[1] + plain.message + calls.length * plain.call + images.length * plain.image,
      low,
      high: said + thought[0] + around * (1 + doubt) + 2 * pictures,
      sure: surely,
      optional: thought[1],
      images: images.length,
    }
  }
  const weighing = function* (message: Message, id?: string): Steps<Weight> {
    const weight = (id === undefined ? seen.get(message) : known.get(id)) ?? (yield* weigh(message))
    if (id === undefined) seen.set(message, weight)
    else known.set(id, weight)
    return weight
  }
  const predicting = function* (weights: readonly Weight[], tools: readonly unknown[]): Steps<Prediction> {
    const schemas: Pair[] = []
    for (const tool of tools) schemas.push(yield* count(toolText(tool)))
    const ofTools = sum(schemas, 0) + tools.length * overhead.call
    const all = (part: keyof Weight): number => weights.reduce((total, weight) => total + weight[part], 0)
    const predicted = all('predicted') + ofTools + overhead.prompt
    const uncalibrated = all('uncalibrated') + sum(schemas, 1) + tools.length * plain.call + plain.prompt
    const parts = { sure: all('sure'), optional: all('optional'), tools: sum(schemas, 1) + tools.length * plain.call, images: all('images') }
    const { margin } = counter
    if (!margin) return { predicted, uncalibrated, parts }
    const low = Math.floor(all('low') * (1 - margin.below))
    const most = all('high') + overhead.prompt * (1 + doubt) + Math.ceil(ofTools * 1.25) + (tools.length > 0 ? preamble : 0)
    return { predicted, uncalibrated, low, high: Math.ceil(most * (1 + margin.above)), parts }
  }
  return {
    message: (message, id) => atOnce(weighing(message, id)),
    weighing,
    predict: (weights, tools) => atOnce(predicting(weights, tools)),
    predicting,
    all: function* (messages, tools) {
      const weights: Weight[] = []
      for (const message of messages) weights.push(yield* weighing(message))
      return yield* predicting(weights, tools)
    },
  }
}

/** The same interval around another prediction of the same prompt. */
export function around(prediction: Prediction, predicted: number): Prediction {
  const { low, high } = prediction
  if (low === undefined || high === undefined) return { ...prediction, predicted }
  return { ...prediction, predicted, low: Math.min(low, predicted), high: Math.max(high, predicted) }
}

/** A prompt as a point of the curve. `reused`: by the same counter as what is predicted. */
export function sentOf({ predicted, uncalibrated, parts }: Prediction, reused: number): Pick<ReadCall, 'sent' | 'predicted' | 'reused' | keyof Prediction['parts']> {
  return { ...parts, sent: uncalibrated, predicted, reused: Math.round((reused * uncalibrated) / Math.max(1, predicted)) }
}

/** Whether a prompt may go as it is: with all that it may come to there is room for the answer. */
export function fits({ predicted, high = predicted }: Pick<Prediction, 'predicted' | 'high'>, window: number, reserve: number): boolean {
  return high + reserve <= window
}

/** What a template may say about tools before it lists them. */
const preamble = 64

/** By the counter, and by the one under its calibration. */
type Pair = readonly [number, number]

/** Counted once: a calibration only scales. */
function* countingBoth(counter: TokenCounter, text: string): Steps<Pair> {
  if (!counter.scales) {
    const count = yield* counting(counter, text)
    return [count, count]
  }
  const [count, plain] = yield* countingBoth(counter.scales.counter, text)
  return [scaled(count, counter.scales.factor), plain]
}

function innermost(counter: TokenCounter): TokenCounter {
  return counter.scales ? innermost(counter.scales.counter) : counter
}

function sum(pairs: readonly Pair[], part: 0 | 1): number {
  return pairs.reduce((total, pair) => total + pair[part], 0)
}
