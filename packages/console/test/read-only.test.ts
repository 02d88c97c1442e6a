import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sqliteStore } from '@minutebook/sqlite'
import { scriptedModel } from '@minutebook/testing'
import { openBook } from 'minutebook'
import { serve } from '../../server/src/serve.ts'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { testConfig } from '../../../tests/support/server/gateway.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

test('over the file of a program that writes: new entries appear, inspector and lab work, and nothing can be written', async () => {
  const config = testConfig()
  const file = join(config.data, 'chat.db')
  const store = sqliteStore(file)
  const model = scriptedModel(['Ferns and hostas.', 'Moss, too.', 'Ivy.'])
  const thread = openBook({ store, model, window: 2048, system: 'You know plants.' }).thread('garden')
  await thread.send('What grows in the shade?').done
  const running = await serve(config, { file, log: 'silent', consoleFolder: process.env['CONSOLE_FOLDER'] })
  onTestFinished(async () => {
    await running.close()
    store.close()
  })

  const { page, refused, complaints } = await browser.open(running.consoleLink())
  await page.getByText('What grows in the shade?').first().click()
  await page.getByText('Ferns and hostas.').waitFor()
  await page.getByText('This server only reads the file of another program.').waitFor()
  await thread.send('And under the oak?').done
  await page.getByText('Moss, too.').waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  for (const name of ['Send', 'Edit', 'Regenerate', 'Erase', 'New thread'])
    expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0])
  await page.keyboard.press('Escape')

  await page.goto(`${running.url}/console/threads/garden/calls/last`)
  await page.locator('[data-proof="same"]').waitFor()
  await page.goto(`${running.url}/console/threads/garden/lab`)
  await page.locator('[data-lab="garden"][data-same="true"][aria-busy="false"]').waitFor()
  expect(await page.getByRole('button', { name: 'Save as policy' }).count()).toBe(0)
  expect([refused, complaints]).toEqual([[], []])
})
