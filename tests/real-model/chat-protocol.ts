import type { ChatRequest, Fields } from './chat-request.ts'
import type { EngineAnswer } from './answer.ts'

/** How a protocol asks, and how it writes down what the engine says. */
export interface ChatProtocol {
  readonly streamType: string
  read(fields: Fields): ChatRequest
  first(facts: Facts): string
  piece(facts: Facts, text: string): string
  last(facts: Facts, answer: EngineAnswer): string
  whole(facts: Facts, answer: EngineAnswer): string
  error(status: number, text: string, details?: ErrorDetails): string
}

export interface Facts {
  readonly request: ChatRequest
  readonly number: number
  /** Milliseconds since 1970. */
  readonly time: number
}

export interface ErrorDetails {
  readonly type: string
  readonly n_prompt_tokens: number
  readonly n_ctx: number
}
