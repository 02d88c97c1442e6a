import { expect, test } from 'vitest'
import { runPage } from '../support/page.ts'

test('003: the first message is whole in a small window, with either policy', async () => {
  const { printed, expected } = await runPage('docs/seeds/003-first-message.md')
  expect(printed).toBe(expected)
  expect(expected.match(/user: 273 characters/g)).toHaveLength(2)
})
