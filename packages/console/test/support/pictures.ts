import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from '../../../../tests/support/workshop.ts'

const wanted = process.env['SCREENSHOTS']
const ofDocs = join(root, 'docs/console')

/**
 * Takes a picture of the page if SCREENSHOTS is set, because fonts differ from machine to machine. `docs`: only those
 * that the documentation shows, again. Anything else is a folder for all of them.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (wanted === undefined) return
  const folder = wanted === 'docs' ? ofDocs : wanted
  const path = join(folder, `${name}.png`)
  if (wanted === 'docs' && !existsSync(path)) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path })
}
