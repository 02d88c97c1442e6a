import { printableLine, type Overview } from '@minutebook/server'
import { table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { counted, figure } from '../terminal/text.ts'
import {
  countOf,
  type DefineCommand,
  hourLength,
  lastOption,
  readingCommand,
  type RecordOptions,
  show,
  withConnection,
} from './command.ts'

interface Options extends RecordOptions {
  /** In milliseconds. */
  readonly last: number
  readonly model?: string
  readonly owner?: string
  readonly limit: number
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  readingCommand(command)
    .addOption(lastOption().default(24 * hourLength, '24h'))
    .option('--model <name>', 'only calls of this model')
    .option('--owner <name>', 'only calls for the key with this name')
    .option('--limit <n>', 'maximum number of threads', countOf('A limit'), 12)
    .action((options: Options) =>
      withConnection(terminal, options, setExitCode, async ({ archive }) => {
        const { last, model, owner: key, limit } = options
        // The figures are those of whole hours. This hour is one of them.
        const back = last % hourLength === 0 ? last - hourLength : last
        const from = new Date(Date.now() - back).toISOString()
        const found = await archive.overview({ from, model, key, limit: Math.min(limit, mostThreads) })
        show(terminal, options, found, () => overviewLines(found, terminal))
      }),
    )
}

const mostThreads = 50

/** The six figures, a bar for each step, and the threads that need a look. */
export function overviewLines(overview: Overview, terminal: Terminal): string[] {
  const { paint } = terminal
  const { from, to, totals, threads, problems } = overview
  if (totals.calls + totals.unsent === 0)
    return ['No model was called in this time.', ...problemLines(overview, terminal)]
  const share = (part: number, whole: number): string => `${Math.round((100 * part) / Math.max(1, whole))}%`
  const cut = figure(totals.cutCalls)
  return [
    paint.dim(`${timeText(from)} to ${timeText(to)}`),
    `${paint.bold(figure(totals.calls))} calls · ${counted(overview.models.length, 'model')} · ${figure(totals.sentTokens)} tokens sent · ${figure(totals.answerTokens)} written`,
    `${totals.cutCalls > 0 ? paint.red(cut) : cut} cut by the server${totals.cutCalls > 0 ? ` (${figure(totals.cutTokens)} tokens not read)` : ''} · ${figure(totals.omittedCalls)} left something out (${share(totals.omittedCalls, totals.calls)}) · ${figure(totals.clippedCalls)} clipped something (the question in ${figure(totals.clippedQuestions)})`,
    `${share(totals.reusedTokens, totals.sentTokens)} of the tokens reused · ${figure(totals.failed)} failed · ${figure(totals.unsent)} did not fit · ${figure(totals.cancelled)} cancelled · ${figure(totals.resent)} sent again`,
    '',
    ...seriesLines(overview, terminal),
    '',
    ...(problems.length === 0
      ? ['No thread had a problem.']
      : [
          paint.bold(
            `Needs a look: ${problems.length} of ${threads.all ? '' : 'more than '}${counted(threads.count, 'thread')}, the worst first`,
          ),
        ]),
    ...problemLines(overview, terminal),
  ]
}

/** The tokens of each step as a bar: reused, new, and cut by the server. Steps without a call are left out. */
function seriesLines({ series, step }: Overview, { paint, columns }: Terminal): string[] {
  const steps = series.filter(({ figures }) => figures.calls > 0)
  const most = Math.max(1, ...steps.map(({ figures }) => figures.sentTokens))
  const width = Math.max(10, Math.min(60, columns() - 40))
  const cells = (tokens: number): number => Math.round((tokens / most) * width)
  return [
    paint.dim(`tokens of prompts: ${reusedMark} reused  ${newMark} new  ${cutMark} cut by the server`),
    ...steps.map(({ from, figures }) => {
      const cut = Math.min(figures.cutTokens, figures.sentTokens)
      const reused = Math.min(figures.reusedTokens, figures.sentTokens - cut)
      const all = cells(figures.sentTokens)
      const [first, last] = [cells(reused), Math.min(cells(cut), all)]
      const fresh = Math.max(0, all - first - last)
      const bar = `${paint.dim(reusedMark.repeat(first))}${newMark.repeat(fresh)}${paint.red(cutMark.repeat(last))}`
      return `${stepText(from, step)}  ${figure(figures.calls).padStart(6)} ${figures.calls === 1 ? 'call ' : 'calls'}  ${bar} ${figure(figures.sentTokens)}`
    }),
  ]
}

const reusedMark = '░'
const newMark = '█'
const cutMark = '▚'

function problemLines({ problems }: Overview, { paint, columns }: Terminal): string[] {
  if (problems.length === 0) return []
  const rows = problems.map(({ thread, title, calls, reasons }) => [
    printableLine(thread),
    calls.map(({ sent }) => heightOf(sent, Math.max(...calls.map((call) => call.sent)))).join(''),
    reasons
      .map(({ reason, calls: count }) => `${words[reason]}${count > 0 ? ` (${count} of ${calls.length})` : ''}`)
      .join(', '),
    printableLine(title ?? ''),
  ])
  return table(
    [
      { title: 'thread', paint: paint.bold },
      { title: 'newest calls' },
      { title: 'why' },
      { title: 'title', flexible: true, paint: paint.dim },
    ],
    rows,
    columns(),
    paint.dim,
  )
}

const words: Readonly<Record<Overview['problems'][number]['reasons'][number]['reason'], string>> = {
  cut: 'server cut the prompt',
  overflow: 'did not fit',
  failed: 'failed',
  question: 'question clipped',
  turn: 'turn not whole',
  partial: 'answer cut off',
}

/** A bar of one letter. */
function heightOf(value: number, most: number): string {
  return '▁▂▃▄▅▆▇█'[Math.min(7, Math.floor((8 * value) / Math.max(1, most)))]!
}

function timeText(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)}`
}

function stepText(from: string, step: number): string {
  return step >= 24 ? from.slice(0, 10) : timeText(from)
}
