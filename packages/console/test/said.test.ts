import { crc32, deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { entryOf } from 'minutebook/store'
import type { Entry } from 'minutebook'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { callInBrief } from '../src/transcript/call-chip.tsx'
import { pairResults } from '../src/transcript/tool-results.ts'
import { foldedAt } from '../src/ui/folded-text.tsx'
import { treeIn } from '../src/ui/json-tree.tsx'
import { enter } from './support/enter.ts'
import { gardenTime } from './support/garden.ts'
import { serious } from './support/serious.ts'
import { consoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A red PNG of that size. */
function png(width: number, height: number): string {
  const head = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0])
  const row = Buffer.from([0, ...Array.from({ length: width }, () => [200, 30, 30]).flat()])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]).toString('base64')
}

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64')
const arabic = 'مع السلامة!'
const paste = `See this:\n${Array.from({ length: 420 }, (_, line) => `line ${line + 1} of the paste`).join('\n')}`
const found = { place: 'Prague', days: Array.from({ length: 120 }, (_, day) => ({ day, low: -1 })) }

const image = (url: string): object => ({ type: 'image_url', image_url: { url } })

function talk(): readonly Entry[] {
  const log: Entry[] = []
  const say = (message: object, seconds: number): void => {
    const time = new Date(Date.parse(gardenTime) + seconds * 1000).toISOString()
    log.push(entryOf(message as Parameters<typeof entryOf>[0], log.at(-1), { time }))
  }
  say(
    {
      role: 'user',
      content: [
        { type: 'text', text: arabic },
        image(`data:image/png;base64,${png(60, 40)}`),
        image('https://elsewhere.invalid/a.png'),
        image(`data:image/png;base64,${svg}`),
      ],
    },
    0,
  )
  say({ role: 'assistant', content: `Then:\n\n${arabic}\n\n\`\`\`ts\nconst a = '<b>'\n\`\`\`` }, 1)
  say({ role: 'user', content: paste }, 2)
  const call = { id: 'one', type: 'function', function: { name: 'weather', arguments: '{"place":"Prague"}' } }
  say({ role: 'assistant', content: 'I look.', tool_calls: [call] }, 3)
  say({ role: 'tool', tool_call_id: 'one', content: JSON.stringify(found) }, 5.4)
  say({ role: 'assistant', content: 'Cold.' }, 6)
  return log
}

async function said(width: number): Promise<Visit> {
  const server = await consoleServer()
  await server.store.append('said', talk())
  const visit = await enter(browser, server, 'viewer', '/threads/said', { now: gardenTime, width, height: 900 })
  await visit.page.getByText('Cold.').waitFor()
  await visit.page.locator('[data-transcript]').evaluate((list) => list.scrollTo(0, 0))
  return visit
}

test.each([1440, 390])('%d pixels wide, what was said is shown as it was said', async (width) => {
  const { page, strayed, complaints } = await said(width)
  const image1 = page.getByRole('button', { name: 'Image 1: enlarge' })
  await image1.waitFor()
  const shown = image1.locator('img')
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(60)
  expect(await shown.getAttribute('src')).toMatch(/^blob:/)
  await page.getByText('Image 2: not shown').waitFor()
  await page.getByText('Image 3: not shown').waitFor()
  await image1.click()
  await page.getByRole('dialog', { name: 'Image 1' }).getByRole('button', { name: 'Close' }).click()
  for (const block of await page.locator('.markdown p', { hasText: arabic }).all())
    expect(await block.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
  expect(await page.getByText('Then:').evaluate((element) => getComputedStyle(element).direction)).toBe('ltr')
  await page.getByRole('button', { name: 'Copy the code' }).waitFor()
  const more = page.getByRole('button', { name: 'Show 401 more lines' })
  await more.scrollIntoViewIfNeeded()
  expect(await page.getByText('line 400 of the paste').count()).toBe(0)
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' })
    expect.soft(await serious(page, { contrast: theme === 'dark' }), theme).toEqual([])
  }
  await more.click()
  await page.getByText('line 400 of the paste').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Show less' }).click()
  const call = page.locator('[data-kind="tool"]')
  await call.scrollIntoViewIfNeeded()
  expect(await call.locator('summary').innerText()).toMatch(/^calls\s*weather[^]*2\.4 s$/)
  await call.locator('summary').click()
  await call.getByRole('list', { name: 'Result' }).getByText('Prague').waitFor()
  await call.getByRole('button', { name: 'days: [120]' }).click()
  expect(await call.getByRole('button', { name: /^\d+: \{2\}$/ }).count()).toBe(50)
  await call.getByRole('button', { name: 'Show 50 more of 120' }).click()
  expect(await call.getByRole('button', { name: /^\d+: \{2\}$/ }).count()).toBe(100)
  await call.getByRole('button', { name: 'As text' }).last().click()
  await call.locator('pre').filter({ hasText: '"place":"Prague"' }).last().waitFor()
  expect([strayed, complaints]).toEqual([[], []])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
})

