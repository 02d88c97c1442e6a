/** Lets one piece of work through at a time, in the order in which they came: who comes second finds all that the first has done. Who finds nobody begins at once. */
export function createTurnstile(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<void> | undefined
  return (work) => {
    const working = last ? last.then(work) : work()
    const over = working.then(() => undefined, () => undefined).then(() => {
      if (last === over) last = undefined
    })
    last = over
    return working
  }
}
