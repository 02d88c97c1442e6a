/**
 * A text with nothing in it that hides, moves or colours: control characters, escapes of terminals, marks of direction
 * and invisible letters stand as their code. Line ends and tabs stay.
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
 * From and to, in order: controls, soft hyphen, marks of direction, invisible letters and operators, lone halves, byte
 * order, tags.
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
