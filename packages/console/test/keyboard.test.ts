import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { plantGarden } from './support/garden.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** The name of what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null
    return (
      element?.getAttribute('aria-label') ??
      element?.getAttribute('placeholder') ??
      element?.getAttribute('data-thread') ??
      element?.innerText.trim().slice(0, 60) ??
      ''
    )
  })
}

/** Presses Tab until something of that name has the focus; whatever takes the focus must show that it does. */
async function tabTo(page: Page, name: string | RegExp, most = 120): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press('Tab')
    const found = await focused(page)
    passed.push(found)
    const isMarked = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return true
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    })
    expect(isMarked, `the focus on "${found}" is not to be seen`).toBe(true)
    if (typeof name === 'string' ? found === name : name.test(found)) return
  }
  throw new Error(`Tab does not come to ${String(name)}; it passed ${[...new Set(passed)].join(' | ')}`)
}

async function garden(): Promise<{ readonly server: ConsoleServer; readonly visit: Visit }> {
  const server = await consoleServer({ upstream: { answer: 'By hand.' } })
  await plantGarden(server.store)
  const visit = await browser.open(server.url)
  return { server, visit }
}

describe('without a mouse', () => {
  test('one logs in, finds a thread, speaks, inspects a call, scrubs and comes back', async () => {
    const { visit } = await garden()
    const { page } = visit
    await page.getByRole('textbox', { name: 'Key' }).waitFor()
    await page.keyboard.type('key-of-the-admin')
    await page.keyboard.press('Enter')
    await page.locator('[data-thread="garden"]').waitFor()
    await tabTo(page, 'garden')
    await page.keyboard.press('Enter')
    await page.locator('[data-transcript] [data-entry]').first().waitFor()
    await tabTo(page, 'Message', 200)
    await page.keyboard.type('By keyboard?')
    await page.keyboard.press('Enter')
    await page.locator('[data-transcript]').getByText('By hand.').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('Message')
    await page.getByRole('link', { name: 'Inspector' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('[data-window-strip]').waitFor()
    await tabTo(page, 'Turn', 200)
    await page.keyboard.press('Home')
    await page.getByText('call 1 of').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByText('call 2 of').waitFor()
    await tabTo(page, /^(Entries|Details|Prompt|Dump)$/)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await page.locator('[data-inspector]').waitFor({ state: 'detached' })
  })

  test('the list goes up and down with arrows and opens what one comes to', async () => {
    const { visit, server } = await garden()
    const { page } = visit
    await page.getByRole('textbox', { name: 'Key' }).fill(server.keyOf('admin'))
    await page.keyboard.press('Enter')
    await page.locator('[data-thread="broken-off"]').waitFor()
    await page.locator('[data-thread="garden"]').focus()
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(/threads\/broken-off/)
    expect(await focused(page)).toBe('broken-off')
    await page.keyboard.press('ArrowUp')
    await page.waitForURL(/threads\/garden/)
  })

  test('the palette finds a thread and a command by a part of its name', async () => {
    const { visit, server } = await garden()
    const { page } = visit
    await page.getByRole('textbox', { name: 'Key' }).fill(server.keyOf('admin'))
    await page.keyboard.press('Enter')
    await page.locator('[data-thread="broken-off"]').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor()
    await page.keyboard.type('climbs')
    await page.keyboard.press('Enter')
    await page.waitForURL(/threads\/broken-off/)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor()
    await page.keyboard.type('theme dark')
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme="dark"]').waitFor()
    await page.reload()
    await page.locator('html[data-theme="dark"]').waitFor()
  })
})
