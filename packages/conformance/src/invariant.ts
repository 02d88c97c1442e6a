// What is an invariant of context management, and what does its check see?
import type { Message } from 'minutebook'
import type { Attempt, CountMessages, SentMessage } from './attempt.ts'
import { sentMessage } from './attempt.ts'
import type { SampleFunction, SampleMessage } from './sample.ts'

/** A promise that a prompt must keep, whatever the conversation. */
export interface Invariant {
  readonly id: string
  /** The promise as a sentence. */
  readonly says: string
  /** A public issue of another project in which it was broken. */
  readonly reason: string
  readonly make: SampleFunction
  /** How many samples are tried, as a share of the usual number. Default: 1. */
  readonly share?: number
  check(trial: Trial): Promise<Problem | undefined>
}

/** A conversation with a window, and the way to have the function make a prompt of it. */
export interface Trial {
  readonly messages: readonly SampleMessage[]
  readonly sent: readonly SentMessage[]
  readonly window: number
  readonly count: CountMessages
  /** Has the function make a prompt of the first messages. Default: of all. */
  run(upTo?: number): Promise<Attempt>
}

/** Why an invariant does not hold, and for which prompt. */
export interface Problem {
  readonly says: string
  readonly prompt?: readonly Message[] | undefined
}

/** The trial of a sample. */
export function trialOf(
  { messages, window, count }: Pick<Trial, 'messages' | 'window' | 'count'>,
  run: (messages: readonly SampleMessage[]) => Promise<Attempt>,
): Trial {
  return {
    messages,
    window,
    count,
    sent: messages.map((message) => sentMessage(message)),
    run: (upTo = messages.length) => run(messages.slice(0, upTo)),
  }
}

/** A check of one prompt: it runs the function once, and sees nothing if the function threw. */
export function checkPrompt(
  check: (prompt: readonly SentMessage[], trial: Trial) => string | undefined,
): Invariant['check'] {
  return async (trial) => {
    const { prompt } = await trial.run()
    const says = prompt && check(prompt, trial)
    return says === undefined ? undefined : { says, prompt: prompt?.map(({ message }) => message) }
  }
}

/** The words of a text that are from a sample. */
export function wordsOf(text: string): string[] {
  return text.match(/[a-z]\d+(?:-\d+)*/g) ?? []
}

/** The first word of a text: it is there if any of its beginning is. */
export function firstWord({ text }: SentMessage): string | undefined {
  return wordsOf(text)[0]
}

/** Whether a text has the word. */
export function hasWord(text: string, word: string): boolean {
  return wordsOf(text).includes(word)
}

/** The newest user message with a text. */
export function newestUser(messages: readonly SentMessage[]): SentMessage | undefined {
  return messages.findLast((message) => message.kind === 'user' && message.text !== '')
}

/** The results at the end of a conversation that wait for the model, behind the message that called for them. */
export function newestRound(messages: readonly SentMessage[]): readonly SentMessage[] {
  const results = messages.length - 1 - messages.findLastIndex(({ kind }) => kind !== 'tool')
  return results === 0 ? [] : messages.slice(-results - 1)
}

/** What must be in a prompt: the system messages, the newest user message, and the results that wait for the model. */
export function requiredTokens({ sent, count }: Pick<Trial, 'sent' | 'count'>): number {
  const user = newestUser(sent)
  const required = [...sent.filter(({ kind }) => kind === 'system'), ...(user ? [user] : []), ...newestRound(sent)]
  return count(required.map(({ message }) => message))
}

/** Whether the conversation fits as it is. */
export function fitsWhole({ messages, window, count }: Trial): boolean {
  return count(messages) <= window
}

/** Why calls and results do not belong together. Undefined if each call is followed by its result. */
export function pairProblem(prompt: readonly SentMessage[]): string | undefined {
  const open = new Set<string>()
  for (const { kind, calls, answers } of prompt) {
    if (kind === 'tool') {
      if (!open.delete(answers?.id ?? '')) return `The result of ${answers?.id ?? 'no call'} does not follow its call.`
      continue
    }
    if (open.size > 0) break
    for (const { id, name } of calls) open.add(id ?? name)
  }
  const [first] = open
  return first === undefined ? undefined : `The call ${first} is not followed by its result.`
}

/** Whether a prompt has words that are not in the conversation: a marker, a summary, a line that says what is missing. */
export function saysSomethingElse(prompt: readonly SentMessage[], { sent }: Pick<Trial, 'sent'>): boolean {
  const known = new Set(sent.flatMap(({ allText }) => allText.split(/\s+/)))
  return prompt.some(({ allText }) => allText.split(/\s+/).some((word) => word !== '' && !known.has(word)))
}
