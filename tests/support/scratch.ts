import { accessSync, constants, existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux's file system in memory. */
const memory = '/dev/shm'

/** Of eight files that were watched, the largest held 274 MB, and a few files run at a time. */
const enough = 4 * 2 ** 30

/**
 * Where tests put files that they throw away: in memory if there is enough of it, else where the system says. To wait
 * for a disk takes longer than most of what waits for it, and no test cuts the power. `TMPDIR=…` sets another folder.
 */
export function scratchFolder(): string {
  if (process.env['TMPDIR'] !== undefined || !existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) >= enough && runsPrograms(memory) ? memory : tmpdir()
}

/** Some systems let nothing be executed there, and tests execute a copy of Postgres. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, `minutebook-program-${process.pid}`)
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  } finally {
    rmSync(program, { force: true })
  }
}
