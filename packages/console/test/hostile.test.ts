import { askUser, defineTool, openBook, type Entry, type Message } from 'minutebook'
import { scriptedModel } from '@minutebook/testing'
import { entryOf } from 'minutebook/store'
import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter, searchFor, settled } from './support/enter.ts'
import { countRuns, elsewhere, hostile, longLines } from './support/hostile.ts'
import { pausing, say } from './support/speak.ts'
import { segmentOf } from '../../client/src/client.ts'
import { copyInto } from './support/seeds.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** A log that says every text in every way in which something can be said. */
function logOf(texts: readonly string[]): readonly Entry[] {
  const log: Entry[] = []
  const add = (message: Message, facts = {}): void =>
    void log.push(entryOf(message, log.at(-1), { time: '2026-11-15T12:00:00.000Z', ...facts }))
  for (const [index, text] of texts.entries()) {
    add({ role: 'user', content: text }, { speaker: text.slice(0, 100) })
    add({
      role: 'assistant',
      content: text,
      tool_calls: [
        {
          id: `call_${index}`,
          type: 'function',
          function: { name: text.slice(0, 60), arguments: JSON.stringify({ [text.slice(0, 40)]: text }) },
        },
      ],
    })
    add({ role: 'tool', tool_call_id: `call_${index}`, content: text })
    add({ role: 'assistant', content: text })
  }
  return log
}

async function seeded(texts: readonly string[]): Promise<ConsoleServer> {
  const server = await consoleServer()
  await copyInto(server.store, 'hostile', logOf(texts))
  for (const [index, text] of texts.entries()) {
    // Titles and names in the list are the words of strangers too.
    await copyInto(server.store, `${text.slice(0, 60).toWellFormed()} ${index}`, [
      entryOf({ role: 'user', content: text }),
    ])
  }
  return server
}

async function harmless(visit: Visit): Promise<void> {
  const { page, strayed, complaints, refused } = visit
  expect(await page.evaluate(() => (window as unknown as { ranCount: number }).ranCount)).toBe(0)
  expect(strayed).toEqual([])
  expect(complaints).toEqual([])
  expect(refused.filter((answer) => !answer.startsWith('401'))).toEqual([])
  const found = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '#console script, iframe, object, embed, form[action], base, meta[http-equiv], img, video, audio, style, [onerror], [onload]',
      ),
    ].map((each) => each.outerHTML.slice(0, 200)),
  )
  expect(found).toEqual([])
  const links = await page.evaluate(() =>
    [...document.querySelectorAll('a[href]')]
      .map((each) => (each as HTMLAnchorElement).href)
      .filter((href) => !href.startsWith(`${location.origin}/`)),
  )
  expect(links.filter((href) => !/^(https:\/\/|mailto:)/.test(href) || /^https?:\/\/[^/]*@/.test(href))).toEqual([])
}

/** Goes through a list from its top to its end, so that everything in it was on the page once. */
async function scrollThrough({ page }: Visit, selector: string, look: () => Promise<void>): Promise<void> {
  const list = page.locator(selector).first()
  await list.evaluate((element) => {
    element.scrollTop = 0
  })
  for (let steps = 0; steps < 400; steps++) {
    await page.waitForTimeout(30)
    await list.evaluate((element) =>
      element.querySelectorAll('details').forEach((folded) => {
        folded.open = true
      }),
    )
    await look()
    const isAtEnd = await list.evaluate((element) => {
      const before = element.scrollTop
      element.scrollTop += element.clientHeight * 0.8
      return element.scrollTop === before
    })
    if (isAtEnd) return
  }
}

