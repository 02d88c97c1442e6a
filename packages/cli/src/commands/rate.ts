import { Argument } from 'commander'
import { printableLine, type Archive, type FeedbackChange } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { Terminal } from '../terminal/terminal.ts'
import { feedbackLine } from '../thread/thread.ts'
import { withEntry, withThread } from '../thread/find.ts'
import { type DefineCommand, recordCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly comment?: string
  readonly tag?: readonly string[]
}

/** How is an answer rated? What is said replaces what was said of it before. */
export const define: DefineCommand = (command, terminal, setExitCode) => {
  recordCommand(command)
    .argument('<thread>', 'thread id, or the beginning of it')
    .argument('<turn>', 'the number of the turn, or the id of a message, or the beginning of that')
    .addArgument(
      new Argument('[rating]', 'what you think of it; "none" takes back what you said').choices(['up', 'down', 'none']),
    )
    .option('--comment <text>', 'why')
    .option('--tag <tag...>', 'letters, digits, ".", "_" and "-"')
    .action((thread: string, turn: string, rating: string | undefined, { comment, tag, ...options }: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        if (rating === undefined && comment === undefined && tag === undefined)
          throw new MinutebookError(
            'bad_address',
            'Nothing is said of the answer.',
            'Add up, down, --comment or --tag.',
          )
        const feedback = { ...((rating === 'up' || rating === 'down') && ({ rating } as const)), comment, tags: tag }
        const change = await withThread(connection, thread, async (id) => {
          const entry = /^\d{1,6}$/.test(turn)
            ? await answerOf(connection.archive, id, Number(turn))
            : ((await withEntry(connection, id, turn)) ?? turn)
          return connection.archive.rate(id, entry, rating === 'none' ? {} : feedback, '')
        })
        show(terminal, options, change, () => [lineOf(change, terminal)])
      }),
    )
}

/** The last answer of a turn of the newest branch; its question if it has none. */
async function answerOf(archive: Archive, thread: string, turn: number): Promise<string> {
  const { entries } = await archive.show(thread)
  const from = entries.findIndex((entry) => entry.turn === turn)
  if (from < 0)
    throw new MinutebookError('unknown_turn', `The thread has no turn ${turn}.`, 'Turns are counted from 1.')
  const next = entries.findIndex(({ kind }, index) => index > from && kind === 'user')
  const said = entries.slice(from, next < 0 ? undefined : next)
  return (said.findLast(({ kind }) => kind === 'assistant') ?? said[0]!).id
}

function lineOf(change: FeedbackChange, { paint }: Terminal): string {
  const what = `${paint.bold(printableLine(change.thread))}: ${printableLine(change.entry.slice(0, 12))}`
  const now = feedbackLine(change) || 'no feedback of yours'
  return change.changed ? `${paint.green('✓')} ${what}: ${now}` : `${what}: ${now}, as before`
}
