import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import type { UpstreamFaults } from '@minutebook/testing/server'
import type { Visit } from '../../../../tests/support/browser/browser.ts'

/** Writes a message and sends it. */
export async function say({ page }: Pick<Visit, 'page'>, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** What the transcript shows, as "kind: text", without what is hidden. */
function shownIn(page: Page): Promise<readonly string[]> {
  return page
    .locator('[data-transcript] [data-entry]')
    .evaluateAll((entries) =>
      entries
        .filter((entry) => ['user', 'assistant', 'tool'].includes(entry.getAttribute('data-kind') ?? ''))
        .map(
          (entry) =>
            `${entry.getAttribute('data-kind')}: ${(entry.querySelector('.markdown') ?? entry.querySelector('pre') ?? entry).textContent?.trim()}`,
        ),
    )
}

/** Waits until the transcript shows exactly this. */
export async function shows({ page }: Pick<Visit, 'page'>, expected: readonly string[]): Promise<void> {
  await expect.poll(() => shownIn(page), { interval: 50 }).toEqual(expected)
}

/** An answer that pauses after some words until `goOn`, so that a slow page sees them, too. */
export function pausing(chunks = 10): {
  readonly pauseAfter: NonNullable<UpstreamFaults['pauseAfter']>
  readonly goOn: () => void
} {
  const seen = Promise.withResolvers<undefined>()
  return { pauseAfter: { chunks, until: seen.promise }, goOn: () => seen.resolve(undefined) }
}

/** The text that is being written, once it holds these words. */
export async function streams({ page }: Pick<Visit, 'page'>, words: string): Promise<void> {
  await page.locator('[data-streaming]').filter({ hasText: words }).waitFor()
}
