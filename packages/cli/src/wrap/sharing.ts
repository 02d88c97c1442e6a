import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A wrapped agent, as a file in the data folder that tells others of it. */
export interface Presence {
  /** The processes of the other wrapped agents on this data folder. */
  others(): readonly number[]
  end(): void
}

/**
 * Agents share the gateway that the first of them started, because one data folder has one writer. So that gateway must
 * not end before the last of them.
 */
export function announcePresence(data: string, pid: number = process.pid): Presence {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const own = join(data, `${prefix}${pid}`)
  writeFileSync(own, '')
  return {
    others: () => {
      const found = readdirSync(data).flatMap((name) => pidIn(name))
      for (const gone of found.filter((each) => !isRunning(each)))
        rmSync(join(data, `${prefix}${gone}`), { force: true })
      return found.filter((each) => each !== pid && isRunning(each))
    },
    end: () => rmSync(own, { force: true }),
  }
}

/** Resolves when no other agent is left, or when the signal says so. */
export async function untilAlone(presence: Presence, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && presence.others().length > 0) await pause(200, undefined, { signal }).catch(() => undefined)
}

const prefix = 'wrapped-'

function pidIn(name: string): number[] {
  const [, digits] = /^wrapped-(\d{1,10})$/.exec(name) ?? []
  return digits === undefined ? [] : [Number(digits)]
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
