import { printableLine } from '@minutebook/server'
import type { ThreadCall } from 'minutebook'
import { inputText, shortId } from '../call/open-call.ts'
import { table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { ago } from '../terminal/text.ts'
import { countOf, type DefineCommand, readingCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly limit: number
  readonly after?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  readingCommand(command)
    .option('--limit <n>', 'maximum number of calls', countOf('A limit'), 20)
    .option('--after <page>', 'the `next` value of the previous page')
    .action((options: Options) =>
      withConnection(terminal, options, setExitCode, async ({ archive }) => {
        const list = await archive.waiting({ limit: options.limit, after: options.after })
        show(terminal, options, list, () => [
          ...callLines(list.calls, terminal, Date.now()),
          ...(list.next === undefined ? [] : [moreLine(list.next, terminal)]),
        ])
      }),
    )
}

/** The calls, one line for each, and how to decide about one. */
function callLines(calls: readonly ThreadCall[], { paint, textColumns, command }: Terminal, now: number): string[] {
  if (calls.length === 0) return ['No tool call waits for a decision.']
  const rows = calls.map(({ id, thread, needs, since, call: { name, input } }) => [
    shortId(id),
    printableLine(thread),
    needs,
    ago(since ?? null, now),
    printableLine(name),
    inputText(input),
  ])
  return [
    ...table(
      [
        { title: 'call', paint: paint.cyan },
        { title: 'thread', paint: paint.bold },
        { title: 'needs' },
        { title: 'since', paint: paint.dim },
        { title: 'tool' },
        { title: 'arguments', flexible: true },
      ],
      rows,
      textColumns(),
      paint.dim,
    ),
    paint.dim(`Decide with: ${command('decide CALL')} and --run, --answer TEXT or --refuse REASON`),
  ]
}

function moreLine(next: string, { paint, command }: Terminal): string {
  return paint.dim(`There are more: ${command(`waiting --after ${next}`)}`)
}
