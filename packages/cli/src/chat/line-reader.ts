import { createInterface } from 'node:readline'
import { Writable, type Transform } from 'node:stream'
import type { Terminal } from '../terminal/terminal.ts'
import { bracketedPaste, createPasteReader, unpasted } from './paste.ts'

/** Reads what a person types, one message at a time. */
export interface LineReader {
  /**
   * The next message: a line, all lines of a paste, or lines that end with a backslash and the line after them.
   * Undefined: the input has ended.
   */
  next(prompt: string): Promise<string | undefined>
  /** Ends the input, also for a `next` that waits. */
  close(): void
}

/** `onInterrupt` is called at Ctrl-C, with whether something was typed. What was typed is then cleared. */
export function createLineReader(terminal: Terminal, onInterrupt: (typed: boolean) => void): LineReader {
  const isInteractive = terminal.input.isTTY === true && terminal.output.isTTY === true
  const lines: string[] = []
  let waiting: ((line: string | undefined) => void) | undefined
  let isOver = false
  let isAsked = false
  let isClosed = false
  const echo = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      // While an answer is printed, typed text is held back until the next prompt.
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
  const clear = (): void => {
    reader.write(null, { ctrl: true, name: 'u' })
    // A terminal that cannot move its cursor (TERM=dumb) has no such key.
    Object.assign(reader, { line: '', cursor: 0 })
  }
  reader.on('SIGINT', () => {
    const typed = reader.line !== ''
    if (typed) clear()
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
      if (isInteractive) terminal.output.write(bracketedPaste.off)
      pasted?.destroy()
      terminal.input.unpipe()
      terminal.input.pause()
    },
  }
}

/** The input of a terminal, with every paste as one line. */
function pasteReader({ input, output }: Terminal): Transform {
  output.write(bracketedPaste.on)
  const { setRawMode } = input as { readonly setRawMode?: (raw: boolean) => void }
  return Object.assign(input.pipe(createPasteReader()), {
    isTTY: true,
    setRawMode: (raw: boolean) => setRawMode?.call(input, raw),
  })
}

/** An output with the width of the terminal, which the line editor needs. */
function sized(output: Writable, terminal: Terminal): Writable {
  return Object.defineProperty(output, 'columns', { get: terminal.columns })
}
