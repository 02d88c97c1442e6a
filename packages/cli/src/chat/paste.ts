import { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Replaces a line break in a paste. A paste is then one line of input, and is sent only when Enter is pressed. */
const breakMark = '⏎'

const begin = '\u001b[200~'
const end = '\u001b[201~'

/** Makes a terminal mark pasted text, and stops that. */
export const bracketedPaste = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const

/** Turns every paste in the input of a terminal into one line. */
export function createPasteReader(): Transform {
  const decoder = new StringDecoder('utf8')
  let pasting = false
  let held = ''
  return new Transform({
    decodeStrings: false,
    transform(chunk: Buffer | string, _encoding, done) {
      let text = held + (typeof chunk === 'string' ? chunk : decoder.write(chunk))
      held = ''
      let shown = ''
      for (;;) {
        const mark = pasting ? end : begin
        const at = text.indexOf(mark)
        const part = at < 0 ? text : text.slice(0, at)
        if (at < 0) {
          // A mark may be split between two chunks.
          const open = pasting ? openingOf(part, mark) : 0
          held = part.slice(part.length - open)
          shown += pasting ? oneLine(part.slice(0, part.length - open)) : part
          break
        }
        shown += pasting ? oneLine(part) : part
        text = text.slice(at + mark.length)
        pasting = !pasting
      }
      done(null, shown)
    },
  })
}

/** Restores the line breaks of a paste. */
export function unpasted(line: string): string {
  return line.replaceAll(breakMark, '\n')
}

function oneLine(text: string): string {
  return text.replaceAll('\r\n', breakMark).replaceAll('\r', breakMark).replaceAll('\n', breakMark)
}

/** The number of characters at the end of a text that could be the beginning of a mark. */
function openingOf(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
    if (text.endsWith(mark.slice(0, length))) return length
  return 0
}
