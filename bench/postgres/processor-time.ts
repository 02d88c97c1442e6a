import { readFileSync } from 'node:fs'
import { processorTimeOf } from '../processor-time.ts'

/** Seconds of processor time that programs have used so far. */
export interface ProcessorTime {
  /**
   * Of each connection of the plain role, by its process: what the server does for its own sake falls on whoever is
   * measured just then.
   */
  readonly connections: ReadonlyMap<number, number>
  /** Of the server and the given processes together. */
  readonly measured: number
  /** Of the whole machine. */
  readonly machine: number
}

export function processorTime(serverPids: readonly number[], ownPids: readonly number[]): ProcessorTime {
  const connections = serverPids.filter((pid) => read(`/proc/${pid}/cmdline`).startsWith('postgres: minutebook '))
  return {
    connections: new Map(connections.map((pid) => [pid, timeOf(pid)])),
    measured: [...serverPids, ...ownPids].reduce((sum, pid) => sum + timeOf(pid), 0),
    machine: machineTime(),
  }
}

/** What the connections that are still there used in between. */
export function connectionTime(before: ProcessorTime, after: ProcessorTime): number {
  let sum = 0
  for (const [pid, time] of after.connections) sum += time - (before.connections.get(pid) ?? 0)
  return sum
}

/** The share of the machine's work in between that was for something else. */
export function othersShare(before: ProcessorTime, after: ProcessorTime): number {
  const all = after.machine - before.machine
  return all > 0 ? Math.max(0, 1 - (after.measured - before.measured) / all) : 0
}

function timeOf(pid: number): number {
  const microseconds = processorTimeOf(pid)
  return Number.isNaN(microseconds) ? 0 : microseconds / 1e6
}

/** Seconds that all processors have worked so far. */
export function machineTime(): number {
  const [, user, nice, system, , , interrupts, softInterrupts] = read('/proc/stat')
    .split('\n', 1)[0]!
    .split(/\s+/)
    .map(Number)
  return (user! + nice! + system! + interrupts! + softInterrupts!) / ticksASecond
}

/** Empty where the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** What Linux counts in, on all machines. */
const ticksASecond = 100
