import { percent, table } from './markdown.ts'
import { retention, reuse } from './measurement.ts'
import type { Results } from './results.ts'
import { sumOfRow } from './results.ts'
import type { Strategy } from './strategy.ts'
import type { Target } from './targets.ts'

/** The figures of a run as Markdown: one table a dataset, then the promises, then the targets. */
export function writeReport(results: Results, strategies: readonly Strategy[], targets: readonly Target[]): string {
  return [
    ...results.datasets.map((dataset) => datasetTable(results, dataset)),
    promiseTable(results, strategies),
    targetTable(results, targets),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** What a run of ours must never show. Empty when all is well. */
export function brokenPromises(results: Results, strategies: readonly Strategy[]): string[] {
  return strategies
    .filter(({ ours }) => ours)
    .flatMap(({ name, pins }) => {
      const { prompts, failures, firstKept, latestKept, withinWindow, disagreements, firstFailure } = sumOfRow(
        results,
        name,
      )
      const made = prompts - failures
      return [
        ...(pins.first && firstKept < made
          ? [`${name}: the first user message is missing in ${made - firstKept} prompts`]
          : []),
        ...(pins.latest && latestKept < made
          ? [`${name}: the latest message is missing in ${made - latestKept} prompts`]
          : []),
        ...(withinWindow < made ? [`${name}: ${made - withinWindow} prompts exceed the window`] : []),
        ...(disagreements > 0
          ? [`${name}: the plan called ${disagreements} messages verbatim that are not in the prompt`]
          : []),
        ...(failures > 0 ? [`${name}: ${failures} prompts were refused, the first with ${firstFailure}`] : []),
      ]
    })
}

/** All promised pins of our own rows: how many were kept, of how many. */
export function pinsHonoured(results: Results, strategies: readonly Strategy[]): string {
  let kept = 0
  let promised = 0
  for (const { name, pins } of strategies.filter(({ ours }) => ours)) {
    const { prompts, failures, firstKept, latestKept } = sumOfRow(results, name)
    const made = prompts - failures
    kept += (pins.first ? firstKept : 0) + (pins.latest ? latestKept : 0)
    promised += (pins.first ? made : 0) + (pins.latest ? made : 0)
  }
  return `pins honoured ${kept}/${promised}`
}

function datasetTable(results: Results, dataset: string): string {
  const asked = results.rows.some((row) =>
    results.windows.some((window) => results.get(row, dataset, window).questions > 0),
  )
  const figures = [...(asked ? [{ title: 'retention', figure: retention }] : []), { title: 'reuse', figure: reuse }]
  const headings = [
    'row',
    ...figures.flatMap(({ title }) => results.windows.map((window) => `${title} ${short(window)}`)),
  ]
  const rows = results.rows.map((row) => [
    row,
    ...figures.flatMap(({ figure }) =>
      results.windows.map((window) => percent(figure(results.get(row, dataset, window)))),
    ),
  ])
  return `## ${dataset}\n\n${table(headings, rows)}`
}

function promiseTable(results: Results, strategies: readonly Strategy[]): string {
  const rows = strategies.map(({ name }) => {
    const { prompts, failures, firstKept, latestKept, withinWindow, disagreements } = sumOfRow(results, name)
    const made = prompts - failures
    return [
      name,
      String(prompts),
      String(failures),
      `${firstKept}/${made}`,
      `${latestKept}/${made}`,
      `${withinWindow}/${made}`,
      String(disagreements),
    ]
  })
  return `## What every prompt held\n\n${table(['row', 'prompts', 'refused', 'first user message', 'latest message', 'within the window', 'plan against text'], rows)}`
}

function targetTable(results: Results, targets: readonly Target[]): string {
  const rows = targets
    .filter(({ row, dataset, window }) => results.get(row, dataset, window).prompts > 0)
    .map(({ row, dataset, window, measure, atLeast }) => {
      const cell = results.get(row, dataset, window)
      const reached = measure === 'retention' ? retention(cell) : reuse(cell)
      return [
        `${row}: ${measure}, ${dataset}, ${short(window)}`,
        `≥ ${atLeast}`,
        percent(reached),
        reached >= atLeast ? 'yes' : `no (${(reached - atLeast).toFixed(1)})`,
      ]
    })
  return rows.length === 0 ? '' : `## Targets\n\n${table(['target', 'at least', 'reached', 'met'], rows)}`
}

function short(window: number): string {
  return window % 1024 === 0 ? `${window / 1024}k` : String(window)
}
