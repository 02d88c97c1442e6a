import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Version } from './cluster-binaries.ts'
import { guard } from './cluster-guard.ts'
import { clusterTemplate } from './cluster-template.ts'
import { serverUser } from './cluster-user.ts'
import type { User } from './cluster-user.ts'

/** What a cluster keeps on disk, and the guard that removes it. */
export interface Files {
  readonly home: string
  readonly data: string
  readonly log: string
  readonly binaries: string
  readonly password: string
  readonly user: User | undefined
  readonly endGuard: () => Promise<void>
}

/** A new cluster's folders, and who may use them. */
export async function clusterFiles(version: Version, folder?: string): Promise<Files> {
  const template = clusterTemplate(version)
  const user = serverUser()
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'minutebook-postgres-'))
  const data = join(folder ?? home, 'data')
  const endGuard = guard(home, data)
  try {
    mkdirSync(data, { mode: 0o700 })
    if (user !== undefined) for (const path of [home, data]) chownSync(path, user.uid, user.gid)
    const { status, stderr } = spawnSync('cp', ['-a', `${template.data}/.`, data], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`The template could not be copied: ${stderr}`)
    return {
      home,
      data,
      log: join(home, 'log'),
      binaries: template.binaries,
      password: template.password,
      user,
      endGuard,
    }
  } catch (error) {
    await endGuard()
    throw error
  }
}
