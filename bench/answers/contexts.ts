// What does the model get? The whole history, a sliding window, a prompt of Minutebook; and, as a bound, only the fact.
import { compile, estimator, type TokenCounter } from 'minutebook'
import type { WireMessage } from '../wire-message.ts'
import type { Quiz, QuizQuestion } from './quiz.ts'

export interface Room {
  readonly window: number
  /** Kept free for the answer, by those that fit the history themselves. */
  readonly reserve: number
}

export interface Context {
  readonly name: string
  /** Whether it is compared, and not only a bound. */
  readonly isCompared: boolean
  /** The messages that are sent for a question. */
  messages(quiz: Quiz, question: QuizQuestion, room: Room): readonly WireMessage[]
}

export const ours = 'Minutebook, default policy'
export const sliding = 'sliding window'

export const contexts: readonly Context[] = [
  {
    name: 'whole history, as it is',
    isCompared: true,
    messages: ({ messages }, question) => [...messages, asked(question)],
  },
  {
    name: sliding,
    isCompared: true,
    messages: ({ messages }, question, room) => newest([...messages, asked(question)], room),
  },
  {
    name: ours,
    isCompared: true,
    messages: ({ messages }, question, room) =>
      compile<WireMessage>([...messages, asked(question)], { ...room, counter }).messages,
  },
  {
    name: 'only the message with the fact',
    isCompared: false,
    messages: ({ messages }, question) => [messages[0]!, messages[question.evidence]!, asked(question)],
  },
]

/**
 * What both count with, since the model's own tokenizer is not known: the library's estimate. Models with templates in
 * plain words, such as TinyLlama's, need more tokens around a message than the estimate has.
 */
const counter: TokenCounter = { ...estimator, overhead: { message: 9, prompt: 9 } }

function asked({ text }: QuizQuestion): WireMessage {
  return { role: 'user', content: text }
}

/** The system message, and the newest of the others that fit. */
function newest(messages: readonly WireMessage[], { window, reserve }: Room): readonly WireMessage[] {
  const cost = ({ content }: WireMessage): number => counter.count(content ?? '') + 9
  const [first, ...rest] = messages as [WireMessage, ...WireMessage[]]
  let room = window - reserve - 9 - cost(first)
  let from = rest.length
  while (from > 0 && (room -= cost(rest[from - 1]!)) >= 0) from--
  return [first, ...rest.slice(Math.min(from, rest.length - 1))]
}
