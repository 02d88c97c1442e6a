import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { chatCommand } from './commands/chat.ts'
import { compareCommand } from './commands/compare.ts'
import { completionCommand } from './commands/completion.ts'
import { consoleCommand } from './commands/console.ts'
import { doctorCommand } from './commands/doctor.ts'
import { dumpCommand } from './commands/dump.ts'
import { eraseCommand } from './commands/erase.ts'
import { explainCommand } from './commands/explain.ts'
import { exportCommand } from './commands/export.ts'
import { forkCommand } from './commands/fork.ts'
import { importCommand } from './commands/import.ts'
import { keysCommand } from './commands/keys.ts'
import { migrateCommand } from './commands/migrate.ts'
import { replayCommand } from './commands/replay.ts'
import { runCommand } from './commands/run.ts'
import { runsCommand } from './commands/runs.ts'
import { searchCommand } from './commands/search.ts'
import { serveCommand } from './commands/serve.ts'
import { showCommand } from './commands/show.ts'
import { stateCommand } from './commands/state.ts'
import { threadsCommand } from './commands/threads.ts'
import { verifyCommand } from './commands/verify.ts'
import type { ExitCode } from './failure.ts'
import type { Terminal } from './terminal.ts'

/**
 * Runs the command that the arguments name, to its end.
 *
 * @example
 * process.exitCode = await run(process.argv.slice(2), processTerminal())
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = 0
  const ended = (how: ExitCode): void => void (code = how)
  const program = new Command('minutebook')
    .description(
      'Keeps the record of your chats with language models, fits them into the window, and shows what the model saw.',
    )
    .version(versionOf(), '-v, --version')
    .showHelpAfterError('(see: minutebook --help)')
    .showSuggestionAfterError()
    .addHelpText('after', firstSteps)
  for (const command of commands) program.addCommand(command(terminal, ended))
  settle(program, terminal)
  try {
    if (args.length === 0) program.help()
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    // Help and version are no failures; all else that commander objects to is misuse.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
}

const commands = [
  serveCommand,
  consoleCommand,
  chatCommand,
  threadsCommand,
  showCommand,
  searchCommand,
  stateCommand,
  dumpCommand,
  explainCommand,
  replayCommand,
  forkCommand,
  exportCommand,
  importCommand,
  eraseCommand,
  verifyCommand,
  runCommand,
  runsCommand,
  compareCommand,
  doctorCommand,
  keysCommand,
  migrateCommand,
  completionCommand,
]

const firstSteps = `
First steps:
  minutebook serve            start the gateway, and change the address in your app
  minutebook chat             or chat here
  minutebook console          look at it all in a browser
  minutebook explain          see why the model saw what it saw
  minutebook run stand.yaml   run an experiment with several participants
  minutebook doctor           see whether all is well`

function settle(command: Command, terminal: Terminal): void {
  const { output, errors, columns, paintErrors } = terminal
  command.exitOverride().configureOutput({
    writeOut: (text) => void output.write(text),
    writeErr: (text) => void errors.write(text),
    outputError: (text, write) => write(text.replace(/^error:/, paintErrors.red('✗'))),
    getOutHelpWidth: columns,
    getErrHelpWidth: columns,
  })
  for (const below of command.commands) settle(below, terminal)
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return version
}
