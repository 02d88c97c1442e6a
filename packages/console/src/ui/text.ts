/**
 * Makes invisible characters visible: control characters, terminal escapes, direction marks and zero-width letters are
 * replaced by their code. Line ends and tabs stay.
 *
 * @example
 * readable('\u001b[31mred') // '␛[31mred'
 */
export function readable(text: string): string {
  let shown = ''
  let kept = 0
  for (let index = 0; index < text.length;) {
    const code = text.codePointAt(index)!
    const next = index + (code > 0xffff ? 2 : 1)
    if (isHiding(code)) {
      const isLineEnd = code === 0x0d && text[next] === '\n'
      shown += text.slice(kept, index) + (isLineEnd ? '' : signOf(code))
      kept = next
    }
    index = next
  }
  return kept === 0 ? text : shown + text.slice(kept)
}

/**
 * Ranges, in order: controls, soft hyphen, direction marks, invisible letters and operators, lone surrogates, byte
 * order mark, tags.
 */
const hiding: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe007f],
]

function isHiding(code: number): boolean {
  if (code >= 0x20 && code < 0x7f) return false
  return hiding.some(([from, to]) => code >= from && code <= to)
}

function signOf(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/**
 * A value as JSON with invisible characters written as escapes. It is still the JSON of the value.
 *
 * @example
 * readableJson('a\u202eb') // '"a\\u202eb"'
 */
export function readableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(invisible, escaped)
}

const invisible = /[\u007f-\u009f\u00ad\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}

/** A count for people: 12,345. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** A part of a whole for people: 12.5%. */
export function percentOf(part: number, whole: number): string {
  if (whole <= 0) return '0%'
  const share = (100 * part) / whole
  return `${share > 0 && share < 10 ? share.toFixed(1) : Math.round(share)}%`
}

/** A difference with its sign: +3%, −12%. */
export function signedPercent(share: number): string {
  const rounded = Math.round(share * 1000) / 10
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : ''}${Math.abs(rounded)}%`
}

export function plural(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/**
 * How long ago a time was. After a week, its date.
 *
 * @example
 * agoOf(0, 90_000) // '1 min'
 */
export function agoOf(then: number, now: number): string {
  const seconds = Math.max(0, (now - then) / 1000)
  if (seconds < 60) return 'now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`
  if (seconds < 7 * 86_400) return `${Math.floor(seconds / 86_400)} d`
  return new Date(then).toISOString().slice(0, 10)
}

/**
 * A span of time in words, rounded down.
 *
 * @example
 * durationOf(180_000) // '3 minutes'
 */
export function durationOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return plural(seconds, 'second', 'seconds')
  if (seconds < 3600) return plural(Math.floor(seconds / 60), 'minute', 'minutes')
  if (seconds < 86_400) return plural(Math.floor(seconds / 3600), 'hour', 'hours')
  return plural(Math.floor(seconds / 86_400), 'day', 'days')
}

/** The number of a message as people see it everywhere: `#3`. Empty for a note or a record. */
export function numberText({ number }: { readonly number?: number | undefined } = {}): string {
  return number === undefined ? '' : `#${number}`
}
