import { readFileSync } from 'node:fs'

/**
 * Milliseconds that the processor worked for the main thread of a process; what the clock says if the system does not
 * tell. Other programs on the machine do not count.
 */
export function workOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return performance.now()
  }
}
