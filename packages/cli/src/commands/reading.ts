import { Command, InvalidArgumentError } from 'commander'
import { tellFailure, type ExitCode } from '../failure.ts'
import { openOffice, type Office } from '../office.ts'
import { safeJson } from '../safe-json.ts'
import type { Terminal } from '../terminal.ts'
import type { Whereabouts } from '../whereabouts.ts'

/** What every command that reads the record can be told. */
export interface ReadingOptions extends Whereabouts {
  readonly json?: boolean | undefined
}

/** Reports how a command ended. */
export type Ended = (code: ExitCode) => void

/** A command with the options that say where the record is. */
export function placedCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--data <folder>', 'the folder that the record is kept in')
    .option('--database <url>', 'a Postgres database in place of that folder')
    .option('--config <file>', 'the configuration file (minutebook.yaml)')
    .option('--no-config', 'leave out the minutebook.yaml of this folder')
}

/** A command that may also be run at a server elsewhere. */
export function officeCommand(name: string, description: string): Command {
  return placedCommand(name, description)
    .option('--server <url>', 'the server that has the record (or MINUTEBOOK_SERVER)')
    .option('--key <key>', 'your key there; others may see it in the list of processes, so better set MINUTEBOOK_KEY')
}

/** A command that reads or changes the record. */
export function readingCommand(name: string, description: string): Command {
  return officeCommand(name, description).option('--json', 'for programs: JSON')
}

/** Reads at the office, and closes it whatever happens. */
export async function reading(
  terminal: Terminal,
  options: ReadingOptions,
  ended: Ended,
  work: (office: Office) => Promise<ExitCode | void>,
): Promise<void> {
  let office: Office | undefined
  try {
    office = await openOffice(terminal, options)
    ended((await work(office)) ?? 0)
  } catch (error) {
    ended(tellFailure(terminal, error, options.json === true))
  } finally {
    await office?.close()
  }
}

/** Prints the lines, or with `--json` the value. */
export function show(
  terminal: Terminal,
  { json }: ReadingOptions,
  value: unknown,
  lines: () => readonly string[],
): void {
  if (json === true) terminal.print(safeJson(value, terminal.output.isTTY === true ? 2 : 0))
  else for (const line of lines()) terminal.print(line)
}

/** A whole number of at least 1, as an argument of a command. */
export function countOf(name: string): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (!Number.isSafeInteger(count) || count < 1)
      throw new InvalidArgumentError(`${name} is a whole number from 1 on.`)
    return count
  }
}
