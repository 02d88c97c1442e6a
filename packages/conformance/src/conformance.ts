// Does a function that makes prompts keep what any such function should? Each invariant holds, or fails for a smallest
// input.
import type { Message, TokenCounter } from 'minutebook'
import { attempt, messageCounter, PromptError, type ContextFunction, type CountMessages } from './attempt.ts'
import { trialOf, type Invariant, type Problem } from './invariant.ts'
import { keptMessages } from './kept-messages.ts'
import { createRandom, messagesOf, type Sample, type SampleMessage } from './sample.ts'
import { shrunk } from './shrink.ts'
import { stablePrompts } from './stable-prompts.ts'
import { windowLimits } from './window-limits.ts'

export type { ContextFunction, CountMessages } from './attempt.ts'

/** All invariants, in the order in which they are checked. */
export const invariants: readonly Pick<Invariant, 'id' | 'says' | 'reason'>[] = [
  ...keptMessages,
  ...windowLimits,
  ...stablePrompts,
]

/** The options of `checkConformance`. */
export interface ConformanceOptions {
  /** Counts the tokens of texts, or of a whole prompt. Default: one for each word, message and call. */
  readonly counter?: TokenCounter | CountMessages | undefined
  /** Ids of the invariants that are checked. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Ids of invariants that are not checked: what your function does not promise. */
  readonly except?: readonly string[] | undefined
  /** Conversations that are tried for each invariant. Default: 100. */
  readonly runs?: number | undefined
  /** Another seed makes other conversations. Default: 1. */
  readonly seed?: number | undefined
}

/** What was found for one invariant. */
export interface ConformanceResult {
  readonly id: string
  /** The invariant as a sentence. */
  readonly says: string
  /** A public issue of another project in which it was broken. */
  readonly reason: string
  readonly held: boolean
  /** Conversations that were tried. */
  readonly runs: number
  /** The smallest input that was found for which it does not hold. */
  readonly failure?: FailingInput
}

/** An input for which an invariant does not hold. */
export interface FailingInput {
  readonly messages: readonly Message[]
  readonly window: number
  /** What the conversation costs by the counter. */
  readonly tokens: number
  /** What is wrong, as sentences. */
  readonly problem: string
  /** What the function returned. Absent if it threw. */
  readonly prompt?: readonly Message[]
}

/**
 * Checks a function that makes prompts: `(messages, window, count) => messages`, also asynchronous. It is called with
 * conversations in the shape of OpenAI's chat completions. The same options try the same conversations.
 *
 * @example
 * const results = await checkConformance((messages, window, count) => trim(messages, window, count))
 * const broken = results.filter(({ held }) => !held)
 */
export async function checkConformance<M extends Message = Message>(
  fit: ContextFunction<M>,
  options: ConformanceOptions = {},
): Promise<readonly ConformanceResult[]> {
  const { counter = words, only, except = [] } = options
  const chosen = [...keptMessages, ...windowLimits, ...stablePrompts].filter(
    ({ id }) => (only?.includes(id) ?? true) && !except.includes(id),
  )
  const count = typeof counter === 'function' ? counter : messageCounter(counter)
  const results: ConformanceResult[] = []
  // What a caller's own message type says is not known here: the messages are those of a sample.
  for (const invariant of chosen)
    results.push(await checkOne(fit as unknown as ContextFunction, invariant, count, options))
  return results
}

async function checkOne(
  fit: ContextFunction,
  invariant: Invariant,
  count: CountMessages,
  { runs = 100, seed = 1 }: ConformanceOptions,
): Promise<ConformanceResult> {
  const { id, says, reason, share = 1, make } = invariant
  const random = createRandom(`${seed} ${id}`)
  const tried = Math.max(1, Math.ceil(runs * share))
  const problemIn = (sample: Sample): Promise<Problem | undefined> => checkSample(fit, invariant, count, sample)
  for (let run = 1; run <= tried; run++) {
    const sample = make(random, count)
    if (!(await problemIn(sample))) continue
    const smallest = await shrunk(
      sample,
      async (smaller) => (await problemIn(smaller)) !== undefined,
      (each) => count(messagesOf(each)),
    )
    const failure = failingInput(smallest, await problemIn(smallest), count)
    return { id, says, reason, held: false, runs: run, failure }
  }
  return { id, says, reason, held: true, runs: tried }
}

async function checkSample(
  fit: ContextFunction,
  invariant: Invariant,
  count: CountMessages,
  sample: Sample,
): Promise<Problem | undefined> {
  const { window } = sample
  const run = (messages: readonly SampleMessage[]): ReturnType<typeof attempt> => attempt(fit, messages, window, count)
  try {
    return await invariant.check(trialOf({ messages: messagesOf(sample), window, count }, run))
  } catch (error) {
    if (error instanceof PromptError) return { says: error.message }
    throw error
  }
}

function failingInput(sample: Sample, problem: Problem | undefined, count: CountMessages): FailingInput {
  const messages = messagesOf(sample)
  return {
    messages,
    window: sample.window,
    tokens: count(messages),
    problem: problem?.says ?? 'It fails only now and then: the same input did not fail again.',
    ...(problem?.prompt && { prompt: problem.prompt }),
  }
}

/** One token for each word, message and call: small numbers that a reader can check. */
const words: TokenCounter = {
  name: 'words',
  count: (text) => text.split(/\s+/).filter((word) => word !== '').length,
  overhead: 1,
}

/**
 * The results as text for people: a line for each invariant, and below it the smallest input for which it does not hold.
 *
 * @example
 * console.log(conformanceReport(await checkConformance(fit)))
 */
export function conformanceReport(results: readonly ConformanceResult[]): string {
  return results
    .map(({ id, says, reason, held, failure }) =>
      [
        `${held ? '✓' : '✗'} ${id}: ${says}`,
        ...(failure
          ? [
              `  ${failure.problem} (${reason})`,
              `  window ${failure.window}, conversation ${failure.tokens} tokens:`,
              ...failure.messages.map((message) => `    ${lineOf(message)}`),
              ...(failure.prompt ? ['  prompt:', ...failure.prompt.map((message) => `    ${lineOf(message)}`)] : []),
            ]
          : []),
      ].join('\n'),
    )
    .join('\n')
}

function lineOf(message: Message): string {
  return JSON.stringify(message)
}
