import { wellFormed } from '../log/well-formed.ts'

/** How much of a text is looked at: a gist is short, its text may be 10 MB. */
const looked = 4096

/** The beginning of a text on one line, cut between words to `limit` characters and an ellipsis. Double quotes become single, for we quote with double ones. */
export function gist(text: string, limit: number): string {
  const line = oneLine(text, limit).replaceAll('"', "'")
  if (line.length <= limit) return text.length > looked ? `${line}…` : line
  const cut = line.lastIndexOf(' ', limit)
  return `${wellFormed(line.slice(0, cut > limit / 2 ? cut : limit))}…`
}

/** The gist of prose, with code blocks named instead of quoted. */
export function gistOfText(text: string, limit: number): string {
  const fence = text.slice(0, looked).indexOf('```')
  if (fence < 0) return gist(text, limit)
  const end = text.indexOf('```', fence + 3)
  const code = text.slice(fence + 3, end < 0 ? text.length : end).trimEnd()
  const language = gist(code.slice(0, Math.max(0, code.indexOf('\n'))), 16)
  const lines = countLines(code)
  const said = gist(text.slice(0, fence), limit - 24)
  return `${said ? `${said} ` : ''}(${language || 'code'}, ${lines} ${lines === 1 ? 'line' : 'lines'})`
}

/** The outermost shape of a JSON value: names, short values, sizes of lists. */
export function gistOfJson(value: unknown, limit: number): string {
  if (Array.isArray(value)) return `${value.length} ${value.length === 1 ? 'item' : 'items'}`
  if (typeof value !== 'object' || value === null) return gist(String(value), limit)
  const shown: string[] = []
  let length = 0
  for (const [key, field] of Object.entries(value)) {
    const part = `${gist(key, 24)}: ${gistOfField(field)}`
    length += part.length + 2
    if (length > limit) return `${[...shown, '…'].join(', ')}`
    shown.push(part)
  }
  return shown.join(', ') || 'nothing'
}

/**
 * A line in brackets that nothing in it can close, with its price. A text that costs too much loses a quarter of itself
 * until it does not; at the least an ellipsis is left.
 */
export function fitLine(said: string, limit: number, count: (line: string) => number): { readonly text: string; readonly tokens: number } {
  const text = unbracketed(said)
  for (let length = text.length, kept = text; ; length = Math.floor(length * 0.75), kept = `${wellFormed(text.slice(0, length))}…`) {
    const line = `[${kept}]`
    const tokens = count(`${line}\n`)
    if (tokens <= limit || length <= 1) return { text: line, tokens }
  }
}

/** Square brackets become round ones, for we set our own words in square ones. So do those that look like them. */
export function unbracketed(text: string): string {
  return text.replaceAll(/[[\uff3b\u3010\u3014\u3016\u301a\u27e6\u2045\u2772]/g, '(').replaceAll(/[\]\uff3d\u3011\u3015\u3017\u301b\u27e7\u2046\u2773]/g, ')')
}

function gistOfField(field: unknown): string {
  if (Array.isArray(field)) return `${field.length} ${field.length === 1 ? 'item' : 'items'}`
  if (typeof field === 'object' && field !== null) return '{…}'
  return typeof field === 'string' ? `"${gist(field, 32)}"` : String(field)
}

/** The beginning of a text on one line: white space and control characters become one blank. No more is read than shows that it is longer than `limit`. */
export function oneLine(text: string, limit: number = Infinity): string {
  let line = ''
  for (const character of wellFormed(text.slice(0, looked))) {
    if (!isBlank(character)) {
      line += character
      if (line.length > limit) return line
    } else if (line !== '' && !line.endsWith(' ')) line += ' '
  }
  return line.trimEnd()
}

function isBlank(character: string): boolean {
  const code = character.charCodeAt(0)
  if (code <= 0x20 || (code >= 0x7f && code <= 0xa0)) return true
  return code >= 0x1680 && /[\p{Zs}\p{Zl}\p{Zp}\p{Cf}]/u.test(character)
}

function countLines(code: string): number {
  let lines = 0
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) lines++
  return Math.max(1, lines)
}
