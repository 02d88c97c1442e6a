import type { Message } from 'minutebook'
import type { Chain } from './chain.ts'
import type { Place } from './directory.ts'
import type { Chance } from './thread-name.ts'

/** What a client sends, and what it says about it. */
export interface Asked extends Place, Chance {
  readonly messages: readonly Message[]
  readonly model: string
  /** The thread that the client names. */
  readonly name?: string | undefined
  /** The client's own id for the request (`Idempotency-Key`). */
  readonly id?: string | undefined
  /** Whether the client says that it sends this again. */
  readonly retry?: boolean | undefined
  /**
   * Whether only threads count whose every word the client sends: strangers may have the same key, and what one of them
   * said before is not for another.
   */
  readonly whole?: boolean | undefined
}

/** Which thread messages belong to. */
export interface FoundThread {
  readonly thread: string
  /**
   * `continuation`: the newest answer among the messages is known, so they go on from it, or ask there again or
   * something else: that the log tells. `branch`: they leave a known line after an earlier answer. `retry`: they were
   * asked before, or go on from a known line and the client says that it tries again.
   */
  readonly kind: 'new' | 'continuation' | 'branch' | 'retry' | 'named'
  /** They are no history of the named thread: all of them are to be appended. */
  readonly alone?: boolean
  /** Whether they begin where the thread begins. */
  readonly isWhole: boolean
  readonly chain: Chain
}
