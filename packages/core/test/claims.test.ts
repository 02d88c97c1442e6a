import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../tests/support/workshop.ts'

const page = readFileSync(join(root, 'docs/claims.md'), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
/** The tests that a row names: a file, and a part of the title. */
const named = rows.map((row) =>
  [...row.matchAll(/`((?:packages|tests)\/[^`]+\.test\.ts)`: \*([^*]+)\*/g)].map(([, file, title]) => ({
    file: file!,
    title: title!,
  })),
)

test('every statement about a call has a test', () => {
  expect(rows.length).toBeGreaterThan(15)
  expect(rows.filter((_, index) => named[index]!.length === 0)).toEqual([])
})

test.each(named.flat())('$file has "$title"', ({ file, title }) => {
  expect(existsSync(join(root, file))).toBe(true)
  expect(readFileSync(join(root, file), 'utf8')).toContain(title)
})
