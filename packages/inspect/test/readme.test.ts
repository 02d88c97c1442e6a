import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { printedByReadme } from '../../../tests/support/readme.ts'

test('what the README shows runs, and says what it should', async () => {
  const printed = await printedByReadme(fileURLToPath(new URL('..', import.meta.url)))
  expect(printed).toEqual([
    'whole: turns 2–4',
    'recalled: turns 5–12',
    'omitted: turns 13',
    'pin it: 70 tokens',
    expect.stringMatching(/^system \d+, .*free \d+, reserve 75$/),
  ])
})
