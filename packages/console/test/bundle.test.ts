import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { builtFolder, consoleFolder, ensureBuilt } from '../../../tests/support/browser/built.ts'
import { filesBelow, mustRun } from '../../../tests/support/workshop.ts'
import { enter } from './support/enter.ts'
import { consoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()
/** Bytes, packed. */
const most = 200 * 1024

test('the first screen needs no more than 200 KB, and the inspector and the lab come when they are opened', async () => {
  const server = await consoleServer()
  const visit = await enter(browser, server, 'admin')
  const asked: string[] = []
  visit.page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  await visit.page.reload()
  await visit.page.locator('[data-threads]').waitFor({ state: 'attached' })
  await visit.page.waitForLoadState('networkidle').catch(() => undefined)
  const files = asked
    .filter((path) => path.startsWith('/console'))
    .map((path) => (path.startsWith('/console/assets/') ? path.slice('/console/'.length) : 'index.html'))
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(builtFolder, file))).length, 0)
  const all = readdirSync(join(builtFolder, 'assets')).filter((file) => file.endsWith('.js'))
  console.log(
    `first screen: ${files.length} files, ${(bytes / 1024).toFixed(1)} KB gzip; all scripts: ${all.length} files, ${(all.reduce((sum, file) => sum + gzipSync(readFileSync(join(builtFolder, 'assets', file))).length, 0) / 1024).toFixed(1)} KB gzip`,
  )
  expect(bytes).toBeLessThanOrEqual(most)
  expect(files.length).toBeGreaterThan(2)
  expect(files.length).toBeLessThan(all.length)
})

test('a console that does not come is asked for again once, and then the page says so', async () => {
  const server = await consoleServer()
  const { page, context } = await enter(browser, server, 'admin')
  let opened = 0
  page.on('request', (request) => void (request.isNavigationRequest() && opened++))
  const scripts = /\/console\/assets\/app-[\w-]+\.js/
  await context.route(scripts, (route) => route.abort())
  await page.reload().catch(() => undefined)
  const says = page.getByRole('alert')
  await says.getByText('The console did not load.').waitFor()
  expect(opened).toBe(2)
  await context.unroute(scripts)
  await says.getByRole('button', { name: 'Reload' }).click()
  await page.locator('[data-threads]').waitFor({ state: 'attached' })
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('what is built has no inline script or style, no source of elsewhere, and no eval', () => {
  const page = readFileSync(join(builtFolder, 'index.html'), 'utf8')
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/)
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/)
  for (const file of readdirSync(join(builtFolder, 'assets')).filter((name) => name.endsWith('.js'))) {
    expect(readFileSync(join(builtFolder, 'assets', file), 'utf8'), file).not.toMatch(/\beval\(|new Function\(/)
  }
})

test('each text file of more than 1000 bytes is there compressed, too, also in the npm package', async () => {
  const read = (file: string): Buffer => readFileSync(join(builtFolder, file))
  const files = filesBelow(builtFolder).filter((file) => !/\.(br|gz)$/.test(file))
  const large = files.filter((file) => /\.(html|js|css|svg|json)$/.test(file) && read(file).length > 1000)
  expect(large.length).toBeGreaterThan(10)
  const compressed = large.flatMap((file) => [`${file}.br`, `${file}.gz`])
  expect(filesBelow(builtFolder)).toEqual([...files, ...compressed].toSorted())
  for (const file of large) {
    expect(brotliDecompressSync(read(`${file}.br`)).equals(read(file)), file).toBe(true)
    expect(gunzipSync(read(`${file}.gz`)).equals(read(file)), file).toBe(true)
  }
  const listed = await mustRun('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], consoleFolder)
  for (const file of compressed) expect(listed).toContain(`"dist/page/${file}"`)
})
