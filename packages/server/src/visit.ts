import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from './caller.ts'
import type { LineFacts } from './log.ts'
import type { Hold } from './memory/memory.ts'

/** One HTTP request that passed guard and key. What CORS demands is set on the response already. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As it came, without the query. */
  readonly path: string
  /** '' or '?…', as it came. */
  readonly query: string
  readonly caller: Caller
  /** What the request holds of the memory that all requests share, until it is over. */
  readonly hold: Hold
  /** Adds to the log line of this request, which is written when the response is over. */
  tell(facts: LineFacts): void
}
