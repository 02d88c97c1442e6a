import type { Usage } from '../../models/model.ts'
import type { UpstreamRequest } from './request.ts'

/** What the model behind an upstream says. */
export interface UpstreamAnswer {
  /** A text goes out word by word, a list piece by piece. */
  readonly text?: string | readonly string[]
  readonly reasoning?: string | readonly string[]
  readonly calls?: readonly UpstreamCall[]
  readonly finish?: 'stop' | 'length' | 'filter'
  /** In place of what the upstream counts. */
  readonly usage?: Usage
}

/** A tool call in an answer, with no arguments unless told; without an id it gets one where the protocol demands it. */
export interface UpstreamCall {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly id?: string
}

/** One answer for every request, a list of them to be used in order, or a function of the request. */
export type UpstreamAnswers =
  | string
  | UpstreamAnswer
  | readonly (string | UpstreamAnswer)[]
  | ((request: UpstreamRequest) => string | UpstreamAnswer | Promise<string | UpstreamAnswer>)

/** Gives the answers one after the other; undefined where a list is used up. */
export function answering(answers: UpstreamAnswers): (request: UpstreamRequest) => Promise<UpstreamAnswer | undefined> {
  let used = 0
  return async (request) => {
    const answer = typeof answers === 'function' ? await answers(request) : Array.isArray(answers) ? (answers as readonly (string | UpstreamAnswer)[])[used++] : (answers as string | UpstreamAnswer)
    return typeof answer === 'string' ? { text: answer } : answer
  }
}

/** A text in the pieces in which it goes out: every word with the blank behind it. */
export function piecesOf(text: string | readonly string[] = []): readonly string[] {
  if (typeof text !== 'string') return text
  const pieces: string[] = []
  let start = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] !== ' ') continue
    pieces.push(text.slice(start, index + 1))
    start = index + 1
  }
  return start < text.length ? [...pieces, text.slice(start)] : pieces
}

export function wholeOf(text: string | readonly string[] = ''): string {
  return typeof text === 'string' ? text : text.join('')
}
