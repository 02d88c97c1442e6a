import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../../tests/support/workshop.ts'

/** A row of the table: its number, and the test files that it names. */
interface Row {
  readonly id: string
  readonly files: readonly string[]
}

const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const rows = rowsIn(page)

test('the page of abuses has a row for each of those that can be tried', () => {
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 26 }, (_, index) => `A${index + 1}`))
})

describe.each(rows)('$id', ({ id, files }) => {
  test('names test files that are there, and that have tests', () => {
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((file) => !hasTests(file))).toEqual([])
  })

  test('is named by a test of them', () => {
    const named = new RegExp(`(?:test|describe)[^\\n]*\\('${id}\\b|'${id}:`)
    expect(files.filter((file) => named.test(textOf(file)))).not.toEqual([])
  })
})

test('each check can fail', () => {
  expect(rowsIn('| A1 | x | y | nothing |\n| A2 | x | y | `a/b.test.ts`, `c.test.ts` |')).toEqual([
    { id: 'A1', files: [] },
    { id: 'A2', files: ['a/b.test.ts', 'c.test.ts'] },
  ])
  expect([hasTests('packages/nowhere.test.ts'), hasTests('packages/server/src/index.ts')]).toEqual([false, false])
})

function rowsIn(text: string): Row[] {
  const lines = text.split('\n').filter((line) => /^\| A\d+ \|/.test(line))
  return lines.map((line) => ({
    id: line.split(' ')[1] ?? '',
    files: Array.from(
      line
        .split('|')
        .at(-2)
        ?.matchAll(/`([^`]+)`/g) ?? [],
      ([, file = '']) => file,
    ),
  }))
}

function hasTests(file: string): boolean {
  return /^\s*test(?:\.each)?[(<]/m.test(textOf(file))
}

function textOf(file: string): string {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
