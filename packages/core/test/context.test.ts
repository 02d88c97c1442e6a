import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { houseOf } from '../../../tests/support/house-rules.ts'
import { contributorWords, exportedTypes, glossaryWords, strangeWords } from './support/type-names.ts'
import { core, root } from '../../../tests/support/workshop.ts'

const context = readFileSync(join(root, 'CONTEXT.md'), 'utf8')
const types = exportedTypes(houseOf(core).sources)
const words = contributorWords(context)

/** A type that this many files import is a word that every contributor needs. */
const many = 8

/** Nouns that every programmer knows. A new one is added here on purpose. */
const trade = listed(`
  admission answer attempt block bound budget byte cache candidate change check choice code column conformance context cost count curve data
  delta encoding erasure event fact failure field finder finding finish function id index input invariant key layout lead limit line
  frame link list listing lock margin match memory meter observer option outcome output overflow overhead page parser pause
  placement point position posting prediction price problem publisher query quoting range ranking reader reading reason reconciliation
  reducer reference reply request role sample script sender server setting sha256 size source start stopwatch style tail template text time tokenizer
  trait tree trial truncation unit usage verification view weight window writer
`)
/** Words that come before a noun: how something was made, what is done with it, whose it is. */
const modifiers = listed(`
  ai append asked ask awaited busy by cancel changed checked clean clipped derive discover earlier end erase face failing folded follow
  found gpt hugging incoming indexed inspected kept known listed local minutebook needed new next older ollama open parsed placed polled prepared
  put rank
  read reconcile refresh render replayed save saved sealed search send sent shared split stateless stored trailing verify visible watch
  work
`)
const nouns = new Set([...glossaryWords(context), ...trade])

describe('CONTEXT.md', () => {
  test(`has every type that ${many} or more files of the core import`, () => {
    const needed = types.filter(({ importers }) => importers.length >= many)
    expect(needed.length).toBeGreaterThan(10)
    const present = new Set(words.map(({ type, file }) => `${type} ${file}`))
    expect(needed.map(({ name, file }) => `${name} ${file}`).filter((each) => !present.has(each))).toEqual([])
  })

  test('has about 25 words for contributors, each with a file that declares its type', () => {
    const declared = new Set(types.map(({ name, file }) => `${name} ${file}`))
    expect(words.filter(({ type, file }) => !declared.has(`${type} ${file}`))).toEqual([])
    expect(words.length).toBeGreaterThanOrEqual(20)
    expect(words.length).toBeLessThanOrEqual(30)
    expect(new Set(words.map(({ word }) => word)).size).toBe(words.length)
  })

  test('calls each of these types by a word that is in its name', () => {
    const spelled = (type: string): string => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
    expect(words.filter(({ word, type }) => !spelled(type).includes(word))).toEqual([])
  })
})

describe('the names of exported types', () => {
  test('are made of words of CONTEXT.md and of the trade', () => {
    const strange = types.filter(({ name }) => strangeWords(name, nouns, modifiers).length > 0)
    expect(strange.map(({ file, name }) => `${file} ${name}`)).toEqual([])
  })
})

describe('each check can fail', () => {
  const sources = new Map([
    [
      'log/entry.ts',
      `export interface Entry {}\nexport type Kind = 1\nexport abstract class Base {}\ninterface Own {}`,
    ],
    ['log/other.ts', `export interface Entry {}\nexport type { Kind } from './entry.ts'`],
    ['a.ts', `import { type Entry as E, Base } from './log/entry.ts'\n// import type { Kind } from './log/entry.ts'`],
    ['b.ts', `import type { Entry } from './log/entry.ts'\nimport { Entry as Other } from './log/other.ts'`],
  ])

  test('a type is counted where it is declared, by the files that import it', () => {
    expect(
      exportedTypes(sources).map(({ name, file, importers }) => `${name} ${file}: ${importers.join(' ')}`),
    ).toEqual([
      'Entry log/entry.ts: a.ts b.ts',
      'Kind log/entry.ts: ',
      'Base log/entry.ts: a.ts',
      'Entry log/other.ts: b.ts',
    ])
  })

  test.for([
    ['Manner', 'manner'],
    ['Holding', 'holding'],
    ['EntryManner', 'manner'],
    ['StoredEntry', ''],
    ['StoredEntries', ''],
    ['EntryStored', 'stored'],
    ['Digester', ''],
    ['DigestOptions', ''],
  ] as const)('%s: %s', ([name, found]) => {
    expect(strangeWords(name, new Set(['entry', 'digest', 'option']), new Set(['stored'])).join(' ')).toBe(found)
  })

  test('a table is read to its end, and a row of another form is refused', () => {
    const table = (row: string): string =>
      `| word | meaning |\n|---|---|\n| **head**, **branch** | x |\n\n| word | type | file | what it is |\n|---|---|---|---|\n${row}\n\n| **no** | row |`
    const row = '| **live log** | `LiveLog` | [log/log.ts](packages/core/src/log/log.ts) | a log |'
    expect(contributorWords(table(row))).toEqual([{ word: 'live log', type: 'LiveLog', file: 'log/log.ts' }])
    expect([...glossaryWords(table(row))]).toEqual(['head', 'branch', 'live', 'log', 'no'])
    expect(() => contributorWords(table(row.replace('src/log/', 'src/logs/')))).toThrow('does not have a word, a type')
    expect(() => contributorWords(table('| **log** | a log |'))).toThrow('does not have a word, a type')
    expect(contributorWords('no table')).toEqual([])
  })
})

function listed(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
