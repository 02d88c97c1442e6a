/** What a book needs to know about time. Core never reads the time itself: it is passed a clock. */
export interface Clock {
  /** The current time as an ISO 8601 text. */
  now(): string
  /** Resolves after this number of milliseconds, or as soon as the signal aborts. */
  after(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Resolves after all other waiting tasks have run. Without it, long work is done at once. */
  pause?(): Promise<void>
}
