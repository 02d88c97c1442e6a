import { createInterface } from 'node:readline'
import { Writable, type Transform } from 'node:stream'
import type { Terminal } from '../terminal/terminal.ts'
import { createPasteReader, tellPastes, unpasted } from './paste.ts'

/** Reads what somebody types, a message at a time. */
export interface LineReader {
  /**
   * The next message: a line, all lines of a paste, or lines that end with a backslash and the one behind them.
   * Undefined: there is no more.
   */
  next(prompt: string): Promise<string | undefined>
  /** Ends what `next` waits for. */
  close(): void
}

/** `onInterrupt`: Ctrl-C, with whether something was typed, which is then taken away. */
export function createLineReader(terminal: Terminal, onInterrupt: (typed: boolean) => void): LineReader {
  const isInteractive = terminal.input.isTTY === true && terminal.output.isTTY === true
  const lines: string[] = []
  let waiting: ((line: string | undefined) => void) | undefined
  let isOver = false
  let isAsked = false
  let isClosed = false
  const echo = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      // While an answer is written, what is typed shows at the next prompt.
      if (isAsked) terminal.output.write(chunk)
      done()
    },
  })
  const pasted = isInteractive ? pasteReader(terminal) : undefined
  const reader = createInterface({
    input: pasted ?? terminal.input,
    ...(isInteractive && { output: sized(echo, terminal), terminal: true }),
  })
  const give = (line: string | undefined): void => {
    const receive = waiting
    waiting = undefined
    if (receive) receive(line)
    else if (line !== undefined) lines.push(line)
  }
  reader.on('line', (line) => give(unpasted(line)))
  reader.on('close', () => {
    isOver = true
    give(undefined)
  })
  reader.on('SIGINT', () => {
    const typed = reader.line !== ''
    if (typed) reader.write(null, { ctrl: true, name: 'u' })
    onInterrupt(typed)
  })

  const line = (prompt: string): Promise<string | undefined> => {
    const known = lines.shift()
    if (known !== undefined || isOver) return Promise.resolve(known)
    isAsked = true
    if (isInteractive) {
      reader.setPrompt(prompt)
      reader.prompt(true)
    }
    return new Promise<string | undefined>((resolve) => (waiting = resolve)).finally(() => (isAsked = false))
  }
  return {
    next: async (prompt) => {
      let message = await line(prompt)
      while (message?.endsWith('\\')) {
        const more = await line('… ')
        message = `${message.slice(0, -1)}\n${more ?? ''}`
        if (more === undefined) break
      }
      return message
    },
    close: () => {
      if (isClosed) return
      isClosed = true
      reader.close()
      if (isInteractive) terminal.output.write(tellPastes.off)
      pasted?.destroy()
      terminal.input.unpipe()
      terminal.input.pause()
    },
  }
}

/** The keys of a terminal, with every paste as one line. */
function pasteReader({ input, output }: Terminal): Transform {
  output.write(tellPastes.on)
  const { setRawMode } = input as { readonly setRawMode?: (raw: boolean) => void }
  return Object.assign(input.pipe(createPasteReader()), {
    isTTY: true,
    setRawMode: (raw: boolean) => setRawMode?.call(input, raw),
  })
}

/** An output that knows how wide the terminal is: the line editor asks. */
function sized(output: Writable, terminal: Terminal): Writable {
  return Object.defineProperty(output, 'columns', { get: terminal.columns })
}
