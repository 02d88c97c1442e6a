import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { copyPackages, mustRun, root } from './workshop.ts'

export interface PackOptions {
  /** Packages that the packed ones are built with, and that are not packed themselves. */
  readonly others?: readonly string[] | undefined
  /** The address of the repository, which each package.json then names. Default: none. */
  readonly repository?: string | undefined
}

/**
 * Packs packages as users install them, from a fresh copy, so that neither an old build nor one under way gets into a
 * tarball. Returns the tarballs in the order of `packages`.
 */
export async function packAll(
  packages: readonly string[],
  scratch: string,
  { others = [], repository }: PackOptions = {},
): Promise<string[]> {
  const workshop = join(scratch, 'workshop')
  const tarballs = join(scratch, 'packages')
  mkdirSync(tarballs)
  copyWorkshop([...packages, ...others], workshop)
  const files: string[] = []
  for (const name of packages) {
    const folder = join(workshop, 'packages', name)
    if (repository !== undefined) nameRepository(join(folder, 'package.json'), repository, `packages/${name}`)
    const said = await mustRun('npm', ['pack', '--silent', '--pack-destination', tarballs], folder)
    files.push(join(tarballs, said.trim().split('\n').at(-1) ?? ''))
  }
  return files
}

/**
 * Copies tarballs into a folder, where those of other versions of the same packages are removed. Nothing else is.
 * Returns the copies.
 */
export function placeTarballs(tarballs: readonly string[], folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  const nameOf = (file: string): string | undefined => /^(.+)-\d+\.\d+\.\d+(?:-[\w.-]+)?\.tgz$/.exec(file)?.[1]
  const packed = new Set(tarballs.map((file) => nameOf(basename(file))))
  for (const file of readdirSync(folder)) {
    const name = nameOf(file)
    if (name !== undefined && packed.has(name)) rmSync(join(folder, file))
  }
  return tarballs.map((file) => {
    const copy = join(folder, basename(file))
    cpSync(file, copy)
    return copy
  })
}

function nameRepository(file: string, address: string, directory: string): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>
  const page = address.replace(/^git\+/, '').replace(/\.git$/, '')
  const named = {
    ...manifest,
    repository: { type: 'git', url: address, directory },
    homepage: `${page}#readme`,
    bugs: `${page}/issues`,
  }
  writeFileSync(file, `${JSON.stringify(named, undefined, 2)}\n`)
}

/** The packages alone, with the libraries of this workshop; among these the packages find each other's copies. */
function copyWorkshop(packages: readonly string[], workshop: string): void {
  copyPackages(packages, workshop)
  for (const name of packages) {
    const own = join(root, 'packages', name, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(workshop, 'packages', name, 'node_modules'))
  }
  const libraries = join(workshop, 'node_modules')
  mkdirSync(join(libraries, '@minutebook'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== 'minutebook' && name !== '@minutebook')
      symlinkSync(join(root, 'node_modules', name), join(libraries, name))
  for (const name of packages)
    symlinkSync(
      join(workshop, 'packages', name),
      join(libraries, name === 'core' ? 'minutebook' : `@minutebook/${name}`),
    )
}
