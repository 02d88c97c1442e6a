import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { blocksOf, isRunnable } from '../../../tests/support/blocks.ts'
import { fromSources, mustRun } from '../../../tests/support/workshop.ts'
import { readConfig } from '../src/index.ts'
import { temporaryFolder } from '../../../tests/support/server/gateway.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('what the README shows can be run', async () => {
  const folder = temporaryFolder()
  const block = blocksOf('README.md', readme).find(isRunnable)?.text
  writeFileSync(join(folder, 'block.ts'), block ?? 'throw new Error("The README shows nothing.")')
  const stdout = await mustRun(
    process.execPath,
    ['--no-warnings', '--import', fromSources, join(folder, 'block.ts')],
    folder,
  )
  expect(stdout).toMatch(/live: true.*\n200\n$/)
})

test('the settings that the README shows are in order', () => {
  const folder = temporaryFolder()
  const yaml = /```yaml\n(.*?)```/s.exec(readme)?.[1]?.replace('…64 hexadecimal digits…', 'ab'.repeat(32)) ?? ''
  writeFileSync(join(folder, 'minutebook.yaml'), yaml)
  const config = readConfig({ path: 'minutebook.yaml', folder, environment: {} })
  expect(Object.keys(config)).toEqual(expect.arrayContaining(Object.keys(parse(yaml) as object)))
})
