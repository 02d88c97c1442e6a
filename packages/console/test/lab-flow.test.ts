import type { KeptReceipt } from 'minutebook'
import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser, type Visit } from './support/browser.ts'
import { ensureBuilt } from './support/built.ts'
import { diceOf, spoken, talker } from './support/conversation.ts'
import { enter } from './support/enter.ts'
import { gardenLog } from './support/garden.ts'
import { copyInto } from './support/seeds.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

async function lab(server: ConsoleServer, thread: string): Promise<Visit> {
  const visit = await enter(browser, server, 'operator', `/threads/${thread}/lab`)
  await visit.page.locator('[data-lab][aria-busy="false"]').waitFor()
  return visit
}

async function garden(): Promise<{ readonly server: ConsoleServer; readonly visit: Visit }> {
  const server = await consoleServer({ upstream: { answer: 'Asked again.' } })
  await copyInto(server.store, 'garden', await gardenLog())
  return { server, visit: await lab(server, 'garden') }
}

describe('the lab', () => {
  test('makes every recorded prompt exactly while its sliders are untouched; a larger window brings back what was left out', async () => {
    const { server, visit: { page, complaints } } = await garden()
    const receipts = (await server.as('operator').ask('GET', '/threads/garden/receipts')).body['receipts'] as readonly KeptReceipt[]
    await page.getByText(`${receipts.length} calls: ${receipts.length} the same, 0 otherwise`).waitFor()
    expect(await page.locator('[data-lab]').getAttribute('data-same')).toBe('true')
    const omitted = async (): Promise<number> => Number(/(\d+) omitted/.exec((await page.locator('[data-made] [data-log-strip]').getAttribute('aria-label')) ?? '')?.[1] ?? 0)
    expect(await omitted()).toBeGreaterThan(5)
    await page.getByRole('slider', { name: 'Window' }).press('End')
    await page.locator('[data-lab][data-same="false"][aria-busy="false"]').waitFor()
    await expect.poll(omitted).toBe(0)
    expect(await page.locator('[data-change="added"]').count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'As recorded' }).click()
    await page.locator('[data-lab][data-same="true"]').waitFor()
    expect(complaints).toEqual([])
  })

  test('makes them exactly on threads that were counted by what the model server reports', async () => {
    const dice = diceOf(7)
    const server = await consoleServer({ upstream: { answer: talker(dice), window: 512 }, settings: { models: { strict: { window: 512 } }, policy: { preset: 'default', notes: true, journal: true } } })
    await spoken(server, 'spoken', 20, dice)
    const { page } = await lab(server, 'spoken')
    await page.getByText('20 calls: 20 the same, 0 otherwise').waitFor()
  })

  test('draws tokens, cost and reuse of all calls, and says what cannot be', async () => {
    const { visit: { page, complaints } } = await garden()
    await page.getByRole('tab', { name: 'All calls' }).click()
    for (const plot of ['tokens', 'cost', 'reuse']) await page.locator(`[data-plot="${plot}"]`).waitFor()
    await page.getByRole('slider', { name: 'Window' }).press('Home')
    await page.getByRole('slider', { name: 'Reserve' }).press('End')
    await page.locator('[data-lab][aria-busy="false"]').waitFor()
    await page.getByText(/would not fit|of 256 tokens/).first().waitFor()
    expect(complaints).toEqual([])
  })

  test('saves the settings as a policy that threads can name, and asks again with them, on a fork', async () => {
    const { server, visit: { page } } = await garden()
    await page.getByRole('combobox', { name: 'Preset' }).selectOption('tiered')
    await page.getByRole('button', { name: 'Save as policy' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('long-memory')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('is on record').waitFor()
    expect((await server.as('operator').ask('GET', '/policies')).body['policies']).toContainEqual(expect.objectContaining({ name: 'long-memory' }))
    await page.keyboard.press('Escape')
    await page.getByRole('slider', { name: 'Window' }).press('End')
    await page.getByRole('tab', { name: 'Answer' }).click()
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.getByRole('article', { name: 'With this restored' }).getByText('Asked again.').waitFor()
    expect(await page.getByRole('article', { name: 'As recorded' }).innerText()).toContain('About 15 cm')
    expect((await server.as('operator').ask('GET', '/threads/garden')).body['entries']).toBe((await gardenLog()).length)
    await page.getByRole('link', { name: 'Open the fork' }).click()
    await page.locator('[data-transcript]').getByText('Asked again.').waitFor()
  })
})
