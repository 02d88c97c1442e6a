import { canonicalJson } from '../log/json.ts'
import { argumentsText, readMessage, type Message } from '../log/message.ts'
import { atOnce, itemWork, type Steps } from '../log/time.ts'
import {
  attachedTokens,
  checkedCount,
  countInSteps,
  innermost,
  overheadOf,
  scaled,
  sealedTokens,
  toolText,
  type TokenCounter,
} from './tokens.ts'

/** What will a prompt cost? The counter's prediction, and the range in which the model's own count must be. */
export interface Prediction {
  readonly predicted: number
  /**
   * The prediction of the counter before calibration, as `calibrated` needs it for a sample. Equal to `predicted` if
   * the counter is not calibrated.
   */
  readonly uncalibrated: number
  /** Absent if the counter does not know its margin. */
  readonly low?: number
  readonly high?: number
  /** What the prompt is made of, by the counter before calibration. To detect truncated prompts. */
  readonly parts: PromptParts
}

/** What a prompt is made of, in tokens. */
export interface PromptParts {
  /**
   * Text that every vocabulary and template turns into tokens: texts and calls, without reasoning, images, attachments and tools,
   * and without most digits and repeated signs.
   */
  readonly sure: number
  /**
   * Reasoning, which a chat template may leave out of later prompts, even if an earlier prompt contained it; and the
   * texts of attachments, which a server may read in its own way.
   */
  readonly optional: number
  readonly tools: number
  /** The number of images, not their tokens. The data of an attachment counts as several. */
  readonly images: number
}

