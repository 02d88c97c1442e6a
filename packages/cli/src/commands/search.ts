import { printableLine, type FoundEntry } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { FeedbackList, Rating } from 'minutebook/store'
import { feedbackLine } from '../thread/thread.ts'
import { Option } from 'commander'
import { table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { countOf, type DefineCommand, readingCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly thread?: string
  readonly limit: number
  readonly tag?: string
  readonly rating?: Rating
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  readingCommand(command)
    .argument('[words...]', 'words to find; words "in quotation marks" must be adjacent')
    .option('--thread <id>', 'search only this thread')
    .option('--tag <tag>', 'only messages with this tag')
    .addOption(new Option('--rating <rating>', 'only messages with this rating').choices(['up', 'down']))
    .option('--limit <n>', 'maximum number of results', countOf('A limit'), 20)
    .action((words: readonly string[], options: Options) =>
      withConnection(terminal, options, setExitCode, async ({ archive }) => {
        const query = words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')
        const { thread, limit, tag, rating } = options
        if (tag !== undefined || rating !== undefined) {
          const list = await archive.feedback({ query, thread, limit: Math.min(limit, 100), tag, rating })
          show(terminal, options, list, () => ratedLines(list, terminal))
          return
        }
        if (query === '')
          throw new MinutebookError('bad_address', 'There is nothing to find.', 'Add words, --tag or --rating.')
        const found = await archive.search(query, { thread, limit })
        show(terminal, options, { found }, () => foundLines(found, terminal))
      }),
    )
}

/** The results of a search, one line for each entry. */
function foundLines(found: readonly FoundEntry[], { paint, textColumns }: Terminal): string[] {
  if (found.length === 0) return ['No visible message contains all of these words.']
  const rows = found.map(({ thread, number, id, text }) => [
    printableLine(thread),
    number === undefined ? '' : `#${number}`,
    id.slice(0, 12),
    printableLine(text.slice(0, 4 * textColumns())),
  ])
  return table(
    [
      { title: 'thread', paint: paint.bold },
      { title: 'entry', right: true },
      { title: 'id', paint: paint.dim },
      { title: 'text', flexible: true },
    ],
    rows,
    textColumns(),
    paint.dim,
  )
}

/** Messages with feedback, one line for each. */
function ratedLines({ found }: FeedbackList, { paint, textColumns }: Terminal): string[] {
  if (found.length === 0) return ['No message with this feedback contains all of these words.']
  const rows = found.map(({ thread, id, text, feedback }) => [
    printableLine(thread),
    id.slice(0, 12),
    printableLine(feedback.by),
    feedbackLine(feedback),
    printableLine(text.slice(0, 4 * textColumns())),
  ])
  return table(
    [
      { title: 'thread', paint: paint.bold },
      { title: 'id', paint: paint.dim },
      { title: 'by', paint: paint.dim },
      { title: 'feedback', flexible: true },
      { title: 'text', flexible: true },
    ],
    rows,
    textColumns(),
    paint.dim,
  )
}
