import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { blocksOf, isRunnable } from '../../../tests/support/blocks.ts'
import { root, run } from '../../../tests/support/workshop.ts'
import { nativeServer } from '../../../tests/support/server/native.ts'

const home = fileURLToPath(new URL('..', import.meta.url))
const [block, ...others] = blocksOf('README.md', readFileSync(join(home, 'README.md'), 'utf8')).filter(isRunnable)

// Below the tests, so that the block is read like one of them and finds the sources.
mkdirSync(join(home, 'test/.blocks'), { recursive: true })
const folder = mkdtempSync(join(home, 'test/.blocks/run-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what the README shows runs, and says what it should', async () => {
  const { running } = await nativeServer({ answer: 'Ferns like the shade.' })
  const file = join(folder, 'block.ts')
  writeFileSync(file, block!.text.replace('http://127.0.0.1:11435', running.url))
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await import(file)
  const printed = print.mock.calls.map((line) => line.join(' '))
  print.mockRestore()
  expect(others).toEqual([])
  expect(printed).toEqual(['complete', 'user: What grows in the shade?', 'assistant: Ferns like the shade.', '2 found'])
})

test.each([
  ['the right types', (text: string) => text, ''],
  [
    'wrong ones, which are found',
    (text: string) => text.replace('message:', 'mesage:').replace('turn.position', 'turn.place'),
    'mesage',
  ],
])('what the README shows has %s', async (_, changed, complaint) => {
  const own = mkdtempSync(join(folder, 'types-'))
  writeFileSync(join(own, 'block.ts'), changed(block!.text))
  const paths = { '@minutebook/client': [join(home, 'src/index.ts')] }
  const compilerOptions = {
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    tsBuildInfoFile: null,
    incremental: false,
    lib: ['es2023', 'dom', 'dom.asynciterable'],
    paths,
  }
  writeFileSync(
    join(own, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['block.ts'] }),
  )
  const { code, stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', own], root)
  expect([code === 0, stdout]).toEqual([complaint === '', expect.stringContaining(complaint) as string])
})
