import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, sourceFolder } from '../../../../tests/support/workshop.ts'

test('every code that the core throws is in the type of codes, and no other', () => {
  const listed = [...readFileSync(join(sourceFolder, 'log/error.ts'), 'utf8').matchAll(/^  \| '([a-z_]+)'$/gm)].map(
    ([, code]) => code,
  )
  const thrown = filesBelow(sourceFolder).flatMap((file) =>
    [...readFileSync(join(sourceFolder, file), 'utf8').matchAll(/new MinutebookError\(\s*'([a-z_]+)'/g)].map(
      ([, code]) => code,
    ),
  )
  expect(thrown.length).toBeGreaterThan(40)
  expect(new Set(listed)).toEqual(new Set([...thrown, 'store_newer', 'store_older']))
})
