import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { blocksOf } from '../../../tests/support/blocks.ts'
import { printedByReadme } from '../../../tests/support/readme.ts'

const home = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(home, 'README.md'), 'utf8')

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
  const printed = await printedByReadme(home)
  expect(printed).toHaveLength(4)
  expect(printed[2]).toMatch(/^30 I was sent \d+ messages\.$/)
  expect(Number(/sent (\d+)/.exec(printed[2]!)?.[1])).toBeLessThan(59)
  expect(printed[3]).toBe('90 entries, notes among them')
})
