import { printableLine, type FoundEntry } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { searchWords, type FeedbackList, type Rating } from 'minutebook/store'
import { feedbackLine } from '../thread/thread.ts'
import { Option } from 'commander'
import { table, tableLines, type Column } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { clipped, figure, textWidth } from '../terminal/text.ts'
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
        // Words that are joined by a sign must follow each other in a text.
        const query = words.map((word) => word.trim().replaceAll(/\s+/g, '-')).join(' ')
        const { thread, limit, tag, rating } = options
        if (tag !== undefined || rating !== undefined) {
          const list = await archive.feedback({ query, thread, limit: Math.min(limit, 100), tag, rating })
          show(terminal, options, list, () => ratedLines(list, terminal))
          return
        }
        if (query === '')
          throw new MinutebookError('bad_address', 'There is nothing to find.', 'Add words, --tag or --rating.')
        const found = await archive.search(query, { thread, limit })
        show(terminal, options, { found }, () => foundLines(found, query, terminal))
      }),
    )
}

/** The results of a search, one line for each entry. On a terminal below their threads, as more of the text fits so. */
function foundLines(found: readonly FoundEntry[], query: string, terminal: Terminal): string[] {
  if (found.length === 0) return ['No visible message contains all of these words.']
  const { paint, textColumns } = terminal
  const words = new Set(searchWords(query))
  const width = textColumns()
  const isPipe = width === Infinity
  const shown: (Column & { readonly of: (entry: FoundEntry) => string; readonly from?: number })[] = [
    { title: 'thread', from: Infinity, of: ({ thread }) => printableLine(thread) },
    { title: 'said by', paint: paint.cyan, of: saidBy },
    { title: 'turn', right: true, of: ({ turn }) => (turn === undefined ? '–' : figure(turn)) },
    { title: 'entry', right: true, of: ({ number }) => (number === undefined ? '–' : `#${number}`) },
    { title: 'id', from: 100, paint: paint.dim, of: ({ id }) => id.slice(0, 12) },
    {
      title: 'text',
      flexible: true,
      paint: (text) => highlighted(text, words, paint.inverse),
      of: ({ text }) => (isPipe ? printableLine(text) : passage(printableLine(text), words)),
    },
  ]
  const columns = shown.filter(({ from = 0 }) => width >= from)
  const rows = found.map((entry) => columns.map(({ of }) => of(entry)))
  if (isPipe) return table(columns, rows, width, paint.dim)
  const lines = tableLines(columns, rows, width - 2, paint.dim)
  return [
    `  ${lines.heading}`,
    ...found.flatMap(({ thread, title }, row) => [
      ...(found[row - 1]?.thread === thread ? [] : [threadLine(thread, title, terminal)]),
      `  ${lines.row(rows[row]!, row)}`,
    ]),
  ]
}

function threadLine(thread: string, title: string | null, { paint, textColumns }: Terminal): string {
  const [name, about] = [printableLine(thread), printableLine(title ?? '')]
  const room = textColumns() - textWidth(name) - 2
  return `${paint.bold(name)}${about === '' || room < leastTitle ? '' : `  ${paint.dim(clipped(about, room))}`}`
}

const leastTitle = 16

function saidBy({ kind, speaker, about, by }: FoundEntry): string {
  if (about !== undefined) return `comment by ${printableLine(by ?? '') || 'operator'}`
  return speaker === undefined ? kind : `${kind} ${printableLine(speaker)}`
}

/** A text from shortly before the first of these words on, if that is far from its start. */
function passage(text: string, words: ReadonlySet<string>): string {
  const at = pieces(text, words).find(({ isHit }) => isHit)?.at ?? 0
  if (at <= 2 * lead) return text
  const start = text.indexOf(' ', at - lead)
  return `…${text.slice(start < 0 || start >= at ? at : start + 1)}`
}

/** Characters before the first word found. */
const lead = 16

function highlighted(text: string, words: ReadonlySet<string>, paint: (text: string) => string): string {
  return pieces(text, words)
    .map(({ piece, isHit }) => (isHit ? paint(piece) : piece))
    .join('')
}

/** A text as its words and what is between them, each with its place, and whether it is one of the words. */
function pieces(
  text: string,
  words: ReadonlySet<string>,
): readonly { readonly piece: string; readonly at: number; readonly isHit: boolean }[] {
  let at = 0
  return text.split(/([\p{L}\p{N}\p{M}]+)/u).map((piece) => {
    at += piece.length
    return { piece, at: at - piece.length, isHit: searchWords(piece).some((word) => words.has(word)) }
  })
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
