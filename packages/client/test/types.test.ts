import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { fromSources, mustRun } from '../../../tests/support/workshop.ts'

const generate = fileURLToPath(new URL('../generate/', import.meta.url))

test('the types are those of the document; if not: npm run write in packages/client/generate', async () => {
  expect(
    existsSync(`${generate}node_modules/openapi-typescript`),
    'npm ci in packages/client/generate comes first',
  ).toBe(true)
  const written = await mustRun(
    process.execPath,
    ['--no-warnings', '--import', fromSources, 'write-types.ts', '--print'],
    generate,
  )
  expect(readFileSync(`${generate}../src/schema.ts`, 'utf8') === written).toBe(true)
})
