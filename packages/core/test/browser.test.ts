import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, test, type TestContext } from 'vitest'
import { bundleForBrowser } from './support/bundle.ts'
import { core, sourceFolder } from '../../../tests/support/workshop.ts'
import { smoke } from './support/smoke.ts'

const browserFile = '/usr/bin/chromium'
const args = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

test('an error in the page is a failure', async (context) => {
  skipWithoutBrowser(context)
  await expect(inBrowser(`throw new Error('in the page')`)).rejects.toThrow('in the page')
})

test('compiles in a browser to the same bytes as in Node', async (context) => {
  skipWithoutBrowser(context)
  const answer = await inBrowser(`import { smoke } from './smoke.ts'\nglobalThis.answer = smoke()\n`)
  expect(answer.length).toBeGreaterThan(1000)
  expect(answer).toBe(smoke())
})

function skipWithoutBrowser(context: TestContext): void {
  const optional = process.env['CI'] === undefined
  context.skip(
    optional && !existsSync(browserFile),
    `There is no browser at ${browserFile}. With CI set this is a failure.`,
  )
}

/** Runs a module that stands beside smoke.ts in a page of its own and gives what it left in `answer`. */
async function inBrowser(text: string): Promise<string> {
  const bundle = await bundleForBrowser(join(core, 'test/support'), text, {
    minutebook: join(sourceFolder, 'index.ts'),
  })
  expect(bundle.external).toEqual([])
  const browser = await chromium.launch({ executablePath: browserFile, args })
  try {
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.addScriptTag({ type: 'module', content: bundle.code })
    await expect
      .poll(async () => errors.length > 0 || (await page.evaluate<boolean>('globalThis.answer !== undefined')))
      .toBe(true)
    expect(errors).toEqual([])
    return await page.evaluate<string>('globalThis.answer')
  } finally {
    await browser.close()
  }
}
