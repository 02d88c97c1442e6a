import { PassThrough } from 'node:stream'
import { run } from '../../src/program.ts'
import { createTerminal, type Terminal } from '../../src/terminal/terminal.ts'

export interface TestTerminal {
  readonly terminal: Terminal
  readonly input: PassThrough
  readonly output: () => string
  readonly errors: () => string
}

export interface TestTerminalOptions {
  /** Whether it says that it is a terminal. */
  readonly tty?: boolean
  /** Default: 80. */
  readonly columns?: number
  readonly environment?: Readonly<Record<string, string>>
  /** Where the command is run. */
  readonly folder?: string
}

/** A terminal that remembers what was written to it. */
export function testTerminal({
  tty = false,
  columns = 80,
  environment = {},
  folder = process.cwd(),
}: TestTerminalOptions = {}): TestTerminal {
  const stream = (): PassThrough =>
    Object.assign(new PassThrough(), { isTTY: tty, columns, setRawMode: () => undefined })
  const [input, output, errors] = [stream(), stream(), stream()]
  const written = (from: PassThrough): (() => string) => {
    let text = ''
    from.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    return () => text
  }
  return {
    terminal: createTerminal({ input, output, errors, environment, folder }),
    input,
    output: written(output),
    errors: written(errors),
  }
}

export interface Ran {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** Runs a command in this process, on a data folder. */
export async function runCommand(
  args: readonly string[],
  data: string,
  options: TestTerminalOptions = {},
): Promise<Ran> {
  const { terminal, output, errors } = testTerminal({
    ...options,
    environment: { MINUTEBOOK_DATA: data, ...options.environment },
  })
  const code = await run(args, terminal)
  await new Promise((resolve) => setImmediate(resolve))
  return { code, output: output(), errors: errors() }
}
