import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** A process and all that it started, itself first. */
export function family(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => Number(name) > 0)
    .map((name) => ({ pid: Number(name), parent: status(Number(name))?.parent }))
  const found = [pid]
  for (const ancestor of found)
    found.push(...parents.filter(({ parent }) => parent === ancestor).map((child) => child.pid))
  return found.filter(runs)
}

/** Kills a process and all that it started as one: none of them sees another die. Resolves when all are gone. */
export async function killFamily(pid: number): Promise<void> {
  if (!runs(pid)) return
  process.kill(pid, 'SIGSTOP')
  const all = family(pid)
  for (const each of all.toReversed()) signal(each, 'SIGKILL')
  await gone(all)
}

/** Resolves when none of the processes runs. */
export async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some(runs)) await pause(5)
}

/** A process that ended and waits for its parent to notice runs no more. */
export function runs(pid: number): boolean {
  const state = status(pid)?.state
  return state !== undefined && state !== 'Z' && state !== 'X'
}

/** The user of a process, by number; undefined if it has ended, as one does that served a connection. */
export function userOf(pid: number): number | undefined {
  try {
    return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function status(pid: number): { readonly state: string | undefined; readonly parent: number } | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in parentheses and may itself contain spaces and parentheses.
    const [state, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}
