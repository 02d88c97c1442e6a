/** What a book needs of time. Core itself has no clock: it is given one. */
export interface Clock {
  /** Now, as an ISO 8601 text. */
  now(): string
  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  after(milliseconds: number, signal: AbortSignal): Promise<void>
}
