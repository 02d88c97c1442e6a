import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { viewOf, searchOf } from '../src/lab/lab-address.ts'
import { enter } from './support/enter.ts'
import { gardenLog } from './support/garden.ts'
import { longBoard, showBoards } from './support/long-board.ts'
import { copyInto } from './support/seeds.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** The button says "Copied" for a moment only, so the clipboard itself is looked at. */
async function copied({ page, context }: Visit, button: Locator): Promise<string> {
  await emptied({ page, context })
  await button.click()
  let text = ''
  await expect.poll(async () => (text = await page.evaluate(() => navigator.clipboard.readText()))).not.toBe('')
  return text
}

async function emptied({ page, context }: Pick<Visit, 'page' | 'context'>): Promise<void> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => navigator.clipboard.writeText(''))
}

test('the link to a call leads a second person to that call, also after the thread went on', async () => {
  const server = await consoleServer({ upstream: { answer: 'Not often.' } })
  await server.as('app').ask('POST', '/threads', { thread: 'garden' })
  const ask = (message: string): Promise<unknown> =>
    server.as('app').stream('POST', '/threads/garden/turns', { body: { message } })
  await ask('How often do I water a fern?')
  const visit = await enter(browser, server, 'admin', '/threads/garden/calls/last')
  const receipt = await visit.page.locator('[data-inspector][data-hash]').getAttribute('data-receipt')
  const link = await copied(visit, visit.page.getByRole('button', { name: 'Copy link' }))
  expect(link).toBe(`${server.url}/threads/garden/calls/${receipt}`)
  expect(link).not.toContain('fern')
  await ask('And a rose?')
  const other = await enter(browser, server, 'viewer', link.slice(server.url.length))
  await other.page.locator(`[data-inspector][data-receipt="${receipt}"][data-hash]`).waitFor()
  expect([visit.complaints, other.complaints]).toEqual([[], []])
})

describe('on plain HTTP of another machine, where there is no clipboard,', () => {
  const before = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"

  test('a link is shown and selected, until the focus leaves it', async () => {
    const server = await garden()
    const { page, complaints } = await enter(browser, server, 'admin', '/threads/garden/lab?window=2048', { before })
    await page.getByRole('button', { name: 'Copy link' }).click()
    const link = page.getByRole('textbox', { name: 'The link' })
    expect(await link.inputValue()).toMatch(new RegExp(`^${server.url}/threads/garden/lab\\?.*window=2048`))
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(await link.inputValue())
    await page.getByRole('heading', { name: 'Lab' }).click()
    await link.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('a button says for a moment that it failed, and the dump says what to do', async () => {
    const { page, complaints } = await enter(browser, await garden(), 'admin', '/threads/garden', { before })
    const entry = page.getByRole('article', { name: 'Assistant 18' })
    const copy = entry.getByRole('button', { name: 'Copy', exact: true })
    // The word is there for a moment only. And a page that has just opened may still move its rows: then a click misses.
    const said = await page.evaluateHandle(() => {
      const words: (string | null)[] = []
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const button = (target instanceof Element ? target : target.parentElement)?.closest('button')
          if (button) words.push(button.textContent)
        }
      }).observe(document, { childList: true, characterData: true, subtree: true })
      return words
    })
    await expect
      .poll(async () => {
        await copy.click()
        return said.jsonValue()
      })
      .toContain('Failed')
    await copy.waitFor()
    await page.goto(page.url().replace('/threads/garden', '/threads/garden/calls/last'))
    await page.getByRole('tab', { name: 'Dump' }).click()
    await page.getByRole('region', { name: 'Dump' }).getByRole('button', { name: 'Copy' }).click()
    await page.getByText('The browser does not allow copying').waitFor()
    expect(complaints).toEqual([])
  })
})

async function garden(): Promise<ConsoleServer> {
  const server = await consoleServer()
  await copyInto(server.store, 'garden', await gardenLog())
  return server
}

const ready = ({ page }: Visit): Promise<void> => page.locator('[data-lab][aria-busy="false"]').waitFor()

