import { entryOf } from 'minutebook/store'
import { beforeAll, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { consoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

test('the state of a branch is what was put into the basket there, turn by turn', async () => {
  const server = await consoleServer({ settings: { states: [{ name: 'basket', tools: ['put'] }] } })
  const puts = (content: string, thing: string, after?: ReturnType<typeof entryOf>) => {
    const question = entryOf({ role: 'user', content }, after)
    const call = { id: thing, type: 'function' as const, function: { name: 'put', arguments: '{}' } }
    const asked = entryOf({ role: 'assistant', content: '', tool_calls: [call] }, question)
    const result = entryOf({ role: 'tool', tool_call_id: thing, content: JSON.stringify({ [thing]: 1 }) }, asked)
    return [question, asked, result]
  }
  const first = puts('Ferns, please.', 'ferns')
  const older = puts('And roses.', 'roses', first.at(-1))
  const newer = puts('And moss.', 'moss', first.at(-1))
  await server.store.append('garden', [...first, ...older, ...newer])
  const { page } = await enter(browser, server, 'viewer', '/threads/garden')
  await page.getByText('And moss.').first().waitFor()
  const basket = page.locator('[data-state="basket"]')
  await page.getByRole('button', { name: 'Previous branch' }).click()
  await page.getByText('And roses.').first().waitFor()
  await page.getByRole('link', { name: 'State' }).click()
  await basket.getByText('roses').waitFor()
  await page.getByText('After: And roses.').waitFor()
  await page.getByRole('slider', { name: 'Turn' }).press('ArrowLeft')
  await basket.getByText('ferns').waitFor()
})
