/** A promise that the test itself fulfils. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
}

export function deferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((fulfil) => (resolve = fulfil))
  return { promise, resolve }
}
