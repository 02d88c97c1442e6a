import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyPackages, mustRun, root } from '../../tests/support/workshop.ts'

/** What is installed for the command: the other packages are bundled into it. */
const packages = ['core', 'postgres', 'console', 'cli'] as const
const sources = [...packages, 'client', 'sqlite', 'experiment', 'server'] as const

/**
 * Packs what users install, from a fresh copy, so that neither an old build nor one under way gets into a tarball.
 * Gives the folder of the tarballs.
 */
export async function packAll(scratch: string): Promise<string> {
  const workshop = join(scratch, 'workshop')
  const tarballs = join(scratch, 'packages')
  mkdirSync(tarballs)
  copyWorkshop(workshop)
  for (const name of packages)
    await mustRun('npm', ['pack', '--silent', '--pack-destination', tarballs], join(workshop, 'packages', name))
  return tarballs
}

/** Installs the tarballs and the official client into an empty folder; gives what npm said. */
export async function install(tarballs: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const files = readdirSync(tarballs)
    .toSorted()
    .map((file) => join(tarballs, file))
  return mustRun(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...files, 'ollama'],
    folder,
  )
}

/** The packages alone, with the libraries of this workshop; among these the packages find each other's copies. */
function copyWorkshop(workshop: string): void {
  copyPackages(sources, workshop)
  for (const name of sources) {
    const own = join(root, 'packages', name, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(workshop, 'packages', name, 'node_modules'))
  }
  const libraries = join(workshop, 'node_modules')
  mkdirSync(join(libraries, '@minutebook'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== 'minutebook' && name !== '@minutebook')
      symlinkSync(join(root, 'node_modules', name), join(libraries, name))
  for (const name of sources)
    symlinkSync(
      join(workshop, 'packages', name),
      join(libraries, name === 'core' ? 'minutebook' : `@minutebook/${name}`),
    )
}
