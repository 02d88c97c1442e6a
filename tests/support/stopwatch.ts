/** Milliseconds of this thread's own work: on a busy machine the clock on the wall tells of the others. */
function worked(run: () => unknown): number {
  const started = spent()
  run()
  return spent() - started
}

/** The least of five. */
export function bestOf(run: () => unknown): number {
  return Math.min(...Array.from({ length: 5 }, () => worked(run)))
}

/**
 * Whether it can be done in so many milliseconds, more of them on a slow machine. A few tries, for the first may come
 * before the code is compiled for speed, and other work may take the caches away.
 */
export function canBeDoneIn(limit: number, run: () => unknown): boolean {
  return Array.from({ length: 10 }).some((_, index) => {
    const taken = worked(run)
    // To look how slow the machine is takes longer than most of what is measured.
    return taken < limit || (index % 3 === 2 && taken < limit * slowness())
  })
}

/** 1 if five looks at each character of 1 MB take 5 ms or less; 2 if they take twice as long. */
function slowness(): number {
  const text = 'x'.repeat(1 << 20)
  const look = (): void => {
    for (let time = 0; time < 5; time++)
      for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) === 0) throw new Error('unreachable')
  }
  return Math.max(1, bestOf(look) / 5)
}

function spent(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}
