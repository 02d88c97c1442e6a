import { InvalidArgumentError, Option, type Command } from 'commander'
import { MinutebookError } from 'minutebook'
import type { CallChoice } from 'minutebook/inspect'
import { connect, type Connection } from '../connection/connection.ts'
import type { Location } from '../connection/location.ts'
import { safeJson, tellFailure, type ExitCode } from '../terminal/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Adds arguments, options and the action to a command that has its name and description. */
export type DefineCommand = (command: Command, terminal: Terminal, setExitCode: SetExitCode) => void

/** Reports how a command ended. Another number than those of `ExitCode` is that of a program that it ran. */
export type SetExitCode = (code: number) => void

/** The options of every command that reads or changes the record. */
export interface RecordOptions extends Location {
  readonly json?: boolean | undefined
}

/** Adds the options that say where the record is on this machine. */
export function localCommand(command: Command): Command {
  return command
    .option('--data <path>', 'the data folder, or a file that is only read (default: the folder of your user)')
    .option('--database <url>', 'a Postgres database instead of the data folder')
    .option('--config <file>', 'the configuration file (default: minutebook.yaml)')
    .option('--no-config', 'ignore the minutebook.yaml in this folder')
}

/** Adds the options of a command that can also work at a server elsewhere. */
export function serverCommand(command: Command): Command {
  return localCommand(command)
    .option('--server <url>', 'use the record of this server (or set MINUTEBOOK_SERVER)')
    .option(
      '--key <key>',
      'your API key; better set MINUTEBOOK_KEY, because others may see it in the list of processes',
    )
}

/** Adds the options of a command that prints a result. */
export function resultCommand(command: Command): Command {
  return serverCommand(command).option('--json', 'print JSON')
}

/** Adds the options of a command that reads or changes the threads of a tenant. */
export function recordCommand(command: Command): Command {
  return resultCommand(command).option(
    '--tenant <name>',
    'whose threads, if this command opens the store itself; at a server, the key decides (default: default)',
  )
}

/** Adds the options of a command that only reads the record. A file can follow the name of the command. */
export function readingCommand(command: Command): Command {
  return fileCommand(recordCommand(command))
}

/** Adds the options and the argument of a command that reads one thread. */
export function threadCommand(command: Command): Command {
  return readingCommand(command).argument('[thread]', 'thread id, or the beginning of it (default: the newest thread)')
}

/** Says in the help of a command that a file can follow its name. */
export function fileCommand(command: Command): Command {
  return command
    .configureHelp({
      commandUsage: (asked) => `minutebook ${asked.name()} [file] ${asked.usage()}`,
    })
    .addHelpText(
      'after',
      `
The file is one that the library wrote. It is only read, also while its program writes:
  minutebook ${command.name()} chat.db …
If its name does not end with .db, .sqlite or .sqlite3: --data <file>`,
    )
}

/** The options that choose a model call. */
export interface CallOptions extends RecordOptions {
  readonly turn?: string | number
  readonly receipt?: string
}

/** Adds the options of a command about one model call. */
export function callCommand(command: Command): Command {
  return threadCommand(command)
    .argument(
      '[call]',
      'a turn, as a number from 1; 3.2 for the second call of the third turn; or the id of a receipt (default: the last model call)',
    )
    .option(
      '--turn <n>',
      'the last model call of this turn: a number from 1, or the id of its question; or one call of it, such as 3.2',
      turnOf,
    )
    .option('--receipt <id>', 'the model call with this receipt')
}

/** The call that the argument names, or the options. */
export function choiceOf(call: string | undefined, { turn, receipt }: CallOptions): CallChoice {
  if (call === undefined) return { turn, receipt }
  if (turn !== undefined || receipt !== undefined)
    throw new MinutebookError(
      'invalid_call',
      'The call is named twice.',
      'Pass either the argument, or --turn or --receipt.',
    )
  return /^[0-9]{1,15}$/.test(call) || isCallName(call) ? { turn: turnOf(call) } : { receipt: call }
}

/** True for a call of a turn, such as `3.2`. */
function isCallName(text: string): boolean {
  return /^[0-9]{1,9}\.[0-9]{1,9}$/.test(text)
}

function turnOf(text: string): string | number {
  if (/^[0-9a-f]{64}$/.test(text) || isCallName(text)) return text
  const turn = Number(text)
  if (!Number.isSafeInteger(turn) || turn < 1)
    throw new InvalidArgumentError(
      'A turn is a number of at least 1, or the id of a question; a call of it is such as 3.2.',
    )
  return turn
}

/** Connects, does the work, and closes the connection. Reports a failure and sets the exit code. */
export async function withConnection(
  terminal: Terminal,
  options: RecordOptions,
  setExitCode: SetExitCode,
  work: (connection: Connection) => Promise<ExitCode | void>,
  /** What is done if the record cannot be opened. */
  without?: (error: MinutebookError) => Promise<ExitCode>,
): Promise<void> {
  let connection: Connection | undefined
  try {
    connection = await connect(terminal, options).catch(async (error: unknown) => {
      if (!without || !MinutebookError.isInstance(error) || !isAboutStore.test(error.code)) throw error
      setExitCode(await without(error))
      return undefined
    })
    if (connection) setExitCode((await work(connection)) ?? 0)
  } catch (error) {
    setExitCode(tellFailure(terminal, error, options.json === true))
  } finally {
    await connection?.close()
  }
}

const isAboutStore = /^(?:store_|not_a_store$|no_data_folder$)/

/** Prints the lines, or with `--json` the value. */
export function show(
  terminal: Terminal,
  { json }: RecordOptions,
  value: unknown,
  lines: () => readonly string[],
): void {
  if (json === true) terminal.print(safeJson(value, terminal.output.isTTY === true ? 2 : 0))
  else for (const line of lines()) terminal.print(line)
}

/** Reads an argument that is a time, such as 30m, 24h or 7d. Returns milliseconds. */
export function spanOf(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  if (count === undefined)
    throw new InvalidArgumentError('A time is a number of minutes, hours or days, such as 30m, 24h or 7d.')
  return Number(count) * (units[unit] ?? 0)
}

/** The option that says how far back a command looks. */
export function lastOption(): Option {
  return new Option('--last <time>', 'how far back: minutes, hours or days, such as 30m, 24h or 7d').argParser(spanOf)
}

export const hourLength = 3_600_000
const units: Readonly<Record<string, number>> = { m: 60_000, h: hourLength, d: 24 * hourLength }

/** Reads an argument that must be a whole number of at least 1. */
export function countOf(name: string): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (!Number.isSafeInteger(count) || count < 1)
      throw new InvalidArgumentError(`${name} must be a whole number of at least 1.`)
    return count
  }
}
