import { canonicalJson } from '../log/canonical.ts'
import { MinutebookError } from '../log/error.ts'
import { atOnce, type Steps } from '../log/steps.ts'
import { endsInHalf } from '../log/well-formed.ts'

/**
 * Counts the tokens of a text as one model sees them. `count` must not throw, whatever the text
 * holds (lone surrogates, special-token text), and returns a number, 0 or more. The same
 * text always has the same count. Receipts name the counter by `name`.
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

/** The shares of a count by which the model's own may be below or above it; 0 and 0 where texts are counted as the model does. */
export interface Margin {
  readonly below: number
  readonly above: number
}

/** Tokens per message beside its text, once per prompt, per tool call beside its name and arguments, per image. A number is the first. */
export type Overhead =
  | number
  | { readonly message: number; readonly prompt?: number; readonly call?: number; readonly image?: number }

export interface FullOverhead {
  readonly message: number
  readonly prompt: number
  readonly call: number
  readonly image: number
}

/**
 * The overhead with its defaults: a call is wrapped about as a message is, and an image is 768
 * tokens, because most vision models spend between 256 (gemma3) and 765 (GPT-4o, 1024 × 1024) on
 * one and too few would cost an overflow, too many only room.
 *
 * @example
 * overheadOf({ name: 'words', count: (text) => text.split(' ').length, overhead: 4 })
 * // { message: 4, prompt: 0, call: 4, image: 768 }
 */
export function overheadOf(counter: TokenCounter): FullOverhead {
  if (typeof counter?.count !== 'function' || counter.overhead === undefined) {
    throw new MinutebookError('counter_broken', 'This is not a token counter; pass { name, count(text), overhead }, with overhead a number of tokens per message.')
  }
  const given = typeof counter.overhead === 'number' ? { message: counter.overhead } : counter.overhead
  const { message, prompt = 0, call = message, image = 768 } = given
  for (const [part, value] of Object.entries({ message, prompt, call, image })) {
    if (!isCount(value)) throw broken(counter, `overhead.${part} is ${String(value)}`)
  }
  return { message: Math.ceil(message), prompt: Math.ceil(prompt), call: Math.ceil(call), image: Math.ceil(image) }
}

/**
 * The tokens of the tool schemas that go with a prompt: the JSON of each, and the overhead of a
 * call for what the template puts around it.
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

/** A tool as it is counted: in the order in which its fields are recorded, whatever order it came in. Else the derived prompt would differ from the one that was sent. */
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
  for (let from = 0; from < text.length; ) {
    const to = pieceEnd(text, from)
    total += countPiece(counter, text.slice(from, to))
    yield to - from
    from = to
  }
  return total
}

const longestPiece = 1 << 16

/** Behind a line break or a blank if there is one near the longest piece's end, and never between the halves of a pair. */
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
