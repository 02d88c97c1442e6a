/**
 * Microseconds of processor time that this process has used. (Linux counts that of a single thread only at its ticks:
 * too coarse for one turn.)
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
