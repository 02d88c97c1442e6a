import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { deferred } from '../../../tests/support/deferred.ts'
import { tagsIn } from '../src/feedback/comment-dialog.tsx'
import { enter, settled } from './support/enter.ts'
import { gardenTime, plantGarden } from './support/garden.ts'
import { serious } from './support/serious.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { shows } from './support/speak.ts'
import { testStores } from './support/stores.ts'
import { takePicture } from './support/pictures.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** What the transcript says of an answer. */
const feedbackOf = ({ page }: Visit, words: string): ReturnType<Visit['page']['locator']> =>
  page.locator('[data-entry][data-kind="assistant"]').filter({ hasText: words }).locator('[data-feedback] li')

describe.each(testStores('SQLite'))('on $name', ({ settings }) => {
  const talk = async (): Promise<ConsoleServer> => {
    const server = await consoleServer({ upstream: { answer: 'Not often.' }, settings: await settings() })
    for (const thread of ['garden', 'roof']) {
      await server.as('app').ask('POST', '/threads', { thread })
      await server
        .as('app')
        .stream('POST', `/threads/${thread}/turns`, { body: { message: `Water in the ${thread}?` } })
    }
    return server
  }

  test('an answer is rated, commented and tagged by keyboard, and a second person sees it at once', async () => {
    const server = await talk()
    const [visit, other] = [
      await enter(browser, server, 'app', '/threads/garden'),
      await enter(browser, server, 'viewer', '/threads/garden'),
    ]
    const { page } = visit
    for (const each of [visit, other]) await shows(each, ['user: Water in the garden?', 'assistant: Not often.'])
    await page.getByRole('button', { name: 'Bad answer' }).focus()
    await page.keyboard.press('Enter')
    await feedbackOf(other, 'Not often.').filter({ hasText: 'Bad answer' }).waitFor()
    await page.getByRole('button', { name: 'Bad answer', pressed: true }).waitFor()

    await page.getByRole('button', { name: 'Comment', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Comment' }).fill('Ferns want water.')
    await page.getByRole('textbox', { name: /^Tags/ }).fill('#Facts, ferns')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const said = feedbackOf(other, 'Not often.')
    await said.filter({ hasText: 'Ferns want water.' }).waitFor()
    expect(await said.count()).toBe(1)
    expect(await said.innerText()).toMatch(/Bad answer\s+app\s+#facts\s+#ferns/)
    expect(await other.page.getByRole('button', { name: 'Bad answer' }).count()).toBe(0)

    // What two people say of an answer stands next to each other.
    const admin = await enter(browser, server, 'admin', '/threads/garden')
    await admin.page.getByRole('button', { name: 'Good answer' }).click()
    await expect.poll(() => feedbackOf(other, 'Not often.').count()).toBe(2)
    await admin.page.getByRole('button', { name: 'Good answer', pressed: true }).waitFor()
    await admin.page.getByRole('button', { name: 'Good answer' }).click()
    await expect.poll(() => feedbackOf(other, 'Not often.').count()).toBe(1)
    expect([visit.complaints, other.complaints, admin.complaints]).toEqual([[], [], []])
  })

  test('a comment keeps the rating that is recorded while it is typed', async () => {
    const server = await talk()
    const visit = await enter(browser, server, 'app', '/threads/garden')
    const { page } = visit
    await shows(visit, ['user: Water in the garden?', 'assistant: Not often.'])
    const [asked, typed] = [deferred(), deferred()]
    await page.route('**/threads/garden/feedback/*', async (route) => {
      asked.resolve()
      await typed.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Bad answer' }).click()
    await asked.promise
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('textbox', { name: 'Comment' }).fill('Ferns want water.')
    typed.resolve()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const said = feedbackOf(visit, 'Not often.').filter({ hasText: 'Ferns want water.' })
    expect(await said.innerText()).toContain('Bad answer')
  })

  test('threads and messages are found by rating and by tag', async () => {
    const server = await talk()
    const { entries } = (await server.as('app').ask('GET', '/threads/roof/entries')).body as unknown as {
      readonly entries: readonly { readonly id: string; readonly kind: string }[]
    }
    const { id } = entries.find(({ kind }) => kind === 'assistant')!
    const said = { rating: 'down', comment: 'Moss wants water.', tags: ['moss'] }
    await server.as('app').ask('PUT', `/threads/roof/feedback/${id}`, said)
    const visit = await enter(browser, server, 'viewer', '/search')
    const { page } = visit
    const rows = page.locator('a[data-thread]')
    await expect.poll(() => rows.count()).toBe(2)
    await page.locator('[data-threads]').waitFor()
    const inList = page.getByRole('group', { name: 'Only what is rated' }).first()
    await inList.getByRole('button', { name: 'Rated down' }).click()
    await expect
      .poll(() => rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-thread'))))
      .toEqual(['roof'])
    await inList.getByRole('button', { name: 'Rated up' }).click()
    await page.getByText('No thread fits. Remove a filter to see more.').waitFor()

    await page.getByRole('textbox', { name: 'Tag' }).fill('#moss')
    await page.getByText('1 found').waitFor()
    expect(await page.locator(`[data-found="${id}"]`).innerText()).toContain('Moss wants water.')
    await page.getByRole('textbox', { name: 'Tag' }).fill('')
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('moss wants')
    await page.getByText('Comment by app').waitFor()
    await page.locator(`a[href*="at=${id}"]`).first().click()
    await page.locator(`[data-entry="${id}"]`).waitFor()
    expect(visit.complaints).toEqual([])
  })
})

test.each([
  [1440, 1000],
  [390, 844],
])('%d pixels wide, feedback and its dialog are without findings, light and dark', async (width, height) => {
  const server = await consoleServer({})
  await plantGarden(server.store)
  const { entries } = (await server.as('admin').ask('GET', '/threads/garden/entries')).body as unknown as {
    readonly entries: readonly { readonly id: string; readonly kind: string }[]
  }
  const { id } = entries.findLast(({ kind }) => kind === 'assistant')!
  const said = {
    rating: 'down',
    comment: `It did not have bed 7. ${'Look at the outline. '.repeat(6)}`,
    tags: ['memory'],
  }
  await server.as('app').ask('PUT', `/threads/garden/feedback/${id}`, said)
  await server.as('admin').ask('PUT', `/threads/garden/feedback/${id}`, { rating: 'up', tags: ['a', 'b'] })
  const visit = await enter(browser, server, 'admin', '/threads/garden', { now: gardenTime, width, height })
  const { page, complaints } = visit
  await feedbackOf(visit, 'About 15 cm').filter({ hasText: 'bed 7' }).waitFor()
  const look = async (name: string): Promise<void> => {
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' })
      await settled(visit)
      await takePicture(page, `${name}-${width}-${theme}`)
      expect.soft(await serious(page, { contrast: theme === 'dark' }), `${name} ${theme}`).toEqual([])
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
  }
  await look('feedback')
  await page.getByRole('button', { name: 'Edit comment' }).last().click()
  await look('feedback-dialog')
  await page.keyboard.press('Escape')
  await page.goto(`${server.url}/search`)
  await page
    .getByRole('group', { name: 'Only what is rated' })
    .last()
    .getByRole('button', { name: 'Rated down' })
    .click()
  await page.getByText('1 found').waitFor()
  await look('feedback-search')
  expect(complaints).toEqual([])
})

test('tags are read from what is typed', () => {
  expect(tagsIn('#facts, memory  slow')).toEqual(['facts', 'memory', 'slow'])
  expect(tagsIn(' ')).toEqual([])
})
