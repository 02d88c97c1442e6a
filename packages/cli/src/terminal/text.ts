import { homedir } from 'node:os'
import { sep } from 'node:path'

/** How many columns a text takes: colours none, wide letters and emoji two, marks on letters none. */
export function textWidth(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text.replace(colours, ''))) width += widthOf(segment)
  return width
}

/**
 * The beginning of a text that fits into so many columns, with an ellipsis where something is missing. The text has no
 * colours.
 */
export function clipped(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  let shown = ''
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    shown += segment
  }
  return `${shown}…`
}

export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)))
}

/**
 * The lines of a text, broken at blanks where they are wider than so many columns; a word that is wider by itself is
 * cut.
 */
export function wrapped(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrappedLine(line, columns))
}

function wrappedLine(line: string, columns: number): string[] {
  if (textWidth(line) <= columns) return [line]
  const lines: string[] = []
  let open = ''
  for (const word of line.split(/(?<= )/)) {
    let rest = word
    if (open !== '' && textWidth((open + rest).trimEnd()) > columns) {
      lines.push(open.trimEnd())
      open = ''
    }
    // A beginning is enough to measure: a word may have no end.
    while (open === '' && textWidth(rest.slice(0, columns * 8).trimEnd()) > columns) {
      const head = clipped(rest.slice(0, columns * 8), columns).slice(0, -1)
      if (head === '') break
      lines.push(head)
      rest = rest.slice(head.length)
    }
    open += rest
  }
  return [...lines, open.trimEnd()]
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

// oxlint-disable-next-line no-control-regex
const colours = /\u001b\[\d+m/g

function widthOf(segment: string): number {
  const code = segment.codePointAt(0) ?? 0
  if (code < 0x300) return 1
  if (/^[\p{M}\p{Cf}]/u.test(segment)) return 0
  return isWide(code) || /\p{Emoji_Presentation}|\ufe0f/u.test(segment) ? 2 : 1
}

/** Hangul, kana, Han and full-width forms. */
function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0x303e) ||
    (code >= 0x3041 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x20000 && code <= 0x3fffd)
  )
}

/** A number with its thousands set apart. */
export function figure(value: number): string {
  return Math.round(value)
    .toString()
    .replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

export function counted(value: number, one: string, many: string = `${one}s`): string {
  return `${figure(value)} ${value === 1 ? one : many}`
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
