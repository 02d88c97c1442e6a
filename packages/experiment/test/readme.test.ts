import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { blocksOf, isRunnable } from '../../../tests/support/blocks.ts'
import { publicSources, root, run } from '../../../tests/support/workshop.ts'

const home = fileURLToPath(new URL('..', import.meta.url))
const [block, ...others] = blocksOf('README.md', readFileSync(join(home, 'README.md'), 'utf8')).filter(isRunnable)

// Below the tests, so that the block is read like one of them and finds the sources.
mkdirSync(join(home, 'test/.blocks'), { recursive: true })
const folder = mkdtempSync(join(home, 'test/.blocks/run-'))
const file = join(folder, 'block.ts')
writeFileSync(file, block!.text)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what the README shows runs, and says what it should', async () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await import(file)
  const printed = print.mock.calls
  print.mockRestore()
  expect(others).toEqual([])
  expect(printed).toEqual([['success', { cash: 90, lemons: 20 }]])
})

test('what the README shows has the right types', async () => {
  const paths = Object.fromEntries([...publicSources()].map(([name, source]) => [name, [source]]))
  const compilerOptions = {
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    tsBuildInfoFile: null,
    incremental: false,
    lib: ['es2023', 'esnext.disposable'],
    paths,
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['block.ts'] }),
  )
  const { code, stdout } = await run(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder],
    root,
  )
  expect([code, stdout]).toEqual([0, ''])
})
