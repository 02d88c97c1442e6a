/**
 * Carries what a running turn shows to those who follow it, on whatever instance. Nothing of it is durable, and all of it
 * may be lost: what counts is in the log.
 */
export interface Feed {
  /** Tells everyone who listens. Nobody waits for it, and it must not throw. */
  publish(thread: string, news: News): void
  /** Hears what is published once this has resolved, in the order of each publisher. The answer ends it. */
  listen(thread: string, hear: (news: News) => void): Promise<() => void>
}

/** What there is to tell about a thread. */
export type News =
  | LiveText
  /** The log has grown. */
  | { readonly type: 'grown' }
  /** Someone came late: whoever runs the thread tells the text of the current model call again, from its beginning. */
  | { readonly type: 'asked' }

/** A piece of a running turn's text. An empty one tells who runs it, and how far it is. */
export interface LiveText {
  readonly type: 'text'
  /** The user entry that the turn answers. */
  readonly turn: string
  /** Of the runner: a higher one has taken over. */
  readonly term: number
  /** How many entries the log had for the runner when the current model call began. */
  readonly length?: number | undefined
  /** Where the current model call begins in the text of the turn, and where the piece stands. */
  readonly start: number
  readonly offset: number
  readonly text: string
}
