import { codeOf, importsOf } from '../../../../tests/support/code.ts'
import { resolve, type Sources } from '../../../../tests/support/house-rules.ts'

export interface ExportedType {
  readonly name: string
  readonly file: string
  /** The files that import it by its name. */
  readonly importers: readonly string[]
}

/** Interfaces, type aliases and classes that a file of src declares and exports. */
export function exportedTypes(sources: Sources): ExportedType[] {
  const importers = new Map<string, Set<string>>()
  for (const [file, text] of sources)
    for (const { specifier, names } of importsOf(text))
      for (const name of names) {
        const key = `${resolve(file, specifier)} ${name}`
        importers.set(key, (importers.get(key) ?? new Set()).add(file))
      }
  return [...sources].flatMap(([file, text]) =>
    [...codeOf(text).matchAll(/^export (?:abstract )?(?:interface|type|class) ([\w$]+)/gm)].map(([, name = '']) => ({
      name,
      file,
      importers: [...(importers.get(`${file} ${name}`) ?? [])],
    })),
  )
}

/** A row of the table for contributors in CONTEXT.md. */
export interface ContributorWord {
  readonly word: string
  readonly type: string
  readonly file: string
}

const sourcesLink = 'packages/core/src/'

/** The rows of the table with the columns word, type and file. A row that has another form is an error. */
export function contributorWords(markdown: string): ContributorWord[] {
  const rows = markdown.split(/^\| word \| type \| file \|.*\n\|[-|]*\n/m)[1]?.split('\n') ?? []
  const end = rows.findIndex((row) => !row.startsWith('|'))
  return rows.slice(0, end < 0 ? undefined : end).map((row) => {
    const [, word, type, shown, link] = /^\| \*\*([a-z ]+)\*\* \| `(\w+)` \| \[(\S+)\]\((\S+)\) \| \S/.exec(row) ?? []
    if (word === undefined || type === undefined || shown === undefined || link !== `${sourcesLink}${shown}`)
      throw new Error(`CONTEXT.md: this row does not have a word, a type and a link to its file: ${row}`)
    return { word, type, file: shown }
  })
}

/** Every word that a table of CONTEXT.md has in its first column, in lower case. */
export function glossaryWords(markdown: string): Set<string> {
  const cells = markdown.split('\n').map((line) => /^\| (\*\*[^|]*) \|/.exec(line)?.[1] ?? '')
  const bold = cells.flatMap((cell) => [...cell.matchAll(/\*\*([^*]+)\*\*/g)].map(([, word = '']) => word))
  return new Set(bold.flatMap((word) => word.toLowerCase().split(/[\s-]+/)))
}

/**
 * The words of a name that are not among `nouns`. A noun may be in the plural, and one that digests is a digester. Before the last word there may also be a
 * word of `others`: *stored* entry, *append* options. The last word says what the thing is, so it
 * is a noun.
 */
export function strangeWords(name: string, nouns: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  const words = (name.match(/[A-Z][a-z0-9]*/g) ?? [name]).map((word) => word.toLowerCase())
  const isNoun = (word: string): boolean => rootsOf(word).some((form) => nouns.has(form))
  return words.filter((word, index) => !isNoun(word) && (index === words.length - 1 || !others.has(word)))
}

const rootsOf = (word: string): string[] => [
  word,
  word.replace(/s$/, ''),
  word.replace(/es$/, ''),
  word.replace(/ies$/, 'y'),
  word.replace(/er$/, ''),
]
