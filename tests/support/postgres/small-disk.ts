import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { TestContext } from 'vitest'
import { serverUser } from './cluster-user.ts'

/** A disk of so many megabytes, which the user of the server may write to. */
export interface SmallDisk {
  readonly folder: string
  readonly resize: (megabytes: number) => void
}

/**
 * For one test, which is skipped where no disk can be mounted. To be made before the cluster that uses it, so that it
 * goes after it.
 */
export function smallDisk(context: TestContext, megabytes: number): SmallDisk {
  if (process.getuid?.() !== 0) context.skip('only root can mount a small disk')
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-disk-'))
  const mounted = mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  if (!mounted) context.skip('no disk can be mounted here')
  const user = serverUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  return {
    folder,
    resize: (size) => {
      if (!mount('-o', `remount,size=${size}m`, folder)) throw new Error('The disk cannot be resized.')
    },
  }
}

function mount(...options: readonly string[]): boolean {
  return spawnSync('mount', options).status === 0
}
