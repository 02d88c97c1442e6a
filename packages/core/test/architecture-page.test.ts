import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, root, sourceFolder } from '../../../tests/support/workshop.ts'

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const sources = filesBelow(sourceFolder)

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
})
