import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../../../tests/support/code.ts'
import { readModule, type Declaration, type Module, type Place } from './declarations.ts'
import { entryPoints, type Manifest } from '../../../../tests/support/public-names.ts'

/** What an entry point offers: each public name with its declaration. */
export type Entrance = ReadonlyMap<string, Found>

export interface Found {
  readonly file: string
  readonly declarations: readonly Declaration[]
}

export interface PublicApi {
  /** By entry point: `minutebook/store`. */
  readonly entrances: ReadonlyMap<string, Entrance>
  /** The types that public declarations use, directly or through each other, and that no entry point exports. */
  readonly hidden: readonly Found[]
}

/** Reads the declarations that were built. `folder` holds the package.json and `dist`. */
export function publicApiOf(folder: string): PublicApi {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const entries = [...entryPoints(manifest)].map(([name, file]) => [name, file.replace(/\.ts$/, '.d.ts')] as const)
  const own = Object.entries(manifest.imports ?? {}).map(
    ([name, { types }]) => [name, types.replace('./dist/', '')] as const,
  )
  return readPublicApi(new Map(entries), (file) => readFileSync(join(folder, 'dist', file), 'utf8'), new Map(own))
}

/** The names whose declarations have no doc comment. Of overloads one must have it. */
export function undocumented({ entrances }: PublicApi): string[] {
  return [...entrances].flatMap(([entry, entrance]) =>
    [...entrance]
      .filter(([, { declarations }]) => declarations.every(({ comment = '' }) => comment === ''))
      .map(([name, { file }]) => `${entry}: ${name} (${file})`),
  )
}

/**
 * `entries`: the file of each entry point. `read` returns the text of a `.d.ts` file. `own`: the files of the names that
 * the package has for itself, such as `#sha256`.
 */
export function readPublicApi(
  entries: ReadonlyMap<string, string>,
  read: (file: string) => string,
  own: ReadonlyMap<string, string> = new Map(),
): PublicApi {
  const modules = new Map<string, Module>()
  const moduleOf = (file: string): Module => {
    const module = modules.get(file) ?? readModule(file, read(file), own)
    modules.set(file, module)
    return module
  }
  const exportsOf = (file: string): [name: string, place: Place][] => {
    const { exported, stars } = moduleOf(file)
    return [...stars.flatMap(exportsOf), ...exported]
  }
  const find = ({ file, name }: Place): Found => {
    const { declared, imported } = moduleOf(file)
    const declarations = declared.get(name)
    if (declarations !== undefined) return { file, declarations }
    const passed = imported.get(name) ?? exportsOf(file).findLast(([as]) => as === name)?.[1]
    if (passed === undefined) throw new Error(`${file} does not declare ${name}.`)
    return find(passed)
  }
  const entrances = new Map(
    [...entries].map(([entry, file]) => {
      const names = exportsOf(file).map(([name, place]) => [name, find(place)] as const)
      return [entry, new Map(names.toSorted(([one], [other]) => order(one, other)))]
    }),
  )

  const open = [...entrances.values()].flatMap((entrance) => [...entrance.values()])
  const published = new Set(open.map(titleOf))
  const seen = new Map<string, Found>()
  for (let found = open.pop(); found !== undefined; found = open.pop()) {
    if (seen.has(titleOf(found))) continue
    seen.set(titleOf(found), found)
    const { file, declarations } = found
    const { declared, imported } = moduleOf(file)
    const words = declarations.flatMap(({ text }) => [...codeOf(text).matchAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g)])
    const known = words.map(([word]) => word).filter((word) => declared.has(word) || imported.has(word))
    open.push(...known.map((name) => find({ file, name })).filter(isType))
  }
  const hidden = [...seen.values()].filter((found) => !published.has(titleOf(found)))
  return { entrances, hidden: hidden.toSorted((one, other) => order(titleOf(one), titleOf(other))) }
}

/** The reports as they are checked in, by file name. */
export function apiReports({ entrances, hidden }: PublicApi): Map<string, string> {
  const reports = new Map<string, string>()
  for (const [entry, entrance] of entrances) {
    const of = (kind: Declaration['kind']): string[] =>
      [...entrance]
        .filter(([, found]) => found.declarations[0]?.kind === kind)
        .map(([name, found]) => (name === found.declarations[0]?.name ? '' : `// as ${name}\n`) + shown(found))
    reports.set(`${entry.replaceAll('/', '-')}.md`, report(entry, [...of('value'), ...of('type')]))
  }
  const title = 'Types that public declarations use and no entry point exports'
  reports.set(
    'hidden-types.md',
    report(
      title,
      hidden.map((found) => `// ${found.file}\n${shown(found)}`),
    ),
  )
  return reports
}

function report(title: string, declarations: readonly string[]): string {
  return `# ${title}\n\n\`\`\`ts\n${declarations.join('\n\n')}\n\`\`\`\n`
}

const shown = ({ declarations }: Found): string => declarations.map(({ text }) => broken(text)).join('\n')

const columns = 120

/** A function whose line is too long gets a line for each parameter. A review then shows which one changed. */
function broken(text: string): string {
  if (!text.startsWith('function') || text.split('\n').every((line) => line.length <= columns)) return text
  // The sign of an arrow closes nothing.
  const signs = codeOf(text).replaceAll('=>', '  ')
  const edges: number[] = []
  let depth = 0
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at] ?? ''
    if (sign === '(' && depth === 0 && edges.length === 0) edges.push(at)
    if ('([{<'.includes(sign)) depth++
    if (')]}>'.includes(sign)) depth--
    if (edges.length > 0 && ((sign === ',' && depth === 1) || depth === 0)) edges.push(at)
    if (edges.length > 0 && depth === 0) break
  }
  const parameters = edges.slice(1).map((edge, index) => `    ${text.slice((edges[index] ?? 0) + 1, edge).trim()},\n`)
  return `${text.slice(0, (edges[0] ?? 0) + 1)}\n${parameters.join('')}${text.slice(edges.at(-1))}`
}

const isType = ({ declarations }: Found): boolean =>
  declarations.some(({ kind, text }) => kind === 'type' || text.startsWith('class'))
const titleOf = ({ file, declarations }: Found): string => `${declarations[0]?.name} ${file}`
const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
