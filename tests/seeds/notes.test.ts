import { expect, test } from 'vitest'
import { runPage } from '../support/page.ts'

test('the program on the page about notes prints what the page says', async () => {
  const { printed, expected } = await runPage('docs/seeds/002-notes.md')
  expect(printed).toBe(expected)
  expect(expected).toContain('RECENT NOTES TO SELF')
})

test('a page without a program is an error', async () => {
  await expect(runPage('tests/README.md')).rejects.toThrow('tests/README.md: a ts and a text block are missing.')
})
