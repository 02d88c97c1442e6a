/** Passes on what comes in at any time to one who takes it at their own pace. */
export interface Outlet<T> {
  put(items: readonly T[]): void
  /** Ends it, with an error where there is one. */
  end(error?: { readonly cause: unknown }): void
  /** Resolves when all that was put in has been taken out, or it is ended. */
  drained(): Promise<void>
  taken(): AsyncGenerator<T, void, void>
}

/** `joined`: two neighbours as one, where they can be: so what waits for someone slow does not grow with every piece. */
export function createOutlet<T>(joined: (last: T, next: T) => T | undefined): Outlet<T> {
  const waiting: T[] = []
  let end: { readonly error: { readonly cause: unknown } | undefined } | undefined
  let bells: (() => void)[] = []
  const ring = (): void => {
    for (const bell of bells.splice(0)) bell()
  }
  const rung = (): Promise<void> => new Promise((resolve) => bells.push(resolve))
  return {
    put: (items) => {
      for (const item of items) {
        const last = waiting.at(-1)
        const both = last === undefined ? undefined : joined(last, item)
        if (both === undefined) waiting.push(item)
        else waiting[waiting.length - 1] = both
      }
      if (items.length > 0) ring()
    },
    end: (error) => {
      end ??= { error }
      ring()
    },
    drained: async () => {
      while (waiting.length > 0 && !end) await rung()
    },
    taken: async function* () {
      for (;;) {
        for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) yield item
        ring()
        if (end) break
        if (waiting.length === 0) await rung()
      }
      if (end.error) throw end.error.cause
    },
  }
}
