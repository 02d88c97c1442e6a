import { printable, printableLine, type ShownEntry, type ShownThread } from '@minutebook/server'
import type { Feedback } from 'minutebook/store'
import { attachmentName, type VisibleAttachment } from 'minutebook/wire'
import type { Paint, Terminal } from '../terminal/terminal.ts'
import { clipped, counted, figure, padded, wrapped } from '../terminal/text.ts'

interface ShowOptions {
  /** Whether tool calls, results and attachments are shown in full. Default: false, one line each. */
  readonly full?: boolean | undefined
}

/** The messages of a thread, with the speakers on the left. */
export function shownThread(
  { thread, branches, head, entries }: ShownThread,
  { paint, textColumns }: Terminal,
  { full = false }: ShowOptions,
): string[] {
  const others =
    branches.length > 1
      ? ` · ${counted(branches.length, 'branch', 'branches')}, this one ends with ${head.slice(0, 12)}`
      : ''
  const turns = entries.filter(({ kind }) => kind === 'user').length
  const width = Math.max(24, textColumns() - margin)
  return [
    `${paint.bold(printableLine(thread))}${paint.dim(` · ${counted(turns, 'turn')}${others}`)}`,
    ...entries.flatMap((entry) => ['', ...entryLines(entry, width, paint, full)]),
  ]
}

/** Columns of the speaker. */
export const margin = 12

/** One message, with its speaker on the left. `width`: columns of the text. */
export function entryLines(entry: ShownEntry, width: number, paint: Paint, full: boolean): string[] {
  const lines = [
    ...textLines(entry, width, full),
    ...entry.calls.map((call) => callLine(call, width, full)).flat(),
    ...(entry.attachments ?? []).flatMap((attachment) => attachmentLines(attachment, width, full)),
    ...extras(entry),
    ...(entry.feedback ?? []).map((said) =>
      clipped(`(${said.by === '' ? '' : `${printableLine(said.by)}: `}${feedbackLine(said)})`, width),
    ),
  ]
  const [first = '', ...rest] = lines.length === 0 ? [paint.dim('(nothing)')] : lines
  const label = padded(labelOf(entry, width === Infinity ? width : margin - 1), margin - 1)
  return [
    ...(entry.elsewhere ?? []).map(
      (head) => `${' '.repeat(margin)}${paint.magenta(`⎇ another branch starts here: --head ${head.slice(0, 12)}`)}`,
    ),
    `${paintOf(entry, paint)(label)} ${first}`,
    ...rest.map((line) => `${' '.repeat(margin)}${line}`.trimEnd()),
  ]
}

/**
 * Feedback as one line.
 *
 * @example
 * feedbackLine({ rating: 'down', comment: 'Why?', tags: ['facts'] }) // 'rated down, #facts, “Why?”'
 */
export function feedbackLine({ rating, comment, tags = [] }: Feedback): string {
  const parts = [
    ...(rating ? [`rated ${rating}`] : []),
    ...tags.map((tag) => `#${printableLine(tag)}`),
    ...(comment ? [`“${printableLine(comment)}”`] : []),
  ]
  return parts.join(', ')
}

function labelOf({ kind, turn, speaker, answers }: ShownEntry, width: number): string {
  if (kind === 'user') return clipped(`${figure(turn ?? 0)} ${printableLine(speaker ?? 'you')}`, width)
  if (kind === 'tool') return clipped(`← ${printableLine(answers?.name ?? 'tool')}`, width)
  return clipped(printableLine(speaker ?? labels[kind] ?? kind), width)
}

const labels: Readonly<Record<string, string>> = { assistant: 'model', stop: 'stopped' }

function paintOf({ kind }: ShownEntry, paint: Paint): (text: string) => string {
  if (kind === 'user') return (text) => paint.bold(paint.cyan(text))
  if (kind === 'assistant') return paint.plain
  return kind === 'stop' ? paint.red : paint.dim
}

function textLines({ kind, text, status }: ShownEntry, width: number, full: boolean): string[] {
  if (status === 'erased') return ['(erased)']
  if (text === '') return []
  return kind !== 'tool' || full ? wrapped(unlikeOurs(printable(text)), width) : [firstLine(text, width)]
}

/** The beginning of a text, and how long it is. */
function firstLine(text: string, width: number): string {
  const lines = text.split('\n').length
  const more = lines > 1 ? ` (${figure(lines)} lines)` : ''
  return `${clipped(printableLine(text.slice(0, 4 * width)), width - more.length)}${more}`
}

/** What a document, a search result or a file is, and what it says. */
function attachmentLines(attachment: VisibleAttachment, width: number, full: boolean): string[] {
  const { text } = attachment
  const lines = text === '' ? [] : full ? wrapped(printable(text), width - 2) : [firstLine(text, width - 2)]
  return [attachmentName(attachment), ...lines.map((line) => `> ${line}`)]
}

/** Puts a backslash before a line that looks like one of Minutebook's own. */
function unlikeOurs(text: string): string {
  return text
    .split('\n')
    .map((line) => (/^(?:→|⎇|←) /.test(line) ? `\\${line}` : line))
    .join('\n')
}

function callLine({ name, arguments: given }: ShownEntry['calls'][number], width: number, full: boolean): string[] {
  const text = `→ ${printableLine(name)}(${printable(typeof given === 'string' ? given : (JSON.stringify(given) ?? ''))})`
  return full ? wrapped(text, width) : [clipped(text.split('\n').join(' '), width)]
}

function extras({ images, status, pinned }: ShownEntry): string[] {
  const ended = status === 'complete' || status === 'erased' ? [] : [`(${status})`]
  return [...(images > 0 ? [`(${counted(images, 'image')})`] : []), ...(pinned ? ['(pinned)'] : []), ...ended]
}
