import type { Feed } from '../feed/feed.ts'
import type { Store } from '../log/store.ts'
import type { Lanes } from './lanes.ts'
import type { LiveLog } from '../record/live-log.ts'
import type { Manner } from './running.ts'
import type { Tool } from '../tool/tool.ts'

/** A thread as its holder has it: the log, the lanes it shares with others, and how its turns are run. */
export interface Holding {
  readonly thread: string
  readonly store: Store
  readonly lanes: Lanes
  /** Where its turns tell what they show. */
  readonly feed: Feed
  readonly log: LiveLog
  /** The text that stands first in every prompt. */
  readonly system: string | undefined
  /** Throws where there is no model or window: a thread can be read without, but not spoken to. */
  manner(tools?: readonly Tool[]): Manner
  /** Brings the log up to date, also where something was erased. */
  readonly refresh: (needs?: Needs) => Promise<void>
  /** A text that no message had before, of this process or, with an engine, of any. */
  readonly unique: () => Promise<string>
}

/** What the log is needed for. */
export interface Needs {
  /** The turns that will be run; as the thread's are unless told. */
  readonly manner?: Manner | undefined
  /** All of it. */
  readonly whole?: boolean | undefined
}
