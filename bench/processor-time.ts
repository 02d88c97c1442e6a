import { readdirSync, readFileSync } from 'node:fs'

/**
 * Microseconds of processor time that this process has used. (Linux counts that of a single thread only at its ticks:
 * too coarse for one turn.)
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Microseconds of processor time that all threads of a process have used; NaN if it is gone or the system is no Linux. */
export function processorTimeOf(pid: number | undefined): number {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
    )
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000
  } catch {
    return NaN
  }
}