/** Characters that must not get onto the page as they are: controls, marks of direction, and what nobody sees. */
const hiding: readonly (readonly [from: number, to: number])[] = [
  [0, 8],
  [0xb, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
]

function hiddenIn(text: string): readonly string[] {
  return Array.from(text, (character) => character.codePointAt(0)!)
    .filter((code) => hiding.some(([from, to]) => code >= from && code <= to))
    .map((code) => code.toString(16))
}

describe('A13: what strangers write stays text', () => {
  test('in the transcript and in the list: nothing runs, nothing is asked for elsewhere, nothing hides', async () => {
    const server = await seeded(hostile)
    const visit = await enter(browser, server, 'admin', '/threads/hostile', { before: countRuns, height: 1400 })
    await visit.page.locator('[data-entry]').first().waitFor()
    await scrollThrough(visit, '[data-transcript]', async () => {
      await harmless(visit)
      expect(hiddenIn(await visit.page.locator('body').innerText())).toEqual([])
    })
    await scrollThrough(visit, '[data-threads]', () => harmless(visit))
  })

  test('in the inspector, in the lab and while it streams', async () => {
    const server = await consoleServer({
      upstream: { answer: hostile.join('\n\n'), delay: 5 },
      settings: { models: { strict: { window: 100_000 } } },
    })
    const messages = hostile.flatMap((text) => [
      { role: 'user', content: text.toWellFormed() },
      { role: 'assistant', content: text.toWellFormed() },
    ])
    const chat = await fetch(`${server.running.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.keyOf('app')}` },
      body: JSON.stringify({
        model: 'strict',
        messages: [{ role: 'system', content: hostile[1] }, ...messages, { role: 'user', content: hostile[0] }],
        tools: [
          {
            type: 'function',
            function: { name: 'x', description: hostile.join(' '), parameters: { type: 'object', properties: {} } },
          },
        ],
      }),
    })
    const thread = segmentOf(chat.headers.get('minutebook-thread') ?? '')
    await chat.text()
    const look = async (): Promise<void> => {
      await visit.page.waitForTimeout(50)
      await harmless(visit)
      expect(hiddenIn(await visit.page.locator('body').innerText())).toEqual([])
    }
    const visit = await enter(browser, server, 'admin', `/threads/${thread}/calls/last`, { before: countRuns })
    await visit.page.locator('[data-window-strip]').waitFor()
    for (const tab of ['Entries', 'Prompt', 'Dump']) {
      await visit.page.getByRole('tab', { name: tab }).click()
      await look()
    }
    await visit.page.getByRole('button', { name: 'For people' }).click()
    await look()
    for (const pane of ['system', 'tools', 'verbatim', 'latest']) {
      await visit.page.locator(`[data-window-strip] [data-pane="${pane}"]`).click()
      await look()
    }
    await visit.page.goto(`${server.url}/threads/${thread}/lab`)
    await visit.page.locator('[data-lab][aria-busy="false"]').waitFor()
    await visit.page.getByRole('slider', { name: 'Window' }).press('Home')
    for (const tab of ['Prompt', 'Entries', 'All calls', 'Answer']) {
      await visit.page.getByRole('tab', { name: tab }).click()
      await look()
    }
    await visit.page.goto(`${server.url}/threads/${thread}`)
    const { pauseAfter, goOn } = pausing(40)
    server.upstream.next({ answer: hostile.join('\n\n'), pauseAfter })
    await say(visit, hostile[3]!)
    await visit.page.locator('[data-streaming]').getByText('ran').first().waitFor()
    await look()
    goOn()
  })

  test('in what waits: in its input, in a question and its options, in the field in which it is edited', async () => {
    const server = await consoleServer()
    const order = defineTool({ name: 'order', parameters: { type: 'object' }, approve: true, run: async () => 'done' })
    const calls = hostile.flatMap((text) => [
      { name: 'order', arguments: { [text.slice(0, 40)]: text } },
      { name: 'ask_user', arguments: { question: text, options: [text] } },
    ])
    const thread = hostile[1]!
    const model = scriptedModel([{ calls }])
    await openBook({ store: server.store, model, tools: [order, askUser] })
      .thread(thread)
      .send('Order it all').done
    const visit = await enter(browser, server, 'app', '/waiting', { before: countRuns })
    for (const path of ['/waiting', `/threads/${segmentOf(thread)}`]) {
      await visit.page.goto(`${server.url}${path}`)
      const rows = visit.page.locator('[data-open-call]')
      await expect.poll(() => rows.count()).toBe(calls.length)
      await visit.page
        .getByRole('button', { name: 'Edit input' })
        .evaluateAll((all) => all.forEach((each) => (each as HTMLElement).click()))
      await visit.page.getByRole('button', { name: 'Edit input' }).first().waitFor({ state: 'detached' })
      await harmless(visit)
      expect(hiddenIn(await rows.allInnerTexts().then((texts) => texts.join('\n')))).toEqual([])
      const fields = await visit.page
        .locator('[data-open-call] textarea')
        .evaluateAll((all) => all.map((each) => (each as HTMLTextAreaElement).value))
      expect(fields).toHaveLength(hostile.length)
      expect(hiddenIn(fields.join('\n'))).toEqual([])
      // In any order: all of them began to wait at the same time.
      expect(new Set(fields.map((text) => JSON.stringify(JSON.parse(text))))).toEqual(
        new Set(hostile.map((text) => JSON.stringify({ [text.slice(0, 40)]: text }))),
      )
    }
  })

  test('in a search', async () => {
    const server = await seeded(hostile)
    const visit = await enter(browser, server, 'viewer', '/search', { before: countRuns })
    await searchFor(visit, 'ran')
    await visit.page.locator('[data-found]').first().waitFor()
    await harmless(visit)
    expect(hiddenIn(await visit.page.locator('body').innerText())).toEqual([])
  })

  test('in the address: a query, a thread and a fragment that nobody has', async () => {
    const server = await seeded(hostile.slice(0, 2))
    const visit = await enter(browser, server, 'app', '', { before: countRuns })
    for (const path of [
      `/search?query=${encodeURIComponent('<img src=x onerror=ran()>')}`,
      '/threads/~PGltZyBzcmM9eCBvbmVycm9yPXJhbigpPg',
      '/threads/hostile?head=%3Cscript%3Eran()%3C/script%3E&at=javascript:ran()',
      '/%3Cscript%3Eran()%3C%2Fscript%3E',
      '#login=<script>ran()</script>',
      '?redirect=javascript:ran()',
      '/threads/javascript:ran()',
    ]) {
      const answer = await visit.page.goto(`${server.url}${path}`)
      const isRefused = answer !== null && !answer.ok() // an odd path: the server's words, without the app
      if (!isRefused) await settled(visit)
      expect(await visit.page.evaluate(() => (window as unknown as { ranCount: number }).ranCount)).toBe(0)
      expect([visit.strayed, visit.complaints]).toEqual([[], []])
    }
  })

  test('a line of a megabyte and marks without end do not stop the page', async () => {
    const server = await seeded(longLines)
    const visit = await enter(browser, server, 'admin', '/threads/hostile', { before: countRuns })
    await visit.page.locator('[data-entry]').first().waitFor()
    await scrollThrough(visit, '[data-transcript]', () => harmless(visit))
    const width = await visit.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(width).toBe(0)
  })

  test('the page itself runs under a policy without exceptions', async () => {
    const { url, running } = await consoleServer()
    for (const path of ['', '/threads/x', '/assets/nothing.js', '/session']) {
      const { headers } = await fetch(`${url}${path}`)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(running.url).not.toContain(elsewhere)
  })
})
