import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { binariesOf } from './cluster-binaries.ts'
import type { Version } from './cluster-binaries.ts'
import { guard } from './cluster-guard.ts'
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
  const user = serverUser()
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'minutebook-postgres-'))
  const data = join(folder ?? home, 'data')
  const endGuard = guard(home, data)
  try {
    const password = randomBytes(16).toString('hex')
    const passwordFile = join(home, 'password')
    writeFileSync(passwordFile, password, { mode: 0o600 })
    mkdirSync(data, { mode: 0o700 })
    if (user !== undefined) for (const path of [home, data, passwordFile]) chownSync(path, user.uid, user.gid)
    const binaries = binariesOf(version, home)
    // Linguistic order, as on many a server: whoever relies on the order of bytes has to say so.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US']
    const { status, stderr, error } = spawnSync(join(binaries, 'initdb'),
      ['--pgdata', data, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=password', '--no-sync', ...locale],
      { ...user, cwd: home, env: environment(home), encoding: 'utf8' })
    if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`)
    return { home, data, log: join(home, 'log'), binaries, password, user, endGuard }
  } catch (error) {
    await endGuard()
    throw error
  }
}

/** Nothing of the caller's environment reaches the server, which reads a good deal of it. */
export function environment(home: string): Record<string, string> {
  return { PATH: '/usr/bin:/bin', HOME: home, LC_ALL: 'C', TZ: 'UTC' }
}
