/**
 * What does the library keep next to logs? The names of its records. All but `book` belong to a thread and go with it.
 *
 * @example
 * const [setup] = await store.records.find({ name: recordNames.setup, thread: 'garden' })
 */
export const recordNames = {
  /** The metadata of a thread, one record for each pair. A fork gets a copy. */
  metadata: 'metadata',
  /** How a program wants the turns of a thread to be run. It is neither sent nor shown. A fork gets a copy. */
  setup: 'setup',
  /** Which thread this one was forked from. */
  fork: 'fork',
  /** How many entries of a thread, from the first on, come from a file. */
  restored: 'restored',
  /**
   * Which feedback of a writer counts for a message, and which tags it has. It stays when the feedback is taken back: its
   * version tells whether another process has written meanwhile. `filterName` names the records that list feedback.
   */
  feedback: 'feedback',
  /** A call that waits, until it is decided. */
  waiting: 'waiting',
  /** A model call in the list of all calls. */
  call: 'call',
  /** The same once more for a call that went wrong: these are few, and are found among many. */
  badCall: 'bad call',
  /** The newest call of a thread with some problem, by the problem. So the newest come first. */
  problem: 'problem',
  /** Counts the books that were opened on a store. */
  book: 'book',
} as const