/** What the lab compares: the settings, both windows, and what differs. */
async function compared(visit: Visit): Promise<unknown> {
  const { page } = visit
  await ready(visit)
  await page.locator('[data-tally]').waitFor()
  return {
    settings: await page
      .getByRole('form', { name: 'Settings of the lab' })
      .getByRole('slider')
      .evaluateAll((all) => all.map((slider) => slider.getAttribute('aria-valuetext'))),
    profile: await page.getByRole('combobox', { name: 'Profile' }).inputValue(),
    strips: await page
      .locator('[data-window-strip], [data-log-strip]')
      .evaluateAll((all) => all.map((strip) => strip.getAttribute('aria-label'))),
    tally: await page.locator('[data-tally]').innerText(),
    changes: await page.locator('[data-change]').allInnerTexts(),
  }
}

describe('the lab', () => {
  test('has all its settings in the address: a link leads a second person to the same comparison', async () => {
    const server = await garden()
    const visit = await enter(browser, server, 'admin', '/threads/garden/lab')
    const { page } = visit
    await ready(visit)
    await page.getByRole('slider', { name: 'Turn' }).press('ArrowLeft')
    await page.getByRole('combobox', { name: 'Preset' }).selectOption('tiered')
    for (const [name, key] of [
      ['Window', 'ArrowRight'],
      ['Window', 'ArrowRight'],
      ['Reserve', 'ArrowRight'],
      ['Verbatim', 'ArrowRight'],
      ['Outline', 'ArrowLeft'],
      ['Notes', 'ArrowRight'],
    ] as const)
      await page.getByRole('slider', { name }).press(key)
    await page.getByRole('combobox', { name: 'Profile' }).selectOption('alternating')
    const here = await compared(visit)
    const link = await copied(visit, page.getByRole('button', { name: 'Copy link' }))
    const search = new URLSearchParams(link.split('?')[1])
    expect([...search.keys()].toSorted()).toEqual(
      ['call', 'notes', 'outline', 'preset', 'profile', 'reserve', 'verbatim', 'window'].toSorted(),
    )
    const other = await enter(browser, server, 'admin', link.slice(server.url.length))
    expect(await compared(other)).toEqual(here)
    expect([visit.complaints, other.complaints]).toEqual([[], []])
  })

  test('goes back and forward: a slider that was moved for long is one step', async () => {
    const visit = await enter(browser, await garden(), 'admin', '/threads/garden/lab')
    const { page } = visit
    const was = [await compared(visit)]
    const move = async (act: () => Promise<unknown>): Promise<void> => {
      await act()
      was.push(await compared(visit))
    }
    const slide =
      (name: string, ...keys: readonly string[]) =>
      async () => {
        for (const key of keys) await page.getByRole('slider', { name }).press(key)
      }
    await move(slide('Window', 'ArrowRight', 'ArrowRight', 'ArrowRight'))
    await move(slide('Outline', 'End', 'ArrowLeft'))
    await move(slide('Turn', 'ArrowLeft', 'ArrowLeft'))
    await move(() => page.getByRole('button', { name: 'As recorded' }).click())
    expect(new Set(was.map((each) => JSON.stringify(each))).size).toBe(was.length)
    for (let at = was.length - 2; at >= 0; at--) {
      await page.goBack()
      await expect.poll(() => compared(visit)).toEqual(was[at])
    }
    for (let at = 1; at < was.length; at++) {
      await page.goForward()
      await expect.poll(() => compared(visit)).toEqual(was[at])
    }
    expect(visit.complaints).toEqual([])
  })

  test('what an address says of it is read and written alike, and a profile of somebody else is dropped', () => {
    const search = { call: 'c1', entry: 'e1', window: 4096, preset: 'tiered', outline: 0.2, profile: 'strict' } as const
    expect(searchOf(viewOf(search))).toEqual(search)
    expect(viewOf({ profile: 'toString' })).toEqual({ changes: {} })
    expect(viewOf({ profile: 'mine' })).toEqual({ changes: {} })
  })
})

interface Png {
  readonly width: number
  readonly height: number
  /** Colours that differ. */
  readonly colours: number
}

