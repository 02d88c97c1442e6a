import type { Scope } from '../../../server/src/config/caller.ts'
import type { OpenOptions, TestBrowser, Visit } from '../../../../tests/support/browser/browser.ts'
import type { ConsoleServer } from './server.ts'

/** Opens a page of the console as somebody who logged in before with a key of that scope. */
export async function enter(
  browser: TestBrowser,
  { url, keyOf }: Pick<ConsoleServer, 'url' | 'keyOf'>,
  scope: Scope,
  path = '',
  options: OpenOptions = {},
): Promise<Visit> {
  const visit = await browser.open(`${url}${path}`, { ...options, key: keyOf(scope) })
  await visit.page.locator('header').first().waitFor()
  return visit
}

/** Logs in as a person does: by pasting a key. */
export async function paste({ page }: Visit, key: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Key' }).fill(key)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('textbox', { name: 'Key' }).waitFor({ state: 'detached' })
  await page.locator('header').first().waitFor()
}

/** Waits until nothing on the page is being fetched. */
export async function settled({ page }: Visit): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('[aria-busy="true"]') === null && document.querySelector('header, form') !== null,
  )
}

/** Types into the search page, and waits for what it finds. */
export async function searchFor(visit: Visit, words: string): Promise<void> {
  const answered = visit.page.waitForResponse((response) => {
    const { pathname, searchParams } = new URL(response.url())
    return pathname.endsWith('/search') && searchParams.get('query') === words
  })
  await visit.page.getByRole('searchbox', { name: 'Search', exact: true }).fill(words)
  await answered
  await visit.page.getByRole('status').filter({ hasText: /found/ }).waitFor()
  await settled(visit)
}
