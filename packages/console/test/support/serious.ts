import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds serious on a page, each as "rule (count): element why". `contrast`: looks at colours alone. */
export async function serious(
  page: Page,
  { contrast = false }: { readonly contrast?: boolean } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(
    async (runOnly) => {
      const { axe: here } = window as unknown as { readonly axe: typeof axe }
      // Panes are drawn to scale, however narrow: the legend below has a button for each. What they show is their
      // letter; their name says more.
      return (await here.run({ exclude: ['[data-window-strip]'] }, { runOnly, resultTypes: ['violations'] })).violations
    },
    contrast ? ['color-contrast'] : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 1)
        .map(
          ({ html, failureSummary }) =>
            `${id} (${nodes.length}): ${html.slice(0, 200)} ${failureSummary?.split('\n').slice(1).join(' ').slice(0, 160) ?? ''}`,
        ),
    )
}
