import truncatedWidth from 'fast-string-truncated-width'
import stringWidth from 'fast-string-width'
import { homedir } from 'node:os'
import { sep } from 'node:path'
import { printableLine } from '@minutebook/server'

/** The number of columns of a text: colours and combining marks take none, wide letters and emoji two. */
export function textWidth(text: string): number {
  return stringWidth(text)
}

/**
 * The beginning of a text that fits into this many columns, with an ellipsis if something is missing. The text has no
 * colours.
 */
export function clipped(text: string, columns: number): string {
  const { index, truncated } = truncatedWidth(text, { limit: columns })
  if (!truncated) return text
  return columns < 1 ? '' : `${text.slice(0, placeWithin(text, index, columns - 1))}…`
}

/**
 * Where a text must end at the latest, so that it takes no more than these columns. fast-string-truncated-width finds a
 * place that is too far if there are letters such as Greek ones, or quotation marks: it counts them too late.
 */
function placeWithin(text: string, latest: number, columns: number): number {
  const beginning = text.slice(0, latest)
  if (textWidth(beginning) <= columns) return latest
  let width = 0
  for (const { segment, index } of letters.segment(beginning)) {
    width += textWidth(segment)
    if (width > columns) return index
  }
  return latest
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)))
}

/**
 * The lines of a text, broken at blanks if they are wider than this many columns. A wider word is cut. Written here
 * because fast-wrap-ansi composes letters and their marks: what a person copies would not be the original text.
 */
export function wrapped(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrappedLine(line, columns))
}

function wrappedLine(line: string, columns: number): string[] {
  const lines: string[] = []
  let open = ''
  for (const word of line.split(/(?<= )/)) {
    let rest = word
    if (open !== '' && textWidth((open + rest).trimEnd()) > columns) {
      lines.push(open.trimEnd())
      open = ''
    }
    // Measuring a beginning is enough: a word may be very long.
    for (let cut = cutOf(rest, columns); open === '' && cut > 0; cut = cutOf(rest, columns)) {
      lines.push(rest.slice(0, cut))
      rest = rest.slice(cut)
    }
    open += rest
  }
  return [...lines, open.trimEnd()]
}

/** Where a word must be cut to fit. 0: it fits, or not even its first letter does. */
function cutOf(word: string, columns: number): number {
  const { index, truncated } = truncatedWidth(word.slice(0, columns * 8).trimEnd(), { limit: columns })
  return truncated ? placeWithin(word, index, columns) : 0
}

/** A number with thousands separators. */
export function figure(value: number): string {
  return Math.round(value)
    .toString()
    .replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

export function counted(value: number, one: string, many: string = `${one}s`): string {
  return `${figure(value)} ${value === 1 ? one : many}`
}

/** Names that others chose, as a list of limited length. */
export function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 10).map(printableLine)
  return [...shown, ...(names.length > shown.length ? [`${figure(names.length - shown.length)} more`] : [])].join(', ')
}

/** How long ago that was, in words. */
export function ago(time: string | null, now: number): string {
  const seconds = Math.round((now - Date.parse(time ?? '')) / 1000)
  if (!Number.isFinite(seconds)) return '–'
  if (seconds < 0) return 'in the future'
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  if (seconds < 30 * 86_400) return `${counted(Math.floor(seconds / 86_400), 'day')} ago`
  return new Date(Date.parse(time ?? '')).toISOString().slice(0, 10)
}

/** A path as people write it: what is below their home begins with `~`. */
export function homePath(path: string, home: string = homedir()): string {
  return home.length > 1 && path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path
}

/** The options that lead a command to its settings and to the record. */
export interface RecordFlags {
  /** The file of settings. false: none, not even one that is in the working directory. */
  readonly config?: string | false | undefined
  readonly data?: string | undefined
  readonly database?: string | undefined
  /** The address of a server, here or elsewhere. */
  readonly server?: string | undefined
  /** Whose threads. Undefined: `default`, or at a server those of the key. */
  readonly tenant?: string | undefined
}

/**
 * A command to type, with the options that lead it to the same record. `takesFile`: a file can follow its name.
 *
 * @example
 * commandText('threads --limit 5', { data: 'chat.db' }, true) // 'minutebook threads chat.db --limit 5'
 */
export function commandText(
  words: string,
  { config, data, database, server, tenant }: RecordFlags,
  takesFile = false,
): string {
  const [name = '', ...rest] = words.split(' ')
  const file = takesFile && data !== undefined && isFileName(data) ? data : undefined
  const flags = {
    data: file === undefined ? data : undefined,
    database: database === undefined ? undefined : withoutPassword(database),
    config: config === false ? undefined : config,
    server,
    tenant,
  }
  const read = file === undefined ? [] : [shellWord(printableLine(file))]
  return ['minutebook', name, ...read, ...rest].join(' ') + flagsFor(flags) + (config === false ? ' --no-config' : '')
}

function withoutPassword(database: string): string {
  const url = URL.parse(database)
  return !url || url.password !== '' || url.searchParams.has('password') ? 'postgres://…' : database
}

/** Where a database is, for people. The address of a socket has no host, and need not be a URL. */
export function databaseHost(database: string): string {
  return URL.parse(database)?.host || 'a local socket'
}

/** Whether an argument names a file: by its ending alone, so that no file in a folder changes what a command does. */
export function isFileName(name: string): boolean {
  return /\.(?:db|sqlite3?)$/i.test(name)
}

/** A word that a shell reads as this text. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The same, without quotes if it needs none. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text)
}

/** Flags of a command as a shell reads them, each after a blank. Those without a value are left out. */
export function flagsFor(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .map(([flag, value]) => (value === undefined ? '' : ` --${flag} ${shellWord(printableLine(value))}`))
    .join('')
}
