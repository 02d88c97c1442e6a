import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { printedByReadme } from '../../../tests/support/readme.ts'

test('what the README shows runs, and says what it should', async () => {
  const printed = await printedByReadme(fileURLToPath(new URL('..', import.meta.url)))
  expect(printed).toEqual([expect.stringMatching(/^✗ tool-pairs: /)])
})
