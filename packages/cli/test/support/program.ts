import { Command } from 'commander'
import { PassThrough } from 'node:stream'
import { commands } from '../../src/commands/commands.ts'
import { createTerminal } from '../../src/terminal/terminal.ts'
import { isFileName } from '../../src/terminal/text.ts'

export type { Command }

/** The `minutebook` command with everything that its commands define, which does nothing. */
export async function wholeProgram(): Promise<Command> {
  const stream = (): PassThrough => new PassThrough()
  const terminal = createTerminal({
    input: stream(),
    output: stream(),
    errors: stream(),
    environment: {},
    folder: '/',
  })
  const program = new Command('minutebook').version('0', '-v, --version')
  for (const { name, description, load } of commands)
    (await load()).define(program.command(name).description(description), terminal, () => undefined)
  return program
}

/** Returns what the command says of these words if it does not accept them; undefined if it does. */
export async function refusalOf(words: readonly string[]): Promise<string | undefined> {
  const program = await wholeProgram()
  settle(program)
  try {
    await program.parseAsync(withoutFile(words), { from: 'user' })
    return undefined
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string }
    return code === 'commander.helpDisplayed' || code === 'commander.version' ? undefined : message
  }
}

function settle(command: Command): void {
  const silent = (): void => undefined
  command.exitOverride().configureOutput({ writeErr: silent, writeOut: silent })
  if (command.commands.length === 0) command.action(silent)
  for (const below of command.commands) settle(below)
}

/** A file can follow the name of a command that reads. */
function withoutFile([name = '', file = '', ...rest]: readonly string[]): readonly string[] {
  const reads = commands.some((command) => command.name === name && command.reads)
  return reads && isFileName(file) ? [name, ...rest] : [name, ...(file === '' ? [] : [file]), ...rest]
}
