import { readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { importsOf } from './code.ts'
import { graphOf, groupsOf, type Graph } from './graph.ts'
import { entryPoints, type Manifest } from './public-names.ts'
import { filesBelow, root } from './workshop.ts'

/** Path below src, with forward slashes, and its text. */
export type Sources = ReadonlyMap<string, string>

export interface House {
  readonly sources: Sources
  /** The files that other packages and the shell start from. */
  readonly entries: ReadonlySet<string>
}

/**
 * The rules for every package. A finding is one line: the file, the folder or the cycle, and after a colon what is
 * wrong.
 */
export const houseRules: Readonly<Record<string, (house: House) => string[]>> = {
  'import cycles, types included': ({ sources }) => cycles(sources),
  'rooms that import each other': ({ sources }) => roomsInCircles(sources),
}

/** What is wrong in a package, by rule: only the rules that it breaks. */
export function brokenRules(house: House): Record<string, readonly string[]> {
  const findings = Object.entries(houseRules).map(([rule, check]) => [rule, check(house)] as const)
  return Object.fromEntries(findings.filter(([, found]) => found.length > 0))
}

/** The packages, by the name of their folder. */
export function houses(): Map<string, House> {
  const packages = join(root, 'packages')
  return new Map(readdirSync(packages).map((name) => [name, houseOf(join(packages, name))]))
}

/** `folder` holds the package.json and `src`. */
export function houseOf(folder: string): House {
  const source = join(folder, 'src')
  const files = filesBelow(source).filter((file) => /\.tsx?$/.test(file))
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest & {
    readonly bin?: Readonly<Record<string, string>>
  }
  const programs = Object.values(manifest.bin ?? {}).map((file) => sourceOf(file))
  return {
    sources: new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')])),
    entries: new Set([...entryPoints(manifest).values(), ...programs]),
  }
}

const sourceOf = (built: string): string => built.replace(/^(?:\.\/)?dist\//, '').replace(/\.js$/, '.ts')

export function cycles(sources: Sources): string[] {
  const done = new Set<string>()
  const found: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) found.push([...path.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    for (const { target } of importsWithin(file, sources)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of sources.keys()) visit(file, [])
  return found
}

/** Rooms that import each other, directly or through others: none of them can be understood without the others. */
function roomsInCircles(sources: Sources): string[] {
  const circles = groupsOf(roomsOf(sources)).filter((group) => group.length > 1)
  return circles.flatMap((circle) => circle.map((room) => `${room}: in a circle of ${circle.length} rooms`)).toSorted()
}

/** Which room imports which. A room is a folder of src with all that it holds, or a file directly in src. */
export function roomsOf(sources: Sources): Graph {
  const pairs = [...sources.keys()].flatMap((file) =>
    importsWithin(file, sources)
      .filter(({ target }) => sources.has(target))
      .map(({ target }) => [folderOf(file), folderOf(target)] as const),
  )
  return graphOf([...sources.keys()].map(folderOf), pairs)
}

export interface Edge {
  readonly target: string
  readonly line: number
  readonly typeOnly: boolean
  /** Whether it is loaded with `import()` when it is needed. */
  readonly onDemand: boolean
}

/** What a file imports of its own package, also files that are not there. */
export function importsWithin(file: string, sources: Sources): Edge[] {
  return importsOf(sources.get(file) ?? '')
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, ...edge }) => ({ target: resolve(file, specifier), ...edge }))
}

export const resolve = (file: string, specifier: string): string => posix.join(posix.dirname(file), specifier)

/** The first folder of a path, or the file itself if it is directly in src. */
export const folderOf = (file: string): string => file.split('/')[0] ?? file

/** The line that ends the file is no line of its own. */
export const lineCount = (text: string): number => text.replace(/\n$/, '').split('\n').length
