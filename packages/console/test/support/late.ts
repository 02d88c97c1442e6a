import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'

/** Answers that the server has given, and the page has not got. */
interface Held {
  /** Fulfilled when the server has given the first one. */
  readonly read: Promise<void>
  /** Holds nothing that is asked for from now on. */
  readonly leave: () => void
  /** Lets the page have them. Fulfilled when it has drawn what it makes of them. */
  readonly passOn: () => Promise<void>
}

/** Holds the answers to what a page asks for, as a slow network does. */
export async function holdAnswers(page: Page, url: Parameters<Page['route']>[0]): Promise<Held> {
  const [read, passedOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held: Request[] = []
  const ended = new Set<Request>()
  // The page may give a request up before it is known to be one that is held.
  const note = (request: Request): void => void ended.add(request)
  page.on('requestfinished', note).on('requestfailed', note)
  let isHolding = true
  await page.route(url, async (route) => {
    const isHeld = isHolding && route.request().method() === 'GET'
    if (!isHeld) return route.continue()
    held.push(route.request())
    const response = await route.fetch()
    read.resolve()
    await passedOn.promise
    // The page may have given it up.
    await route.fulfill({ response }).catch(() => undefined)
  })
  return {
    read: read.promise,
    leave: () => {
      isHolding = false
    },
    passOn: async () => {
      isHolding = false
      passedOn.resolve()
      await expect.poll(() => held.every((request) => ended.has(request))).toBe(true)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    },
  }
}