/** A prompt that was sent, by the counter before calibration. */
export interface SentPrompt extends PromptParts {
  /** The whole prompt. */
  readonly sent: number
  /** The part of `sent` that is the beginning of the thread's previous prompt. */
  readonly reused: number
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

/** Counts messages, each only once as long as it is the same object or has the same id. */
export interface Meter {
  message(message: Message, id?: string): Weight
  /** The same in steps, so that others can work in between. */
  weighing(message: Message, id?: string): Steps<Weight>
  predict(weights: readonly Weight[], tools: readonly unknown[]): Prediction
  /** The same in steps, so that others can work in between. */
  predicting(weights: readonly Weight[], tools: readonly unknown[]): Steps<Prediction>
  /** A whole prompt, in steps. */
  all(messages: readonly Message[], tools: readonly unknown[]): Steps<Prediction>
}

/**
 * Creates a meter. Only texts and calls are sure to be counted. A template may leave out reasoning and the blanks
 * around a text. Its overhead, or an image, may cost nothing or twice what is expected. Tools differ most.
 */
export function createMeter(counter: TokenCounter): Meter {
  const base = innermost(counter)
  const known = new Map<string, Weight>()
  const seen = new WeakMap<Message, Weight>()
  const [overhead, plain] = [overheadOf(counter), overheadOf(base)]
  const count = (text: string): Steps<Pair> => countingBoth(counter, text)
  /** A calibration has already seen the template's overhead: its margin covers it, except for very short prompts. */
  const doubt = counter.scales ? 0 : 1
  const least = function* (text: string, whole: number): Steps<number> {
    const part = (counter.scales ? reliablyCountedPart(text) : text).trim()
    if (part === text) return whole
    yield text.length
    const [sure] = yield* count(part)
    return counter.scales ? sure + Math.floor(Math.max(0, whole - sure) / 2) : sure
  }
  /** Letters of other scripts count half, because vocabularies differ in them. */
  const sureOf = function* (text: string, whole: number): Steps<number> {
    const [sure, words] = [reliablyCountedPart(text), wordPart(text)]
    if (sure === text) return whole
    yield text.length
    const [, least] = yield* count(sure)
    const [, most] = words === sure ? [0, least] : yield* count(words)
    return Math.floor(Math.min(whole, (least + most) / 2))
  }
  const weigh = function* (message: Message): Steps<Weight> {
    yield itemWork
    const content = readMessage(message)
    const { text, calls, images, attachments, reasoning, sealed } = content
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
    const thoughts = (yield* count(reasoning)).map((tokens) => tokens + sealedTokens(sealed))
    const [thought, thoughtPlain] = [thoughts[0]!, thoughts[1]!]
    const around = overhead.message + calls.length * overhead.call
    const [unread, unreadPlain] = [attachedTokens(content, overhead), attachedTokens(content, plain)]
    const attached: Pair[] = []
    for (const each of attachments) attached.push(yield* count(each.text))
    const [read, readPlain] = [sum(attached, 0), sum(attached, 1)]
    const [said, saidPlain] = [sum(sure, 0), sum(sure, 1)]
    return {
      predicted: said + thought + around + read + unread,
      uncalibrated: saidPlain + thoughtPlain + plain.message + calls.length * plain.call + readPlain + unreadPlain,
      low,
      high: said + thought + around * (1 + doubt) + read + unread + images.length * overhead.image,
      sure: surely,
      optional: thoughtPlain + readPlain,
      images: attachments.reduce((total, each) => total + each.images, images.length),
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
    const parts = {
      sure: all('sure'),
      optional: all('optional'),
      tools: sum(schemas, 1) + tools.length * plain.call,
      images: all('images'),
    }
    const { margin } = counter
    if (!margin) return { predicted, uncalibrated, parts }
    const low = Math.floor(all('low') * (1 - margin.below))
    const most =
      all('high') + overhead.prompt * (1 + doubt) + Math.ceil(ofTools * 1.25) + (tools.length > 0 ? preamble : 0)
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

/** A prompt before calibration. `reused`: by the same counter as `predicted`. */
export function sentOf(
  { predicted, uncalibrated, parts }: Prediction,
  reused: number,
): SentPrompt & Pick<Prediction, 'predicted'> {
  return {
    ...parts,
    sent: uncalibrated,
    predicted,
    reused: Math.round((reused * uncalibrated) / Math.max(1, predicted)),
  }
}

/** True if a prompt can be sent unchanged: even its upper estimate leaves room for the answer. */
export function fits(
  { predicted, high = predicted }: Pick<Prediction, 'predicted' | 'high'>,
  window: number,
  reserve: number,
): boolean {
  return high + reserve <= window
}

/** The tokens that a template may add before the list of tools. */
const preamble = 64

/** The counts by the counter, and by the counter before calibration. */
type Pair = readonly [number, number]

/** Counts a text only once, because a calibration only scales. */
function* countingBoth(counter: TokenCounter, text: string): Steps<Pair> {
  if (!counter.scales) {
    const count = yield* countInSteps(counter, text)
    return [count, count]
  }
  const [count, plain] = yield* countingBoth(counter.scales.counter, text)
  return [scaled(count, counter.scales.factor), plain]
}

function sum(pairs: readonly Pair[], part: 0 | 1): number {
  return pairs.reduce((total, pair) => total + pair[part], 0)
}

/** Counts how many tokens of a prompt are the beginning of the previous one. A message object is counted only once. */
export function createReuseMeter(
  counter: TokenCounter,
): (prompt: readonly Message[], before: readonly Message[]) => number {
  const counted = new WeakMap<Message, number>()
  const tokensOf = (message: Message): number => {
    const tokens = counted.get(message) ?? messageTokens(counter, message)
    counted.set(message, tokens)
    return tokens
  }
  return (prompt, before) => {
    let tokens = 0
    for (const [index, message] of prompt.entries()) {
      const other = before[index]
      if (other === undefined || (other !== message && canonicalJson(other) !== canonicalJson(message))) break
      tokens += tokensOf(message)
    }
    return tokens
  }
}

/**
 * What a message of a prompt costs by a counter, with the overhead of the template.
 *
 * @example
 * messageTokens(estimator, { role: 'user', content: 'The harbour was quiet.' }) // 12
 */
export function messageTokens(counter: TokenCounter, message: Message): number {
  const overhead = overheadOf(counter)
  const content = readMessage(message)
  const { text, calls, attachments, reasoning, sealed } = content
  const count = (part: string): number => (part === '' ? 0 : checkedCount(counter, part))
  const ofCalls = calls.reduce((sum, call) => sum + overhead.call + count(call.name) + count(argumentsText(call)), 0)
  const attached = attachments.reduce((sum, each) => sum + count(each.text), attachedTokens(content, overhead))
  return overhead.message + count(text) + count(reasoning) + sealedTokens(sealed) + ofCalls + attached
}

/**
 * Which part of a text is an estimate sure of? Words in Latin letters and single signs. Vocabularies differ
 * much more in digits, repeated signs, blanks and the letters of other scripts, so these may cost almost nothing.
 *
 * @example
 * reliablyCountedPart('The lamp: 2026 ------ 灯') // 'The lamp:  - '
 */
export function reliablyCountedPart(text: string): string {
  return partOf(text, isSure)
}

/**
 * The part of a text that every vocabulary turns into tokens: words in the letters of any script and single signs, but
 * no digits, repeated signs and blanks.
 *
 * @example
 * wordPart('The lamp: 2026 ------ 灯') // 'The lamp:  - 灯'
 */
function wordPart(text: string): string {
  return partOf(text, (unit) => isSure(unit) || unit >= 0x250)
}

/** Removes the units that are not taken, and repetitions of all units except Latin letters. */
function partOf(text: string, isTaken: (unit: number) => boolean): string {
  let kept = ''
  let from = 0
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (isTaken(unit) && (unit !== before || isLatin(unit))) {
      before = unit
      continue
    }
    kept += text.slice(from, at)
    from = at + 1
    before = unit
  }
  return from === 0 ? text : kept + text.slice(from)
}

function isSure(unit: number): boolean {
  return isLatin(unit) || (unit >= 0x20 && unit < 0x7f && !(unit >= 0x30 && unit <= 0x39))
}

function isLatin(unit: number): boolean {
  return (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0xc0 && unit < 0x250)
}
