import type { CacheUsage, CallCacheUsage } from 'minutebook/inspect'
import { table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { counted, figure, wrapped } from '../terminal/text.ts'
import { withThread } from '../thread/find.ts'
import { type DefineCommand, type RecordOptions, show, threadCommand, withConnection } from './command.ts'

export const define: DefineCommand = (command, terminal, setExitCode) => {
  threadCommand(command).action((thread: string | undefined, options: RecordOptions) =>
    withConnection(terminal, options, setExitCode, async (connection) => {
      const calls = await withThread(connection, thread, (id) => connection.archive.cache(id))
      show(terminal, options, { calls }, () => cacheLines(calls, terminal))
    }),
  )
}

/** A line for each call: how much of its prompt was kept, what was lost and why, and what the server says. */
function cacheLines(calls: readonly CallCacheUsage[], { paint, columns }: Terminal): string[] {
  if (calls.length === 0) return ['This thread has no recorded model calls that can be derived.']
  const rows = calls.map(({ total, kept, lost, cached, cause, difference }, index) => [
    figure(index + 1),
    figure(total),
    percent(kept, total),
    lost === 0 ? '–' : figure(lost),
    cached === undefined ? '–' : figure(cached),
    cause === undefined ? '' : `${cause}${difference && ownPlace.has(cause) ? ` at ${difference.place}` : ''}`,
  ])
  return [
    ...table(
      [
        { title: 'call', right: true },
        { title: 'tokens', right: true },
        { title: 'kept', right: true },
        { title: 'lost', right: true },
        { title: 'server reused', right: true },
        { title: 'cause', flexible: true },
      ],
      rows,
      columns(),
      paint.dim,
    ),
    '',
    ...totals(calls).flatMap((line) => wrapped(line, columns())),
  ]
}

/** Causes that a field of the prompt shows. */
const ownPlace: ReadonlySet<CacheUsage['cause']> = new Set<CacheUsage['cause']>([
  'system',
  'tool_order',
  'tool_text',
  'tool_set',
  'client_compaction',
  'own_compaction',
  'option',
  'image',
  'edit',
])

/** What was lost by each cause, the most expensive first. */
function totals(calls: readonly CallCacheUsage[]): string[] {
  const lost = calls.reduce((sum, call) => sum + call.lost, 0)
  const read = calls.reduce((sum, { total }) => sum + total, 0)
  const causes = [...new Set(calls.flatMap(({ cause }) => cause ?? []))]
    .map((cause) => {
      const own = calls.filter((call) => call.cause === cause)
      return { cause, calls: own.length, lost: sumOf(own, 'lost'), seconds: sumOf(own, 'seconds') }
    })
    .toSorted((left, right) => right.lost - left.lost)
  return [
    `${counted(calls.length, 'call')}, ${figure(read)} tokens: ${lost === 0 ? 'nothing was lost' : `${figure(lost)} of them were read again`}`,
    ...causes.map(
      (each) =>
        `  ${each.cause}: ${figure(each.lost)} tokens in ${counted(each.calls, 'call')}${each.seconds > 0 ? `, ${each.seconds.toFixed(1)} s` : ''}`,
    ),
  ]
}

function sumOf(calls: readonly CallCacheUsage[], of: 'lost' | 'seconds'): number {
  return calls.reduce((sum, call) => sum + (call[of] ?? 0), 0)
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((100 * part) / whole)}%`
}
