import type { Page, Request } from 'playwright-core'

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
  const ended: Promise<void>[] = []
  let isHolding = true
  await page.route(url, async (route) => {
    const isHeld = isHolding && route.request().method() === 'GET'
    if (!isHeld) return route.continue()
    ended.push(endOf(page, route.request()))
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
      await Promise.all(ended)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    },
  }
}

function endOf(page: Page, request: Request): Promise<void> {
  return new Promise((resolve) => {
    const note = (ended: Request): void => {
      if (ended === request) resolve()
    }
    page.on('requestfinished', note).on('requestfailed', note)
  })
}
