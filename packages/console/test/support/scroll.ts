import type { Locator } from 'playwright-core'

/** How a list was scrolled. */
export interface Scrolled {
  readonly frames: number
  /** Frames in which a place of the list showed no row. */
  readonly blank: number
  /** Milliseconds of the longest frame. */
  readonly longest: number
  /** Rows that were seen. */
  readonly rows: number
}

/**
 * Scrolls a list so many screens, a fraction of one in each frame, and looks at every frame whether rows stand all over
 * it.
 */
export function scrolled(
  list: Locator,
  row: string,
  { screens, step = 0.5, up = false }: { readonly screens: number; readonly step?: number; readonly up?: boolean },
): Promise<Scrolled> {
  return list.evaluate(
    async (element, given) => {
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
      const seen = new Set<Element | string>()
      const { left, top, width, height } = element.getBoundingClientRect()
      let [frames, blank, longest, before] = [0, 0, 0, await frame()]
      for (; frames < given.screens / given.step; frames++) {
        element.scrollTop += height * given.step * (given.up ? -1 : 1)
        await frame()
        const now = await frame()
        longest = Math.max(longest, now - before)
        before = now
        let isBlank = false
        for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
          const found = document
            .elementFromPoint(left + width / 2, top + height * part)
            ?.closest(`${given.row}, [role="status"]`)
          if (!found) isBlank = true
          else seen.add(found.getAttribute('data-thread') ?? found.getAttribute('data-entry') ?? '')
        }
        if (isBlank) blank++
      }
      return { frames, blank, longest: Math.round(longest), rows: seen.size }
    },
    { row, screens, step, up },
  )
}
