import { printableLine, type RunList, type RunSummary } from '@minutebook/server'
import { ago, figure } from '../figures.ts'
import { table, type Column } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { colourOf, numberText } from './run-words.ts'

/** The runs as a table. */
export function runList({ runs, next }: RunList, { paint, columns }: Terminal, now: number): string[] {
  if (runs.length === 0) return ['No experiment was run yet. Run one with: minutebook run experiment.yaml']
  const shown: (Column & { readonly of: (run: RunSummary) => string })[] = [
    { title: 'run', paint: (text) => paint.cyan(text), of: ({ run }) => run },
    { title: 'status', paint: (text, row) => paint[colourOf(runs[row]!.status)](text), of: ({ status }) => status },
    { title: 'round', right: true, of: ({ round, limit }) => (limit === null ? String(round) : `${round}/${limit}`) },
    { title: 'tokens', right: true, of: ({ spending: { prompt, completion } }) => figure(prompt + completion) },
    ...(runs.some(({ spending }) => spending.cost !== undefined)
      ? [
          {
            title: 'cost',
            right: true,
            of: ({ spending: { cost } }: RunSummary) => (cost === undefined ? '–' : numberText(cost)),
          },
        ]
      : []),
    { title: 'changed', paint: (text) => paint.dim(text), of: ({ changed }) => ago(changed ?? null, now) },
    {
      title: 'experiment',
      flexible: true,
      of: ({ name, reason }) => `${printableLine(name)}${reason === undefined ? '' : `: ${printableLine(reason)}`}`,
    },
  ]
  const rows = runs.map((run) => shown.map(({ of }) => of(run)))
  const more = next === undefined ? [] : ['', paint.dim(`There are more: minutebook runs --after ${next}`)]
  return [...table(shown, rows, columns(), paint.bold), ...more]
}
