import { printableLine, type ReplayedCall } from '@minutebook/server'
import { withThread } from '../thread/find.ts'
import { table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { counted, figure, shellWord } from '../terminal/text.ts'
import { countOf, type DefineCommand, type RecordOptions, show, threadCommand, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly window?: number
  readonly reserve?: number
  readonly policy?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  threadCommand(command)
    .option('--window <tokens>', 'use this context window', countOf('A window'))
    .option('--reserve <tokens>', 'keep this many tokens for the answer', countOf('A reserve'))
    .option('--policy <name>', 'use this policy')
    .action((thread: string | undefined, { window, reserve, policy, ...options }: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const { archive } = connection
        const { id, calls } = await withThread(connection, thread, async (found) => ({
          id: found,
          calls: await archive.replay(found, { window, reserve, policy }),
        }))
        const cache = terminal.command(`cache ${shellWord(printableLine(id))}`)
        show(terminal, options, { calls }, () => replayLines(calls, terminal, cache))
      }),
    )
}

/** The model calls of a thread as they would have been, next to what they were. `cache`: the command for these. */
function replayLines(calls: readonly ReplayedCall[], { paint, textColumns }: Terminal, cache: string): string[] {
  if (calls.length === 0) return ['This thread has no recorded model calls.']
  const rows = calls.map(({ tokens, messages, same, verdicts }, index) => [
    figure(index + 1),
    figure(tokens.sent),
    figure(tokens.replayed),
    figure(tokens.reused),
    figure(messages),
    same ? 'unchanged' : verdictsIn(verdicts),
  ])
  const sum = (of: keyof ReplayedCall['tokens']): number => calls.reduce((total, { tokens }) => total + tokens[of], 0)
  const same = calls.filter((call) => call.same).length
  return [
    ...table(
      [
        { title: 'call', right: true },
        { title: 'sent', right: true },
        { title: 'replayed', right: true },
        { title: 'as before', right: true },
        { title: 'messages', right: true },
        { title: 'entries', flexible: true },
      ],
      rows,
      textColumns(),
      paint.dim,
    ),
    '',
    `${counted(calls.length, 'call')}, ${same === calls.length ? 'all' : figure(same)} unchanged: ${figure(sum('replayed'))} tokens instead of ${figure(sum('sent'))}`,
    `as before: tokens of the messages with which the previous replayed prompt began too, ${figure(sum('reused'))} in all`,
    `No server read these prompts. What was kept of those that were sent: ${cache}`,
  ]
}

function verdictsIn(verdicts: ReplayedCall['verdicts']): string {
  return Object.entries(verdicts)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${figure(count)} ${verdict}`)
    .join(', ')
}
