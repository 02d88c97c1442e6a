import { printableLine, type Explanation } from '@minutebook/server'
import { planRows } from 'minutebook/inspect'
import { bar, legend } from './budget.ts'
import { assumedLines } from './call.ts'
import { verdictLooks } from './palette.ts'
import { counted, figure } from '../terminal/text.ts'
import type { Paint } from '../terminal/terminal.ts'
import { table, type Column } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** A plan as a bar of the window, and a table of what happened to each range of entries, what it costs, and why. */
export function planLines(
  { plan, shares, receipt }: Pick<Explanation, 'plan' | 'shares' | 'receipt'>,
  terminal: Terminal,
  rows: number,
): string[] {
  const { paint, columns, textColumns } = terminal
  const width = columns()
  const { tokens, window, policy, counter, overflow, exchanges, entries } = plan
  const spans = planRows(plan.spans, rows)
  return [
    `${figure(tokens)} of ${figure(window)} tokens for ${counted(entries, 'entry', 'entries')} in ${counted(exchanges, 'exchange')}`,
    paint.dim(printableLine(`policy ${policy} · counter ${counterText(counter)}`)),
    ...assumedLines(receipt, window, terminal),
    ...(overflow > 0 ? [paint.red(`${figure(overflow)} tokens over the budget, kept as the policy says`)] : []),
    '',
    bar(shares, width, paint),
    ...legend(shares, width, paint),
    '',
    ...table(
      tableColumns(spans, paint),
      spans.map((span) => cellsOf(span, receipt.mode === 'unchanged' ? '≈ ' : '')),
      textColumns(),
      paint.bold,
    ),
  ]
}

/** The name of a calibrated counter holds its factor and the number of reports it was learnt from. */
function counterText(name: string): string {
  const [, counter, factor, reports] = /^(.*)×([\d.]+) \((\d+)\)$/.exec(name) ?? []
  return counter === undefined ? name : `${counter} × ${factor}, learnt from ${counted(Number(reports), 'call')}`
}

type Span = ReturnType<typeof planRows>[number]

function tableColumns(spans: readonly Span[], paint: Paint): Column[] {
  return [
    { title: 'exchange', right: true },
    { title: 'entries', right: true, paint: (text) => paint.dim(text) },
    { title: 'verdict', paint: (text, row) => paint[verdictLooks[spans[row]!.verdict].colour](text) },
    { title: 'tokens', right: true },
    { title: 'why', flexible: true },
  ]
}

/** `about`: printed before an estimate. */
function cellsOf(span: Span, about: string): string[] {
  const { numbers, exchange, last, verdict, tokens, title, why } = span
  const words = title !== '' && exchange === last ? ` · ${printableLine(title)}` : ''
  return [
    last + 1 < 1 ? '–' : range(Math.max(exchange + 1, 1), last + 1),
    numbers ? range(...numbers, '#') : '–',
    verdict,
    tokens === 0 ? '–' : `${about}${figure(tokens)}`,
    `${why}${words}`,
  ]
}

function range(from: number, to: number, mark = ''): string {
  const end = `${mark}${figure(to)}`
  return from >= to ? end : `${mark}${figure(from)}–${end}`
}
