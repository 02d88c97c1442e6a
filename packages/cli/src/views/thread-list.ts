import { printableLine, type ThreadList, type ThreadSummary } from '@minutebook/server'
import { ago, figure } from '../figures.ts'
import { table, type Column } from '../table.ts'
import type { Terminal } from '../terminal.ts'

/** The threads as a table. */
export function threadList({ threads, next }: ThreadList, { paint, columns }: Terminal, now: number): string[] {
  if (threads.length === 0) return ['Nothing is on record yet. Say something with: minutebook chat']
  const width = columns()
  const shown: (Column & { readonly of: (summary: ThreadSummary) => string })[] = [
    { title: 'thread', paint: (text) => paint.cyan(text), of: ({ thread }) => printableLine(thread) },
    { title: 'written', paint: (text) => paint.dim(text), of: ({ time }) => ago(time, now) },
    { title: 'entries', right: true, of: ({ entries }) => figure(entries) },
    // What it begins with tells more than the model does.
    ...(width < 100
      ? []
      : [
          {
            title: 'model',
            paint: (text: string) => paint.dim(text),
            of: ({ model }: ThreadSummary) => printableLine(model ?? '–'),
          },
        ]),
    { title: 'begins with', flexible: true, of: ({ title }) => printableLine(title ?? '–') },
  ]
  const rows = threads.map((summary) => shown.map(({ of }) => of(summary)))
  const more =
    next === undefined
      ? []
      : ['', paint.dim(`There are more: minutebook threads --limit ${Math.min(1000, threads.length * 5)}`)]
  return [...table(shown, rows, width, paint.bold), ...more]
}
