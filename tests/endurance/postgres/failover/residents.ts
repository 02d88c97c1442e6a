import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { gone, signal } from '../../../support/postgres/cluster-processes.ts'

/**
 * The processes that work in a folder or below it. Patroni starts Postgres as no child of its own, but each server of
 * Postgres, with all of its children, works in the folder of its data.
 */
export function residents(folder: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const path = pid > 0 ? workingFolder(pid) : undefined
      return path === folder || path?.startsWith(`${folder}/`)
    })
}

/** Kills all of them as one: none sees another die. Resolves when they are gone. */
export async function killResidents(folder: string): Promise<void> {
  const stopped = freezeResidents(folder)
  for (const pid of stopped) signal(pid, 'SIGKILL')
  await gone(stopped)
}

/** None of them does anything more. */
export function freezeResidents(folder: string): readonly number[] {
  const stopped = new Set<number>()
  for (let found = residents(folder); found.some((pid) => !stopped.has(pid)); found = residents(folder)) {
    for (const pid of found) {
      stopped.add(pid)
      signal(pid, 'SIGSTOP')
    }
  }
  return [...stopped]
}

export function thawResidents(folder: string): void {
  for (const pid of residents(folder)) signal(pid, 'SIGCONT')
}

/** What a process says that it does; empty when it has ended. */
export function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}
