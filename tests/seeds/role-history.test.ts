import { expect, test } from 'vitest'
import { runPage } from '../support/page.ts'

test('000: the second step of a role has the first one in its prompt, and each entry has its time', async () => {
  const { printed, expected } = await runPage('docs/seeds/000-role-history.md')
  expect(printed).toBe(expected)
  expect(expected).not.toContain('no time')
})
