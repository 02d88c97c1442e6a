import type { Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import { commandText } from './text.ts'

/** Where a command reads and writes. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable & { readonly isTTY?: boolean }
  readonly errors: Writable & { readonly isTTY?: boolean }
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The working directory. */
  readonly folder: string
  /** The number of columns of a line that Minutebook lays out itself, such as a bar. */
  readonly columns: () => number
  /**
   * The number of columns after which what was recorded is cut or broken. Without limit if the output is not a terminal:
   * the program that reads a pipe gets all of it.
   */
  readonly textColumns: () => number
  readonly paint: Paint
  /** The same for what goes to `errors`. */
  readonly paintErrors: Paint
  /** Prints a line of the result. */
  readonly print: (line?: string) => void
  /** Prints a line on `errors`: progress, hints, failures. */
  readonly remark: (line: string) => void
  /** A command to type, as text: with the options that led this one to the record. */
  readonly command: (words: string) => string
}

type Streams = Pick<Terminal, 'input' | 'output' | 'errors' | 'environment' | 'folder'>

/** Makes a terminal of the streams of a process. */
export function createTerminal({ input, output, errors, environment, folder }: Streams): Terminal {
  return {
    input,
    output,
    errors,
    environment,
    folder,
    columns: () => columnsOf(output, environment),
    textColumns: () => (output.isTTY === true ? columnsOf(output, environment) : Infinity),
    paint: createPaint(isColoured(output, environment)),
    paintErrors: createPaint(isColoured(errors, environment)),
    print: (line = '') => void output.write(`${line}\n`),
    remark: (line) => void errors.write(`${line}\n`),
    command: (words) => commandText(words, {}),
  }
}

export function processTerminal(): Terminal {
  return createTerminal({
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    environment: process.env,
    folder: process.cwd(),
  })
}

function isColoured(
  { isTTY }: { readonly isTTY?: boolean },
  { NO_COLOR: none = '', TERM: kind }: Terminal['environment'],
): boolean {
  return isTTY === true && none === '' && kind !== 'dumb'
}

function columnsOf(output: object, { COLUMNS: given }: Terminal['environment']): number {
  const { columns } = output as { readonly columns?: number }
  const wanted = columns ?? Number(given)
  return Number.isInteger(wanted) && wanted > 0 ? Math.max(40, wanted) : 80
}

/**
 * Puts colours on text, or leaves it as it is. Only colours that are readable on a light and on a dark background: the
 * terminal's own blue is not on black. Its yellow is not on white, so it is for single marks next to text that says the
 * same.
 */
export interface Paint {
  readonly plain: (text: string) => string
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly magenta: (text: string) => string
  readonly cyan: (text: string) => string
  /** For words that were looked for. */
  readonly inverse: (text: string) => string
  /** What follows is one of the 256 colours of a terminal: the hue is the same on each, and readable on both backgrounds. */
  readonly blue: (text: string) => string
  readonly amber: (text: string) => string
  readonly jade: (text: string) => string
  readonly purple: (text: string) => string
  readonly mauve: (text: string) => string
  readonly rose: (text: string) => string
  readonly grey: (text: string) => string
  readonly slate: (text: string) => string
  readonly olive: (text: string) => string
  readonly teal: (text: string) => string
}

export function createPaint(coloured: boolean): Paint {
  const style = (format: Extract<keyof Paint, Parameters<typeof styleText>[0]>) => (text: string) =>
    coloured && text !== '' ? styleText(format, text, { validateStream: false }) : text
  const hue = (number: number) => (text: string) =>
    coloured && text !== '' ? `\u001b[38;5;${number}m${text}\u001b[39m` : text
  return {
    plain: (text) => text,
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    magenta: style('magenta'),
    cyan: style('cyan'),
    inverse: style('inverse'),
    blue: hue(68),
    amber: hue(136),
    jade: hue(29),
    purple: hue(134),
    mauve: hue(97),
    rose: hue(168),
    grey: hue(243),
    slate: hue(60),
    olive: hue(100),
    teal: hue(30),
  }
}

/**
 * Waits for Ctrl-C or another signal to end, then closes. A second Ctrl-C exits without waiting for answers. It is to be
 * called before anybody is told that there is something to stop.
 */
export async function untilStopped(terminal: Terminal, close: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve())
  })
  const atOnce = (): never => process.exit(130)
  for (const signal of signals) process.once(signal, atOnce)
  const notice = setTimeout(
    () => terminal.remark('Waiting for unfinished answers. Press Ctrl-C again to exit at once.'),
    300,
  )
  await close()
  clearTimeout(notice)
  for (const signal of signals) process.off(signal, atOnce)
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
