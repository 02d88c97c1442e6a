import { printableLine } from '@minutebook/server'
import type { CacheUsage, CallCacheUsage } from '@minutebook/inspect'
import { table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { counted, figure, shellWord, wrapped } from '../terminal/text.ts'
import { withThread } from '../thread/find.ts'
import { type DefineCommand, type RecordOptions, show, threadCommand, withConnection } from './command.ts'

export const define: DefineCommand = (command, terminal, setExitCode) => {
  threadCommand(command).action((thread: string | undefined, options: RecordOptions) =>
    withConnection(terminal, options, setExitCode, async (connection) => {
      const { archive } = connection
      const found = await withThread(connection, thread, async (id) => ({ id, calls: await archive.cache(id) }))
      const explain = (call: string): string =>
        terminal.command(`explain ${shellWord(printableLine(found.id))} ${call}`)
      show(terminal, options, { calls: found.calls }, () => cacheLines(found.calls, terminal, explain))
    }),
  )
}

/** A line for each call: how much of the previous prompt was kept, what was lost and why, and what the server says. */
function cacheLines(
  calls: readonly CallCacheUsage[],
  { paint, columns, textColumns }: Terminal,
  explain: (call: string) => string,
): string[] {
  if (calls.length === 0) return ['This thread has no recorded model calls that can be derived.']
  const worst = calls.reduce((most, call) => (call.lost > most.lost ? call : most), calls.at(-1)!)
  const rows = calls.map(({ call, total, previous, kept, lost, cached, cause, difference }) => [
    call,
    figure(total),
    previous === 0 ? '–' : `${Math.floor((100 * kept) / previous)}%`,
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
      textColumns(),
      paint.dim,
    ),
    '',
    ...totals(calls).flatMap((line) => wrapped(line, columns())),
    '',
    'kept, lost: tokens of the previous prompt that need not, or must, be read again',
    `${worst.lost > 0 ? 'The call that lost most' : 'The newest call'}: ${explain(worst.call)}`,
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
