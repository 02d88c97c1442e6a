import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineTool } from 'minutebook'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { root } from '../../../tests/support/workshop.ts'
import { loadExample } from '../../server/src/archive/example.ts'
import { enter } from './support/enter.ts'
import { gardenLog } from './support/garden.ts'
import { talk } from './support/relayed-talk.ts'
import { copyInto, recordedLog } from './support/seeds.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { walked, type Steps, type Walk } from './support/walk.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

interface Question {
  readonly asks: string
  /** As a person counted it in the console of 15 November. */
  readonly before: string
  readonly most: number
  readonly from: string
  readonly go: (walk: Walk, page: Page) => Promise<void>
}

const wheelchair = async ({ click, type, read }: Walk, page: Page): Promise<void> => {
  await click(page.getByRole('link', { name: 'Search' }))
  await type(page.getByRole('searchbox', { name: 'Search', exact: true }), 'wheelchair')
  const lena = page
    .locator('[data-found]')
    .filter({ hasText: /user · turn/ })
    .last()
  await click(lena.getByRole('button', { name: 'Did the model have it?' }))
  await read(page.locator('[data-answered-without]'), /was answered without it[^]*Why:/)
}
const inspectLast = async ({ click }: Walk, page: Page): Promise<void> =>
  click(page.locator('[data-transcript] [data-call]').last())

const questions: readonly Question[] = [
  {
    asks: 'Why did the model forget the wheelchair?',
    before: '5 clicks, 2 scrolls',
    most: 2,
    from: '',
    go: wheelchair,
  },
  {
    asks: 'What would have kept it?',
    before: '9 clicks, 2 scrolls',
    most: 2,
    from: '',
    go: async (walk, page) => {
      await wheelchair(walk, page)
      await walk.read(page.locator('[data-kept-by]'), /Pin it[^]*tokens/)
    },
  },
  {
    asks: 'Why was this answer slow?',
    before: '2 clicks, half an answer',
    most: 1,
    from: '/threads/garden',
    go: async (walk, page) => {
      await inspectLast(walk, page)
      await walk.read(page.locator('[data-took]'), /waited .* new tokens/)
    },
  },
  {
    asks: 'What changed between two prompts?',
    before: '3 clicks, half an answer',
    most: 2,
    from: '/threads/garden',
    go: async (walk, page) => {
      await inspectLast(walk, page)
      await walk.click(page.getByRole('tab', { name: 'Previous call' }))
      await walk.read(page.locator('[data-previous]'), /added/)
    },
  },
  {
    asks: 'Which threads have problems?',
    before: '4 clicks, some of them missed',
    most: 0,
    from: '',
    go: async ({ read }, page) => {
      await read(page.locator('[data-problem="kitchen"]'), /cut/)
      await read(page.locator('[data-problem="house"]'), /fail|reach/i)
    },
  },
  {
    asks: 'How full is the window over time?',
    before: '2 clicks',
    most: 1,
    from: '/threads/garden',
    go: async (walk, page) => {
      await inspectLast(walk, page)
      await walk.read(page.locator('[data-inspector]').getByText('Prompts over time'), /./)
    },
  },
  {
    asks: 'What did the tool return?',
    before: '2 clicks',
    most: 1,
    from: '/threads/shed',
    go: async (walk, page) => {
      const box = page.locator('[data-transcript] details').filter({ hasText: 'weather' }).first()
      await walk.click(box.locator('summary').first())
      await walk.read(page.locator('section[aria-label="Result"]'), /low/)
    },
  },
]

const weather = defineTool({
  name: 'weather',
  description: 'The weather of a day.',
  parameters: { type: 'object', properties: { day: { type: 'string' } } },
  run: async () => ({ low: -1, rain: 0 }),
})

async function town(): Promise<ConsoleServer> {
  const server = await consoleServer()
  await loadExample(server.store, Date.now())
  await copyInto(server.store, 'garden', await gardenLog())
  const asks = { calls: [{ name: 'weather', arguments: { day: 'Sunday' } }] }
  await copyInto(server.store, 'shed', await recordedLog([['Will it freeze?', asks, 'Yes.']], { tools: [weather] }))
  await talk(server.store, 'kitchen', 'gemma', ['whole', 'cut', 'cut'])
  await talk(server.store, 'house', 'gemma', ['whole', 'failed'])
  return server
}

const numbers = ({ clicks, scrolls, screens }: Steps): string =>
  `${clicks} ${clicks === 1 ? 'click' : 'clicks'}${scrolls > 0 ? `, ${scrolls} ${scrolls === 1 ? 'scroll' : 'scrolls'}` : ''} | ${screens}`

/** In the page, between the two marks. QUESTIONS=write writes it there, with the seconds of this run. */
const page = join(root, 'docs/console.md')
const marks = ['<!-- begin: written by npm run docs:questions -->', '<!-- end -->'] as const

/** The rows of a table, each as its cells, without the last column: seconds differ from run to run. */
function countsIn(table: string): readonly (readonly string[])[] {
  const rows = table.split('\n').filter((line) => /^\| [A-Z]/.test(line))
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -2)
      .map((cell) => cell.trim()),
  )
}

test('seven questions are answered in as few clicks as the page says', async () => {
  const server = await town()
  const visit = await enter(browser, server, 'admin', '', { width: 1440, height: 900 })
  const rows: string[] = []
  for (const { asks, before, most, from, go } of questions) {
    const steps = await walked(visit.page, `${server.url}${from}`, (walk) => go(walk, visit.page))
    expect.soft(steps.clicks, asks).toBeLessThanOrEqual(most)
    rows.push(`| ${asks} | ${before} | ${numbers(steps)} | ${steps.seconds.toFixed(1)} s |`)
  }
  const table = ['| question | before | now | screens | script |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
  console.log(table)
  const text = readFileSync(page, 'utf8')
  const [before, rest = ''] = text.split(marks[0])
  const [written, after] = rest.split(marks[1])
  if (process.env['QUESTIONS'] === 'write')
    writeFileSync(page, `${before}${marks[0]}\n\n${table}\n\n${marks[1]}${after}`)
  else expect(countsIn(table)).toEqual(countsIn(written!))
  expect(visit.complaints).toEqual([])
})
