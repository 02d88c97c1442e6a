/** Lets one piece of work through at a time, in the order in which they came: who comes second finds all that the first has done. */
export function createTurnstile(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const working = last.then(work)
    last = working.catch(() => undefined)
    return working
  }
}
