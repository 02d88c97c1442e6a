/** What a book needs of time. Core has no clock of its own: it is given one. */
export interface Clock {
  /** Now, as an ISO 8601 text. */
  now(): string
  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  after(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Resolves when all others who wait for the processor have had their turn. Without it, long work is done at once. */
  pause?(): Promise<void>
}
