import type { Locator, Page } from 'playwright-core'

/** What it takes a person to get to an answer. */
export interface Steps {
  clicks: number
  /** How often what is clicked or read was not on the screen. */
  scrolls: number
  /** Pages, the first one included. */
  screens: number
  seconds: number
}

/** A person who looks for an answer: everything that the hand does is counted. */
export interface Walk {
  readonly click: (what: Locator) => Promise<void>
  /** Types into the field that has the focus, or that was clicked. */
  readonly type: (field: Locator, words: string) => Promise<void>
  /** Reads something, which must be on the screen, or is scrolled to. */
  readonly read: (what: Locator, words: RegExp) => Promise<void>
}

/** Walks from an address to an answer, and counts. */
export async function walked(page: Page, address: string, go: (walk: Walk) => Promise<void>): Promise<Steps> {
  const steps: Steps = { clicks: 0, scrolls: 0, screens: 0, seconds: 0 }
  const seen = new Set<string>()
  const look = (): void => void seen.add(new URL(page.url()).pathname.replace(/\/calls\/.*/, '/calls'))
  const reach = async (what: Locator): Promise<void> => {
    await what.waitFor()
    look()
    if (await isOnScreen(what)) return
    steps.scrolls++
    await what.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  }
  await page.goto(address)
  await page.locator('header').first().waitFor()
  const began = performance.now()
  await go({
    click: async (what) => {
      await reach(what)
      steps.clicks++
      await what.click()
    },
    type: async (field, words) => {
      await reach(field)
      await field.fill(words)
    },
    read: async (what, words) => {
      const found = what.filter({ hasText: words }).first()
      await reach(found)
    },
  })
  return { ...steps, screens: seen.size, seconds: (performance.now() - began) / 1000 }
}

/** Whether the beginning of an element can be seen, also within what scrolls around it. */
function isOnScreen(what: Locator): Promise<boolean> {
  return what.evaluate(
    (element) =>
      new Promise<boolean>((resolve) => {
        const observer = new IntersectionObserver(([entry]) => {
          observer.disconnect()
          const { intersectionRect, boundingClientRect } = entry!
          const least = Math.min(24, boundingClientRect.height)
          resolve(entry!.isIntersecting && intersectionRect.height >= least - 1 && intersectionRect.width > 0)
        })
        observer.observe(element)
      }),
  )
}
