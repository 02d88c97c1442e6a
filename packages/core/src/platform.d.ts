// What core uses of the platform, apart from the language. Every runtime has it.

interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

// Only for the clock.
declare function setTimeout(run: () => void, milliseconds?: number): unknown
declare function clearTimeout(timer: unknown): void
declare function setImmediate(run: () => void): unknown
