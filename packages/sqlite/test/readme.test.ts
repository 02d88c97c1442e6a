import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf, isRunnable } from '../../../tests/support/blocks.ts'
import { fromSources, mustRun } from '../../../tests/support/workshop.ts'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const pathOf = temporaryFolder()
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('what the README shows can be run', async () => {
  const block = blocksOf('README.md', readme).find(isRunnable)?.text
  writeFileSync(pathOf('block.ts'), block ?? 'throw new Error("The README shows nothing.")')
  const stdout = await mustRun(
    process.execPath,
    ['--no-warnings', '--import', fromSources, pathOf('block.ts')],
    dirname(pathOf('x')),
  )
  expect(stdout).toContain(`[ 'Which lamp is on?', 'The red one.' ]`)
  expect(stdout).toContain(`[ 'Which lamp is on?' ]`)
})
