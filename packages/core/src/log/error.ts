const marker: symbol = Symbol.for('minutebook.error')

/**
 * Every error the library throws. `code` is stable and meant for programs,
 * `message` says what to do next, `details` carries what a program may want to show.
 */
export class MinutebookError extends Error {
  override readonly name: string = 'MinutebookError'
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.details = details
    Object.defineProperty(this, marker, { value: true })
  }

  /** True for errors of any copy of the library, where `instanceof` sees only its own. */
  static isInstance(value: unknown): value is MinutebookError {
    return typeof value === 'object' && value !== null && marker in value
  }
}

/** For where an expression must have a value, and there is none. */
export function fail(error: MinutebookError): never {
  throw error
}
