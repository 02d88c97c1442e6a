import type { Usage } from '../../models/model.ts'
import type { UpstreamAnswer } from './answer.ts'

/** How a protocol writes down what a server says. */
export interface Protocol {
  readonly wire: 'ollama' | 'openai'
  readonly streamType: string
  /** Whether the request asks for a stream. */
  streams(request: Readonly<Record<string, unknown>>): boolean
  chunks(answer: UpstreamAnswer, facts: AnswerFacts): string[]
  whole(answer: UpstreamAnswer, facts: AnswerFacts): string
  /** The body of a refusal. */
  refusal(status: number, text: string, code?: string): string
  /** An error among the chunks of a stream. */
  errorChunk(text: string): string
}

export interface AnswerFacts {
  readonly model: string
  readonly request: Readonly<Record<string, unknown>>
  /** Which answer of the upstream it is, from 0. */
  readonly number: number
  /** Undefined where none is to be reported. */
  readonly usage: Usage | undefined
}
