import { posix } from 'node:path'
import { codeOf, withoutComments } from '../../../../tests/support/code.ts'

/** A statement of a `.d.ts` file that declares a name. An overloaded function has several. */
export interface Declaration {
  readonly name: string
  readonly kind: 'value' | 'type'
  /** Without its comments and without `export` and `declare`. */
  readonly text: string
  /** The doc comment before the statement. Undefined if there is none. */
  readonly comment: string | undefined
}

/** Where a name is declared. */
export interface Place {
  readonly file: string
  readonly name: string
}

/** One `.d.ts` file. */
export interface Module {
  readonly declared: ReadonlyMap<string, readonly Declaration[]>
  /** By local name. An imported name of another package is not in it. */
  readonly imported: ReadonlyMap<string, Place>
  /** By public name. */
  readonly exported: ReadonlyMap<string, Place>
  /** Files of which everything is passed on. */
  readonly stars: readonly string[]
}

/**
 * Reads one statement after the other. A statement that it does not know is an error. `own`: the files of names such as
 * `#sha256`.
 */
export function readModule(file: string, text: string, own: ReadonlyMap<string, string> = new Map()): Module {
  const resolve = (specifier: string): string | undefined =>
    specifier.startsWith('.') ? resolved(file, specifier) : own.get(specifier)
  const code = codeOf(text)
  const bare = withoutComments(text)
  const declared = new Map<string, Declaration[]>()
  const imported = new Map<string, Place>()
  const exported = new Map<string, Place>()
  const stars: string[] = []
  for (const { start, end, from } of statementsOf(code)) {
    const statement = bare.slice(start, end)
    const list = /^(import|export)\s+(?:type\s+)?\{([^}]*)\}(?:\s*from\s*(['"])([^'"]*)\3)?;$/.exec(statement)
    const star = /^export\s+(?:type\s+)?\*\s*from\s*(['"])([^'"]*)\1;$/.exec(statement)
    const declaration = declarationHead.exec(statement)
    if (list) {
      const [, way, items = '', , source] = list
      const target = source === undefined ? file : resolve(source)
      if (target === undefined && way === 'import') continue
      if (target === undefined)
        throw new Error(`${file} passes on names of ${source}, whose declarations are not ours.`)
      for (const { name, as } of itemsOf(items))
        (way === 'import' ? imported : exported).set(as, { file: target, name })
    } else if (star?.[2]?.startsWith('.')) stars.push(resolved(file, star[2]))
    else if (declaration) {
      const [head, isExported, word, name = ''] = declaration
      const kind = word === 'interface' || word === 'type' ? 'type' : 'value'
      const shown = `${word} ${name}${statement.slice(head.length)}`
      const comment = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*$/.exec(text.slice(from, start))?.[1]?.trim()
      declared.set(name, [...(declared.get(name) ?? []), { name, kind, text: tidy(shown), comment }])
      if (isExported !== undefined) exported.set(name, { file, name })
    } else if (!ofOthers.test(statement))
      throw new Error(`${file}: cannot read this statement: ${statement.slice(0, 80)}`)
  }
  return { declared, imported, exported, stars }
}

const declarationHead = /^(export\s+)?(?:declare\s+)?(?:abstract\s+)?(function|const|class|interface|type)\s+([\w$]+)/
/** Declares nothing here: an import of another package as one name, or of a file for nothing but its effects. */
const ofOthers = /^import\s*(?:(?:type\s+)?[\w$]+\s+from\s*(['"])[^.'"][^'"]*\1|(['"])[^'"]*\2);$/
/** These end with their brace, all others with a semicolon. */
const endsWithBrace = /^(?:export\s+)?(?:declare\s+)?(?:abstract\s+)?(?:interface|class)\b/

/** `from` is the end of the statement before. */
function statementsOf(code: string): { from: number; start: number; end: number }[] {
  const found: { from: number; start: number; end: number }[] = []
  let depth = 0
  let from = 0
  let start = -1
  for (let at = 0; at < code.length; at++) {
    const sign = code[at] ?? ''
    if (start < 0) {
      if (/\s/.test(sign)) continue
      start = at
    }
    if ('([{'.includes(sign)) depth++
    if (')]}'.includes(sign)) depth--
    if (depth > 0 || (sign !== ';' && !(sign === '}' && endsWithBrace.test(code.slice(start, start + 80))))) continue
    found.push({ from, start, end: at + 1 })
    from = at + 1
    start = -1
  }
  if (start >= 0) throw new Error(`cannot read the end of this: ${code.slice(start, start + 80)}`)
  return found
}

function itemsOf(list: string): { name: string; as: string }[] {
  const items = list
    .split(',')
    .map((item) => item.trim().replace(/^type\s+(?!as\s)/, ''))
    .filter((item) => item !== '')
  return items.map((item) => {
    const [name = item, , as = name] = item.split(/\s+/)
    return { name, as }
  })
}

/** `./entry.ts`, as it is in a `.d.ts` file, is `entry.d.ts` there. */
const resolved = (file: string, specifier: string): string =>
  posix.join(posix.dirname(file), specifier).replace(/\.[jt]s$/, '.d.ts')

/** One shape for one declaration, wherever its comments were. */
const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
    .replace(/\n\s*\| /g, ' | ')
    .replace(/ =\n\{/g, ' = {')
