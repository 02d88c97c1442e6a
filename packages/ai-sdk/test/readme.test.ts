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

test('the README has at most 110 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(110)
})

test('the README counts its own lines and those of the AI SDK', () => {
  const server = blocksOf('README.md', readme).find(({ text }) => text.includes('chatHandler'))
  expect(readme).toContain(`without Redis: ${codeLines(server!.text)} on the server`)
  // The AI SDK comes with its documentation.
  const page = fileURLToPath(
    new URL('docs/04-ai-sdk-ui/03-chatbot-resume-streams.mdx', import.meta.resolve('ai/package.json')),
  )
  const blocks = readFileSync(page, 'utf8').split('```ts filename="app/api/').slice(1)
  const routes = blocks.map((block) => codeLines(block.slice(block.indexOf('\n'), block.indexOf('```'))))
  expect(routes).toHaveLength(3)
  expect(readme).toContain(`has ${routes.reduce((sum, lines) => sum + lines)} in its three routes`)
})

function codeLines(block: string): number {
  return block.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}

test('what the README shows runs, and says what it should', async () => {
  const [block, ...others] = blocksOf('README.md', readme).filter(isRunnable)
  const file = join(folder, 'block.ts')
  writeFileSync(file, block!.text)
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await import(file)
  const printed = print.mock.calls.map((line) => line.join(' '))
  print.mockRestore()
  expect(others).toEqual([])
  expect(printed).toHaveLength(4)
  expect(printed[2]).toMatch(/^30 I was sent \d+ messages\.$/)
  expect(Number(/sent (\d+)/.exec(printed[2]!)?.[1])).toBeLessThan(59)
  expect(printed[3]).toBe('90 entries, notes among them')
})
