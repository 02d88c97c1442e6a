import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { blocksOf, isRunnable } from '../../../tests/support/blocks.ts'

const home = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(home, 'README.md'), 'utf8')

// Below the tests, so that the block is read like one of them and finds the sources.
mkdirSync(join(home, 'test/.blocks'), { recursive: true })
const folder = mkdtempSync(join(home, 'test/.blocks/run-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what the README shows runs, and says what it should', async () => {
  const [block, ...others] = blocksOf('README.md', readme).filter(isRunnable)
  const file = join(folder, 'block.ts')
  writeFileSync(file, block!.text)
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await import(file)
  const printed = print.mock.calls.map((line) => line.join(' '))
  print.mockRestore()
  expect(others).toEqual([])
  expect(printed).toEqual(['user: What grows in the shade?', 'assistant: Hostas.', '2 branches'])
})