/** Decodes a picture in the page, from bytes in base64. */
function decoded({ page }: Visit, bytes: string): Promise<Png> {
  return page.evaluate(async (base64) => {
    const blob = new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'image/png' })
    const { width, height } = await createImageBitmap(blob).then((bitmap) => {
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const context = canvas.getContext('2d')!
      context.drawImage(bitmap, 0, 0)
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
      Object.assign(globalThis, { drawn: new Set(new Uint32Array(data.buffer)).size })
      return bitmap
    })
    return { width, height, colours: (globalThis as unknown as { readonly drawn: number }).drawn }
  }, bytes)
}

/** Clicks a button that copies a picture. Without leave to use the clipboard it is saved instead. */
async function pictured(visit: Visit, button: Locator, way: 'copied' | 'saved'): Promise<Png> {
  const { page } = visit
  if (way === 'saved') {
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
    expect(file.suggestedFilename()).toMatch(/^[\w.-]+\.png$/)
    const folder = process.env['PICTURES']
    if (folder !== undefined) await file.saveAs(`${folder}/${file.suggestedFilename()}`)
    return decoded(visit, readFileSync(await file.path()).toString('base64'))
  }
  await emptied(visit)
  await button.click()
  const hasPicture = async (): Promise<boolean> =>
    (await navigator.clipboard.read())[0]?.types.includes('image/png') === true
  await expect.poll(() => page.evaluate(hasPicture)).toBe(true)
  const bytes = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const buffer = await (await item!.getType('image/png')).arrayBuffer()
    return btoa(String.fromCharCode(...new Uint8Array(buffer)))
  })
  return decoded(visit, bytes)
}

describe('a picture', () => {
  test('of the window, of a lane and of both windows of the lab is copied, or saved without a clipboard', async () => {
    const server = await garden()
    const visit = await enter(browser, server, 'admin', '/threads/garden/calls/last')
    const { page } = visit
    const ofWindow = page.getByRole('button', { name: 'Copy picture of the window' })
    const saved = await pictured(visit, ofWindow, 'saved')
    expect(saved.width).toBe(1440)
    expect(saved.height).toBeGreaterThan(200)
    expect(saved.colours).toBeGreaterThan(10)
    expect(await pictured(visit, ofWindow, 'copied')).toEqual(saved)

    await page.locator('[data-verdict-list] [data-verdict="omitted"]').last().click()
    await page.locator('[data-lane] ol').waitFor()
    await visit.context.clearPermissions()
    const lane = await pictured(visit, page.getByRole('button', { name: 'Copy picture of the boxes' }), 'saved')
    expect([lane.width, lane.colours > 10]).toEqual([1440, true])
    const link = await copied(visit, page.getByRole('button', { name: 'Copy link to this message' }))
    const entry = await page.locator('[data-lane]').getAttribute('data-lane')
    expect(link).toMatch(new RegExp(`^${server.url}/threads/garden/calls/[\\w.-]+\\?at=${entry}$`))

    await visit.context.clearPermissions()
    await page.goto(`${server.url}/threads/garden/lab?window=2048`)
    await ready(visit)
    const both = await pictured(visit, page.getByRole('button', { name: 'Copy picture of both windows' }), 'saved')
    expect(both.height).toBeGreaterThan(1.8 * saved.height)
    expect(visit.complaints).toEqual([])
  })

  test('of a figure of runs is copied, with a link to all that is chosen', async () => {
    const server = await consoleServer()
    const visit = await enter(browser, server, 'app')
    await showBoards(visit, longBoard(25, 'small-1', 1), longBoard(22, 'small-2', 2))
    const { page } = visit
    await page.goto(`${server.url}/runs/compare?runs=small-1+small-2&variables=cash`)
    await page.locator('[data-figure="cash"] svg').waitFor()
    const figure = await pictured(visit, page.getByRole('button', { name: 'Copy picture of cash' }), 'saved')
    expect([figure.width, figure.height > 500, figure.colours > 10]).toEqual([1440, true, true])
    const link = await copied(visit, page.getByRole('button', { name: 'Copy link' }))
    expect(link).toBe(`${server.url}/runs/compare?runs=small-1+small-2&variables=cash`)
    expect(visit.complaints).toEqual([])
  })
})