describe('calls and results', () => {
  const entry = (id: string, kind: string, more: object = {}): Entry =>
    ({ id, kind, calls: [], ...more }) as unknown as Entry
  const rows = (...entries: readonly Entry[]): unknown => {
    const { rows: shown, results } = pairResults(entries as never)
    return [shown.map(({ id }) => id), [...results].map(([id, own]) => [id, own.map((each) => each?.id)])]
  }
  const asking = entry('a', 'assistant', { calls: [{ id: '1' }, { id: '2' }] })

  test('are paired by id, whatever is between them', () => {
    const [one, two] = [entry('t1', 'tool', { answers: { id: '1' } }), entry('t2', 'tool', { answers: { id: '2' } })]
    expect(rows(entry('q', 'user'), asking, entry('w', 'wait'), two, one, entry('b', 'assistant'))).toEqual([
      ['q', 'a', 'w', 'b'],
      [['a', ['t1', 't2']]],
    ])
  })

  test('are paired by their order without ids; a result without a call stays by itself', () => {
    const calling = entry('a', 'assistant', { calls: [{ name: 'x' }] })
    expect(rows(entry('t0', 'tool'), calling, entry('t1', 'tool'), entry('t2', 'tool'))).toEqual([
      ['t0', 'a', 't2'],
      [['a', ['t1']]],
    ])
    expect(rows(asking, entry('t', 'tool', { answers: { id: '3' } }))).toEqual([['a', 't'], []])
  })
})

test.each([
  [{ predicted: 1773, reused: 1140 }, 2048, { outlined: 20, omitted: 4 }, 'stop', '87% · 64% reused · 24 left out'],
  [{ predicted: 1773, reused: 0 }, null, {}, 'stop', '1,773 tokens'],
  [{ predicted: 100, reused: 0 }, 1000, {}, 'failed', '10% · failed'],
])('a call in brief: %j', (tokens, window, verdicts, outcome, text) => {
  expect(callInBrief({ receipt: { tokens, verdicts, outcome } as never, window })).toBe(text)
})

test.each([
  ['a\n'.repeat(30), 0],
  ['a\n'.repeat(400).trim(), 380],
  ['x'.repeat(9000), 1],
  ['', 0],
])('a paste is folded only if that is worth it', (text, more) => {
  const folded = foldedAt(text)
  expect(folded.more).toBe(more)
  expect(text.startsWith(folded.shown)).toBe(true)
  if (more === 0) expect(folded.shown).toBe(text)
})

test.each([
  ['{"a":1}', { a: 1 }],
  [' [1]', [1]],
  ['1', undefined],
  ['{"a":', undefined],
  ['text', undefined],
  [`["${'x'.repeat(1_000_001)}"]`, undefined],
])('JSON is a tree if it is an object or a list', (text, value) => {
  expect(treeIn(text)).toEqual(value)
})
