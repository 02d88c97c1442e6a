import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { binariesOf } from './cluster-binaries.ts'
import type { Version } from './cluster-binaries.ts'
import { guard } from './cluster-guard.ts'
import { serverUser } from './cluster-user.ts'

/**
 * A cluster that is never started: those of this process are copies of it, since to make one takes much longer than to
 * copy it.
 */
export interface Template {
  readonly data: string
  readonly binaries: string
  /** Of the superuser. */
  readonly password: string
}

const templates = new Map<Version, Template>()

export function clusterTemplate(version: Version): Template {
  const made = templates.get(version) ?? makeTemplate(version)
  templates.set(version, made)
  return made
}

function makeTemplate(version: Version): Template {
  const user = serverUser()
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'minutebook-postgres-'))
  const data = join(home, 'data')
  // It stays until this process ends.
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
    const { status, stderr, error } = spawnSync(
      join(binaries, 'initdb'),
      ['--pgdata', data, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=password', '--no-sync', ...locale],
      { ...user, cwd: home, env: environment(home), encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`)
    return { data, binaries, password }
  } catch (error) {
    void endGuard()
    throw error
  }
}

/** Nothing of the caller's environment reaches the server, which reads a good deal of it. */
export function environment(home: string): Record<string, string> {
  return { PATH: '/usr/bin:/bin', HOME: home, LC_ALL: 'C', TZ: 'UTC' }
}
