import { printableLine, type ThreadList, type ThreadSummary } from '@minutebook/server'
import type { Metadata } from 'minutebook/store'
import { table, type Column } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { ago, figure, shellWord } from '../terminal/text.ts'

type Mark = ThreadSummary['marks'][number]

/** What is worth knowing of a thread before it is opened, the worst first. */
export const marks: readonly Mark[] = ['truncated', 'overflow', 'failed', 'partial', 'console']

/** Which threads were asked for. */
export interface AskedThreads {
  readonly limit: number
  readonly after?: string
  readonly metadata?: Metadata
  readonly mark?: typeof marks
  readonly runs?: true
}

/** The words that ask for the next page. */
function wordsOf({ limit, metadata = {}, mark = [], runs }: AskedThreads, next: string): string {
  const pairs = Object.entries(metadata).map(([key, value]) => shellWord(printableLine(`${key}=${value}`)))
  return [
    'threads',
    ...(pairs.length > 0 ? ['--metadata', ...pairs] : []),
    ...(mark.length > 0 ? ['--mark', ...mark] : []),
    ...(runs ? ['--runs'] : []),
    ...(limit === usualLimit ? [] : ['--limit', String(limit)]),
    '--after',
    next,
  ].join(' ')
}

export const usualLimit = 20

/** A page of threads as a table. Columns that would push the title out of a narrow terminal are left out. */
export function threadList(
  { threads, next }: ThreadList,
  asked: AskedThreads,
  { paint, columns, textColumns, command }: Terminal,
  now: number,
): string[] {
  const more = next === undefined ? [] : [paint.dim(`There are more: ${command(wordsOf(asked, next))}`)]
  if (threads.length === 0) {
    if (next !== undefined) return ['No thread matches so far.', ...more]
    if (asked.after !== undefined) return ['There are no more threads.']
    const isFiltered = asked.mark !== undefined || asked.metadata !== undefined
    return [isFiltered ? 'No thread matches.' : `Nothing is recorded yet. Start a chat with: ${command('chat')}`]
  }
  const width = columns()
  const shown: (Column & { readonly of: (summary: ThreadSummary) => string })[] = [
    { title: 'thread', paint: (text) => paint.cyan(text), of: ({ thread }) => printableLine(thread) },
    ...(width < 60
      ? []
      : [
          {
            title: 'written',
            paint: (text: string) => paint.dim(text),
            of: ({ written }: ThreadSummary) => ago(written, now),
          },
          { title: 'entries', right: true, of: ({ entries }: ThreadSummary) => figure(entries) },
        ]),
    ...(width < 100
      ? []
      : [
          {
            title: 'model',
            paint: (text: string) => paint.dim(text),
            of: ({ model }: ThreadSummary) => printableLine(model ?? '–'),
          },
        ]),
    ...(threads.every((summary) => summary.marks.length === 0)
      ? []
      : [{ title: 'marks', paint: (text: string) => paint.red(text), of: marksOf }]),
    { title: 'title', flexible: true, of: ({ title }) => printableLine(title ?? '–') },
  ]
  const rows = threads.map((summary) => shown.map(({ of }) => of(summary)))
  return [...table(shown, rows, textColumns(), paint.bold), ...(more.length === 0 ? [] : ['', ...more])]
}

function marksOf(summary: ThreadSummary): string {
  return marks.filter((mark) => summary.marks.includes(mark)).join(', ')
}
