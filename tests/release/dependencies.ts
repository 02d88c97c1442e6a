// Which packages of others does each of ours bring along, and under which licences? From the lock file and from bundles.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import satisfies from 'spdx-satisfies'
import { root } from '../support/workshop.ts'

/** A package of others. */
export interface Dependency {
  readonly name: string
  readonly version: string
  /** An SPDX expression, or what its package.json says instead. */
  readonly license: string
  /** Whether it is inside our tarball, in place of being installed next to it. */
  readonly isBundled: boolean
}

/** A line of the lock file. */
interface Locked {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** What we pass on must let everybody use, change and sell it, with no duty but to name its authors. */
const allowed: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
]

export function isAllowed(license: string): boolean {
  try {
    return satisfies(license, [...allowed])
  } catch {
    return false
  }
}

/** The folders of our packages, with the name of each. */
export function ourPackages(): readonly { readonly folder: string; readonly name: string; readonly version: string }[] {
  return readdirSync(join(root, 'packages')).map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as {
      readonly name: string
      readonly version: string
    }
    return { folder, name, version }
  })
}

/** What npm installs with a package, from the lock file. What users bring themselves (peers) is not in it. */
export function installedWith(folder: string, lock: string = join(root, 'package-lock.json')): readonly Dependency[] {
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { readonly packages: Readonly<Record<string, Locked>> }
  const found = new Map<string, Dependency>()
  const visited = new Set<string>()
  const visit = (place: string): void => {
    if (visited.has(place)) return
    visited.add(place)
    const { dependencies = {}, optionalDependencies = {} } = packages[place] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const at = placeOf(name, place, packages)
      const locked = at === undefined ? undefined : packages[at]
      // An optional one that is not for this system.
      if (at === undefined || locked === undefined) continue
      if (locked.link === true) visit(locked.resolved ?? '')
      else {
        const { version = '', license = 'unknown' } = locked
        found.set(`${name}@${version}`, { name: locked.name ?? name, version, license, isBundled: false })
        visit(at)
      }
    }
  }
  visit(`packages/${folder}`)
  return inOrder([...found.values()])
}

/** As Node looks for it: next to the package, then in each folder above. */
function placeOf(name: string, from: string, packages: Readonly<Record<string, Locked>>): string | undefined {
  for (let above: string | undefined = from; above !== undefined; above = parentOf(above)) {
    const place = `${above === '' ? '' : `${above}/`}node_modules/${name}`
    if (place in packages) return place
  }
  return undefined
}

function parentOf(place: string): string | undefined {
  if (place === '') return undefined
  const end = place.lastIndexOf('/node_modules/')
  return end < 0 ? '' : place.slice(0, end)
}

/** Where the two packages that are bundled say what they contain. */
const bundles: Readonly<Record<string, { readonly file: string; readonly line: RegExp }>> = {
  cli: { file: 'dist/THIRD-PARTY-LICENCES.txt', line: /^(\S+) (\d\S*) \((.+)\)$/gm },
  console: { file: 'dist/page/THIRD-PARTY-LICENCES.md', line: /^## (\S+) - (\d\S*) \((.+)\)$/gm },
}

/** What a built package has inside. Throws if it is not built. */
export function bundledIn(folder: string, built: string = join(root, 'packages', folder)): readonly Dependency[] {
  const bundle = bundles[folder]
  if (bundle === undefined) return []
  const file = join(built, bundle.file)
  if (!existsSync(file)) throw new Error(`${file} is missing: npm run build && npm run bundle -w packages/cli`)
  const lines = readFileSync(file, 'utf8').matchAll(bundle.line)
  const found = Array.from(lines, ([, name = '', version = '', license = '']) => ({
    name,
    version,
    license,
    isBundled: true,
  }))
  return inOrder(found)
}

function inOrder(dependencies: readonly Dependency[]): readonly Dependency[] {
  return dependencies.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
}
