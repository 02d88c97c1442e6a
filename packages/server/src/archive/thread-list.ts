// Which threads does a list show, and what does it say of each?
import type { Metadata, Rating } from 'minutebook/store'

/** Which threads a list has. */
export interface ArchivePage {
  /** Default: 100. At most 1,000. */
  readonly limit?: number | undefined
  /** The value of `next` on the previous page. */
  readonly after?: string | undefined
  /** Only threads whose metadata has all of these pairs. Default: all. */
  readonly metadata?: Metadata | undefined
  /** Only threads that have one of these. Default: all. */
  readonly marks?: readonly Mark[] | undefined
  /** Only threads with a message that has this rating, or this tag, or both from one person. Default: all. */
  readonly rating?: Rating | undefined
  readonly tag?: string | undefined
  /** Without threads of these sorts. Default: all threads. */
  readonly hide?: readonly ThreadSort[] | undefined
  /** With the owner of each thread. For admins only. Default: false. */
  readonly owners?: boolean | undefined
}

/** Threads that are seldom looked for: of participants of experiments, single questions, and forks. */
export type ThreadSort = 'runs' | 'one-offs' | 'forks'

/** How many of the newest threads are of each sort, and how many of those that are not hidden have each mark. */
export interface ThreadCounts {
  /** How many threads were looked at, and whether these are all. */
  readonly looked: number
  readonly whole: boolean
  readonly sorts: Readonly<Record<ThreadSort, number>>
  readonly marks: Readonly<Record<Mark, number>>
}

/** Why to open a thread: a prompt was cut upstream or did not fit, a turn failed, is partial, or is from the console. */
export type Mark = 'truncated' | 'overflow' | 'failed' | 'partial' | 'console'

/** A page of a list of threads. */
export interface ThreadList {
  readonly threads: readonly ThreadSummary[]
  /** Where the next page begins, if there are more. */
  readonly next?: string
}

/** A thread in a list. Null if the first and newest entries do not show it. */
export interface ThreadSummary {
  readonly thread: string
  /** The title in its metadata, or else the first words of the first question. */
  readonly title: string | null
  readonly metadata: Metadata
  readonly model: string | null
  readonly entries: number
  /** When its first and its newest entry were written. */
  readonly created: string | null
  readonly written: string | null
  readonly marks: readonly Mark[]
  /** Whether it is a single question through the gateway, such as for a title. */
  readonly oneOff: boolean
  /** Whether a client sent the thread through the gateway. Such a client runs the tools itself. */
  readonly relayed: boolean
  /** The thread that it was forked from. */
  readonly fork?: string
  /** The name of the key on whose behalf its newest model call was. Only for admins. */
  readonly owner?: string
}
