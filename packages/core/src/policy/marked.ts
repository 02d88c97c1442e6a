/** The text with `mark` before every line but the first. A line that is empty says nothing and gets none. */
export function marked(text: string, mark: string): string {
  let result = ''
  let copied = 0
  for (let start = nextLine(text, 0); start > 0; start = nextLine(text, start)) {
    result += text.slice(copied, start) + mark
    copied = start
  }
  return result + text.slice(copied)
}

/** How many lines of a text get a mark: all that say something, the first always among them. */
export function countLines(text: string): number {
  let lines = 1
  for (let start = nextLine(text, 0); start > 0; start = nextLine(text, start)) lines++
  return lines
}

/** The index at which the next line begins that is not empty, after the line at `from`; 0 if there is none. */
function nextLine(text: string, from: number): number {
  let broken = false
  for (let index = from; index < text.length; index++) {
    if (isBreak(text.charCodeAt(index))) broken = true
    else if (broken) return index
  }
  return 0
}

/** Whatever Unicode, JavaScript or Python's `splitlines`, and so a chat template, takes for the end of a line. */
function isBreak(code: number): boolean {
  if (code < 0x20) return (code >= 0x0a && code <= 0x0d) || (code >= 0x1c && code <= 0x1e)
  return code === 0x85 || code === 0x2028 || code === 0x2029
}
