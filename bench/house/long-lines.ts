import { codeOf } from '../../tests/support/code.ts'

/** The numbers of the lines that are wider than `columns`, except those that only a string makes so wide. */
export function longLines(text: string, columns: number): number[] {
  const within = insideStrings(codeOf(text))
  const long: number[] = []
  let start = 0
  for (const [index, line] of text.split('\n').entries()) {
    const beyond = Array.from({ length: Math.max(0, line.length - columns) }, (_, place) => start + columns + place)
    if (beyond.some((at) => within[at] !== true && !closing.has(text[at] ?? ''))) long.push(index + 1)
    start += line.length + 1
  }
  return long
}

/** What may follow a string that cannot be broken. */
const closing: ReadonlySet<string> = new Set(' )]},;')

/**
 * Of each position, whether it belongs to a string; to a template belongs also what stands inside `${}`. Takes code
 * without the contents of its strings.
 */
function insideStrings(code: string): boolean[] {
  const inside: boolean[] = []
  const open: string[] = []
  for (let at = 0; at < code.length; at++) {
    const sign = code[at] ?? ''
    const innermost = open.at(-1)
    inside[at] = open.length > 0 || quotes.has(sign)
    if (sign === innermost) open.pop()
    else if (sign === '{' && innermost !== undefined) open.push('}')
    else if (quotes.has(sign)) open.push(sign)
  }
  return inside
}

const quotes: ReadonlySet<string> = new Set(`'"\``)
