import { expect, test } from 'vitest'
import { runPage } from '../support/page.ts'

test('004: a backend without a store finds the hypothesis of its own client, and no other', async () => {
  const { printed, expected } = await runPage('docs/seeds/004-stateless.md')
  expect(printed).toBe(expected)
})
