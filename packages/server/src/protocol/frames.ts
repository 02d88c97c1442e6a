/** Finds the end of the next line or event of a stream: the index after it, or 0 if the bytes end before it. */
export type FrameEnd = (bytes: Buffer, from: number) => number

/** Keeps only what it must of the bytes before, so that they may be split anywhere. */
export function frameEnd(framing: 'lines' | 'events'): FrameEnd {
  return framing === 'lines' ? (bytes, from) => bytes.indexOf(lineFeed, from) + 1 : eventEnd()
}

/** An event ends with an empty line. */
function eventEnd(): FrameEnd {
  let isEmpty = true
  return (bytes, from) => {
    for (let at = from; ;) {
      const end = bytes.indexOf(lineFeed, at)
      const isLineEmpty = isEmpty && hasNothing(bytes, at, end < 0 ? bytes.length : end)
      isEmpty = end >= 0 || isLineEmpty
      if (end < 0) return 0
      if (isLineEmpty) return end + 1
      at = end + 1
    }
  }
}

function hasNothing(bytes: Buffer, from: number, to: number): boolean {
  return to === from || (to === from + 1 && bytes[from] === carriageReturn)
}

/** The data of the server-sent events in a text: mostly one; none in a comment. */
export function dataIn(text: string): readonly string[] {
  // Nearly every event is one line of data, after its name if the protocol has names.
  const named = text.startsWith('event: ') ? text.indexOf('\n') + 1 : 0
  const isPlain = text.startsWith('data: ', named) && text.indexOf('\n', named) === text.length - 2
  if (isPlain && !text.slice(0, named).includes('\r')) return [text.slice(named + 6, -2)]
  const found: string[] = []
  let data: string[] = []
  for (const line of (text.startsWith('\ufeff') ? text.slice(1) : text).split(/\r\n|\n|\r/)) {
    if (line === 'data') data.push('')
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    if (line !== '' || data.length === 0) continue
    found.push(data.join('\n'))
    data = []
  }
  return data.length > 0 ? [...found, data.join('\n')] : found
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
