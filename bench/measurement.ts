import type { Conversation, Message } from './conversation.ts'
import { isSent } from './sent.ts'
import type { Budget, Prompt, Strategy } from './strategy.ts'
import { messageTokens, o200k } from './tokens.ts'

/** Sums over conversations: `add` joins two of them, and ratios are taken last. */
export interface Measurement {
  readonly prompts: number
  readonly questions: number
  /** Sum over questions of the share of their evidence that is verbatim in the prompt. */
  readonly retained: number
  /** Tokens of all played prompts but each conversation's first, and how many of them repeat the prompt before. */
  readonly tokens: number
  readonly reusedTokens: number
  /** Prompts that hold the first user message and the latest message, at least clipped. */
  readonly firstKept: number
  readonly latestKept: number
  readonly withinWindow: number
  /** Times that a plan called a message verbatim and its text was not in the prompt. */
  readonly disagreements: number
  /** Prompts that the strategy refused to make. */
  readonly failures: number
  readonly firstFailure: string | undefined
}

export const nothing: Measurement = {
  prompts: 0,
  questions: 0,
  retained: 0,
  tokens: 0,
  reusedTokens: 0,
  firstKept: 0,
  latestKept: 0,
  withinWindow: 0,
  disagreements: 0,
  failures: 0,
  firstFailure: undefined,
}

/**
 * Plays a conversation's own turns, then asks all its questions at the end. With `everyMessage`, each message that a
 * plan calls verbatim is looked up in the prompt, not only the evidence.
 */
export async function measure(
  strategy: Strategy,
  conversation: Conversation,
  budget: Budget,
  everyMessage: boolean,
): Promise<Measurement> {
  const { messages, questions } = conversation
  const tally = { ...nothing }
  const session = strategy.open(budget)
  const first = messages.findIndex(({ role }) => role === 'user')
  let previous: readonly Message[] | undefined
  for (const [index, message] of messages.entries()) {
    session.add(message)
    if (message.role !== 'user') continue
    const prompt = await attempt(tally, () => session.prompt())
    if (prompt === undefined) continue
    const tokens = inspect(tally, prompt, messages.slice(0, index + 1), first, budget, everyMessage)
    if (previous !== undefined) {
      tally.tokens += tokens
      tally.reusedTokens += total(commonPrefix(previous, prompt.messages))
    }
    previous = prompt.messages
  }
  for (const { text, evidence } of questions) {
    const question: Message = { role: 'user', text }
    tally.questions++
    const prompt = await attempt(tally, () => session.ask(question, evidence))
    if (prompt === undefined) continue
    inspect(tally, prompt, [...messages, question], first, budget, everyMessage)
    tally.retained += evidence.filter((index) => isRetained(tally, prompt, messages, index)).length / evidence.length
  }
  return tally
}

export function add(one: Measurement, other: Measurement): Measurement {
  const sum = { ...one, firstFailure: one.firstFailure ?? other.firstFailure }
  for (const key of Object.keys(nothing) as (keyof Measurement)[]) {
    if (key !== 'firstFailure') sum[key] += other[key]
  }
  return sum
}

export function retention({ retained, questions }: Measurement): number {
  return questions === 0 ? NaN : (100 * retained) / questions
}

export function reuse({ reusedTokens, tokens }: Measurement): number {
  return tokens === 0 ? NaN : (100 * reusedTokens) / tokens
}

type Tally = { -readonly [Key in keyof Measurement]: Measurement[Key] }

async function attempt(tally: Tally, make: () => Prompt | Promise<Prompt>): Promise<Prompt | undefined> {
  tally.prompts++
  try {
    return await make()
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    tally.failures++
    tally.firstFailure ??= `${thrown.code}: ${thrown.message}`
    return undefined
  }
}

// Minutebook's expected errors carry a code; so do Node's own, which are faults of the benchmark.
function isRefusal(thrown: unknown): thrown is Error & { code: string } {
  return (
    thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && !thrown.code.startsWith('ERR_')
  )
}

/** Checks the promises of one prompt and returns its tokens. */
function inspect(
  tally: Tally,
  prompt: Prompt,
  log: readonly Message[],
  first: number,
  budget: Budget,
  everyMessage: boolean,
): number {
  if (first >= 0 && isSent(prompt, log, first)) tally.firstKept++
  if (isSent(prompt, log, log.length - 1)) tally.latestKept++
  const tokens = total(prompt.messages)
  if (tokens <= budget.window - budget.reserve) tally.withinWindow++
  if (everyMessage)
    tally.disagreements += log.filter(
      (_, index) => prompt.fate(index) === 'verbatim' && !isSent(prompt, log, index),
    ).length
  return tokens
}

// The plan says so and the text is really there: a wrong plan cannot raise the figure.
function isRetained(tally: Tally, prompt: Prompt, log: readonly Message[], index: number): boolean {
  if (prompt.fate(index) !== 'verbatim') return false
  if (isSent(prompt, log, index)) return true
  tally.disagreements++
  return false
}

function total(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message, o200k), 0)
}

function commonPrefix(previous: readonly Message[], current: readonly Message[]): readonly Message[] {
  const differs = current.findIndex((message, index) => !isSame(message, previous[index]))
  return differs === -1 ? current : current.slice(0, differs)
}

function isSame(one: Message, other: Message | undefined): boolean {
  if (other === undefined || one.role !== other.role || one.text !== other.text) return false
  return one.calls === other.calls || JSON.stringify(one.calls) === JSON.stringify(other.calls)
}
