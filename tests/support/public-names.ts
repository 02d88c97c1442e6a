import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { codeOf } from './code.ts'

/** A name that a module exports. A class is a value: its type comes with it. */
export interface PublicName {
  readonly name: string
  readonly kind: 'value' | 'type'
}

/** What of a package.json says which entry points there are. */
export interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, { readonly default?: string }>>
  /** Names that the package has for itself, such as `#sha256`. */
  readonly imports?: Readonly<Record<string, { readonly types: string }>>
}

/** The entry points of a package that have code, with their source below src: `minutebook/store` → `store.ts`. */
export function entryPoints(manifest: Manifest): Map<string, string> {
  const built = Object.entries(manifest.exports ?? {}).map(
    ([subpath, conditions]) => [`${manifest.name}${subpath.slice(1)}`, conditions.default ?? ''] as const,
  )
  return new Map(
    built
      .filter(([, file]) => /^\.\/dist\/.+\.js$/.test(file))
      .map(([name, file]) => [name, file.replace('./dist/', '').replace(/\.js$/, '.ts')]),
  )
}

/**
 * What a module exports, by name, read from its text. `read` returns the text of a file. Every type that is passed on
 * says `type`, because the compiler demands that of us (`isolatedModules`), so no other file needs to be looked at,
 * except behind `export *`.
 */
export function publicNames(file: string, read: (file: string) => string): PublicName[] {
  const kinds = new Map<string, PublicName['kind']>()
  const add = (name: string, kind: PublicName['kind']): void => {
    if (kinds.get(name) !== 'value') kinds.set(name, kind)
  }
  const text = read(file)
  const code = codeOf(text)
  for (const { 1: what = '', index } of code.matchAll(exported)) {
    const declared = declaration.exec(what)
    const list = /^(type\s+)?\{([^}]*)\}/.exec(what)
    const star = /^(?:type\s+)?\*\s*(?:as\s+([\w$]+)\s+)?from\s*(['"])( *)/.exec(what)
    if (list)
      for (const item of itemsOf(list[2] ?? '')) add(item.name, list[1] !== undefined || item.isType ? 'type' : 'value')
    else if (star?.[1] !== undefined) add(star[1], 'value')
    else if (star) {
      const end = index + 'export '.length + star[0].length
      const specifier = text.slice(end - (star[3] ?? '').length, end)
      if (!specifier.startsWith('.'))
        throw new Error(`${file} passes on everything of ${specifier}: name what is passed on.`)
      for (const { name, kind } of publicNames(posix.join(posix.dirname(file), specifier), read))
        if (name !== 'default') add(name, kind)
    } else if (what.startsWith('default')) add('default', 'value')
    else if (declared) add(declared[2] ?? '', declared[1] === 'interface' || declared[1] === 'type' ? 'type' : 'value')
    else throw new Error(`${file}: cannot read what this exports: export ${what.slice(0, 60)}`)
  }
  return [...kinds].map(([name, kind]) => ({ name, kind })).toSorted((one, other) => order(one.name, other.name))
}

/** The public names of a package by entry point. `folder` holds its package.json and its src. */
export function publicNamesOf(folder: string): Map<string, PublicName[]> {
  const manifest = JSON.parse(readFileSync(posix.join(folder, 'package.json'), 'utf8')) as Manifest
  const read = (file: string): string => readFileSync(posix.join(folder, 'src', file), 'utf8')
  return new Map([...entryPoints(manifest)].map(([entry, file]) => [entry, publicNames(file, read)]))
}

/**
 * Up to where the name, or the list of names, ends. A statement begins a line: nothing else of ours does with this
 * word.
 */
const exported = /^export\s+((?:type\s+)?\{[^}]*\}|(?:type\s+)?\*[^\n]*|[^\n]*)/gm
const declaration =
  /^(?:declare\s+|abstract\s+|async\s+)*(function|class|const|let|var|interface|type|enum|namespace)\s*\*?\s*([\w$]+)/

function itemsOf(list: string): { name: string; isType: boolean }[] {
  const items = list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  return items.map((item) => ({
    name: item.split(/\s+/).at(-1) ?? item,
    isType: /^type\s+\S/.test(item) && !/^type\s+as\s+\S+$/.test(item),
  }))
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
