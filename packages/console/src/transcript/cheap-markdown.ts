/**
 * Whether a text can be parsed as markdown in a moment, however it was made: parsers take far longer than a text is
 * long for signs that pair with each other and for lists within lists. One linear look.
 *
 * @example
 * isCheap('- '.repeat(2000)) // false
 */
export function isCheap(text: string): boolean {
  if (text.length > longest) return false
  let signs = 0
  let lines = 0
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    if (end > start) lines++
    if (end - start > longestLine || lines > mostLines || depthAt(text, start, end) > deepest) return false
    for (let index = start; index < end; index++)
      if (isSign(text.charCodeAt(index)) && ++signs > mostSigns) return false
    start = end + 1
  }
  return true
}

const longest = 60_000
const longestLine = 20_000
const mostLines = 800
const mostSigns = 2000
const deepest = 10

const signs = new Set(Array.from('*_~[]<>|`!&@\\-+#^', (sign) => sign.charCodeAt(0)))

function isSign(code: number): boolean {
  return signs.has(code)
}

/** How deep a line may stand in quotes and lists: by the marks that it begins with, or by how far it is indented. */
function depthAt(text: string, start: number, end: number): number {
  let depth = 0
  let blanks = 0
  let index = start
  for (; index < end; index++) {
    const character = text[index]!
    if (character === ' ' || character === '\t') blanks++
    else if ('>-*+'.includes(character)) depth++
    else break
  }
  // A list within a list is indented by two at least.
  const isItem = depth > 0 || /\d/.test(text[index] ?? '')
  return Math.max(depth, isItem ? blanks / 2 - depth : 0)
}
