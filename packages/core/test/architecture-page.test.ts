import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, root, sourceFolder } from '../../../tests/support/workshop.ts'

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const sources = filesBelow(sourceFolder)

/** The sections of a page, by title. */
const sections = new Map(
  page
    .split('\n## ')
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
)
const sectionOf = (words: string): string => [...sections].find(([title]) => title.includes(words))?.[1] ?? ''

/** The files in backticks, each once. `turns/send.ts` and `send.ts` are two ways to name one file. */
const filesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/`((?:[\w-]+\/)*[\w-]+\.ts)`/g)].map(([, file = '']) => file.split('/').at(-1) ?? '')),
]
interface Named {
  readonly name: string
  readonly file: string
}

/** The functions that a text places in a file: `one` and `other` (in `file.ts`). */
const namedIn = (text: string): readonly Named[] =>
  [...text.matchAll(/((?:`\w+`(?: and )?)+) \(in `([\w/-]+\.ts)`\)/g)].flatMap(([, list = '', file = '']) =>
    (list.match(/\w+(?=`)/g) ?? []).map((name) => ({ name, file })),
  )
const isDeclared = ({ name, file }: Named): boolean =>
  sources
    .filter((source) => source === file || source.endsWith(`/${file}`))
    .some((source) =>
      new RegExp(`\\b(?:function\\*?|const) ${name}\\b`).test(readFileSync(join(sourceFolder, source), 'utf8')),
    )

/** The paragraph that says what to read, without what it says in parentheses. */
const readingOf = (words: string): readonly string[] =>
  filesIn((/^Read .*$/m.exec(sectionOf(words))?.[0] ?? '').replaceAll(/\([^()]*\)/g, ''))

describe('docs/architecture.md', () => {
  test('names files that there are', () => {
    const named = [...page.matchAll(/`((?:[\w-]+\/)*[\w-]+\.ts)`/g)].map(([, file = '']) => file)
    const known = [
      ...sources,
      ...filesBelow(root.concat('/packages/core/test')).map((file) => `packages/core/test/${file}`),
    ]
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((file) => !known.some((source) => source === file || source.endsWith(`/${file}`)))).toEqual([])
  })

  test('names functions that there are, each in its file', () => {
    const named = namedIn(page)
    expect(named.length).toBeGreaterThan(16)
    expect(named.filter((one) => !isDeclared(one))).toEqual([])
    expect(namedIn('`send` and `append` (in `turns/send.ts`)').filter((one) => !isDeclared(one))).toEqual([
      { name: 'append', file: 'turns/send.ts' },
    ])
  })

  test.each(['interrupted by kill -9', 'from `thread.send` to the bytes'])(
    '%s: its steps name no other files',
    (words) => {
      expect(filesIn(sectionOf(words)).filter((file) => !readingOf(words).includes(file))).toEqual([])
    },
  )
})
