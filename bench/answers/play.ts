// How is a run played? Each conversation in each context, and all its questions one after the other. What is done is yielded after each conversation.
import type { Progress } from '../progress.ts'
import { messageTokens, o200k } from '../tokens.ts'
import type { WireMessage } from '../wire-message.ts'
import { contexts, type Context, type Room } from './contexts.ts'
import { isRightAnswer, type AskedQuestion, type GivenAnswer, type PlayedConversation } from './data.ts'
import type { Quiz, QuizQuestion } from './quiz.ts'
import type { Upstream } from './upstream.ts'

/**
 * The questions of a conversation come after each other in one context, so that the server reads the history once if
 * it has a prompt cache. Which context begins changes from conversation to conversation.
 */
export async function* play(
  quizzes: readonly Quiz[],
  upstream: Upstream,
  room: Room,
  progress: Progress,
): AsyncGenerator<readonly AskedQuestion[]> {
  for (const [index, quiz] of quizzes.entries()) {
    const answers = quiz.questions.map((): Record<string, GivenAnswer> => ({}))
    for (const context of rotated(contexts, index)) {
      for (const [number, question] of quiz.questions.entries()) {
        answers[number]![context.name] = await ask(context, quiz, question, upstream, room)
        progress.step(`${quiz.id}: ${context.name}`)
      }
    }
    yield quiz.questions.map(({ text, expected, evidence }, number) => ({
      conversation: quiz.id,
      text,
      expected,
      messagesSince: quiz.messages.length - 1 - evidence,
      // In the order of the tables.
      answers: Object.fromEntries(contexts.map(({ name }) => [name, answers[number]![name]!])),
    }))
  }
}

/** How many requests a run makes. */
export function stepsOf(quizzes: readonly Quiz[]): number {
  return contexts.length * quizzes.reduce((sum, { questions }) => sum + questions.length, 0)
}

export function playedOf({ id, messages }: Quiz): PlayedConversation {
  const tokens = messages.reduce(
    (sum, { role, content }) => sum + messageTokens({ role, text: content ?? '' }, o200k),
    0,
  )
  return { id, messages: messages.length, tokens: tokens - o200k.overhead * messages.length }
}

async function ask(
  context: Context,
  quiz: Quiz,
  question: QuizQuestion,
  upstream: Upstream,
  room: Room,
): Promise<GivenAnswer> {
  const messages = context.messages(quiz, question, room)
  const { text, refusal, promptTokens } = await upstream.ask(messages)
  return {
    given: text,
    isRight: isRightAnswer(text, question.expected, question.candidates),
    isFactSent: messages.some(({ content }: WireMessage) => (content ?? '').includes(question.statement)),
    ...(refusal !== undefined && { refusal }),
    ...(promptTokens !== undefined && { promptTokens }),
  }
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = by % items.length
  return [...items.slice(at), ...items.slice(0, at)]
}
