import type { Book, Store } from 'minutebook'
import type { Caller } from '../caller.ts'
import type { Desk } from '../desk.ts'
import type { LineFacts } from '../log.ts'
import type { Hold } from '../memory/memory.ts'
import type { Services } from '../services.ts'

/** Who asks, and what lies before them: the record of their tenant. */
export interface Visitor {
  readonly caller: Caller
  readonly services: Services
  readonly store: Store
  readonly book: Book
  readonly desk: Desk
  readonly request: Request
  /** What the request holds of the memory that all requests share. */
  readonly hold: Hold
  /** Breaks off a response that has begun, so that it never looks whole. */
  readonly breakOff: () => void
  /** Adds to the log line of the request. */
  readonly tell: (facts: LineFacts) => void
}
