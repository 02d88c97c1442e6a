import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverUser, type User } from '../../../support/postgres/cluster-user.ts'
import { watch } from '../../../support/postgres/watch.ts'

/** The temporary folder of everything. What works in it ends, and it goes, with this process. */
export interface Home {
  readonly folder: string
  /** Who runs the servers. Undefined: whoever runs this process. */
  readonly user: User | undefined
  /** For all roles. */
  readonly password: string
  readonly makeFolder: (name: string) => string
  /** Writes a file that only the servers may read, and gives its path. */
  readonly write: (name: string, text: string) => string
  /** Resolves when everything has ended and the folder is gone. */
  readonly end: () => Promise<void>
}

export function openHome(): Home {
  const user = serverUser()
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'minutebook-failover-'))
  const give = (path: string): string => {
    if (user !== undefined) chownSync(path, user.uid, user.gid)
    return path
  }
  give(folder)
  return {
    folder,
    user,
    password: randomBytes(16).toString('hex'),
    makeFolder: (name) => {
      mkdirSync(join(folder, name), { mode: 0o700 })
      return give(join(folder, name))
    },
    write: (name, text) => {
      writeFileSync(join(folder, name), text, { mode: 0o600 })
      return give(join(folder, name))
    },
    end: watch(process.execPath, ['--no-warnings', new URL('guard.ts', import.meta.url).pathname, folder], true),
  }
}
