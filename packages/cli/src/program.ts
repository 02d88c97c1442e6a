import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import type { SetExitCode } from './commands/command.ts'
import { commands } from './commands/commands.ts'
import type { Terminal } from './terminal/terminal.ts'
import { commandText, isFileName, shellWord, type RecordFlags } from './terminal/text.ts'

/**
 * Runs the command that the arguments name, to its end.
 *
 * @example
 * process.exitCode = await run(process.argv.slice(2), processTerminal())
 */
export async function run(args: readonly string[], given: Terminal): Promise<number> {
  let code = 0
  let flags: RecordFlags = {}
  const terminal: Terminal = { ...given, command: (words) => hint(words, flags) }
  const setExitCode: SetExitCode = (how) => void (code = how)
  const program = new Command('minutebook')
    .description('Keep long LLM conversations inside the context window, and see exactly what the model saw.')
    .version(versionOf(), '-v, --version')
    .showHelpAfterError('(see: minutebook --help)')
    .showSuggestionAfterError()
    .addHelpText('after', firstSteps)
    .hook('preAction', (_, action) => void (flags = action.optsWithGlobals<RecordFlags>()))
  const called = calledBy(args)
  for (const { name, description, group, example, load } of commands) {
    const command = program.command(name).description(description).helpGroup(`${group}:`)
    command.showHelpAfterError(`(see: minutebook ${name} --help)`)
    command.addHelpText('after', `\nExample:\n  minutebook ${example}`)
    if (called === name || called === 'completion') (await load()).define(command, terminal, setExitCode)
  }
  settle(program, terminal, canRead(called) && !isFileName(args[1] ?? '') ? args.find(isFileName) : undefined)
  try {
    if (args.length === 0) program.help()
    await program.parseAsync(canRead(called) ? withFile(args) : args, { from: 'user' })
    return code
  } catch (error) {
    // Help and version are not failures. Any other error of commander means wrong use.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
}

/** A command to type, with those flags of this one that it takes. */
function hint(words: string, flags: RecordFlags): string {
  const [name] = words.split(' ')
  const ofTenant = commands.some((command) => command.name === name && command.ofTenant)
  return commandText(words, ofTenant ? flags : { ...flags, tenant: undefined }, canRead(name))
}

/** Whether a file can follow the name of a command. */
function canRead(name: string | undefined): boolean {
  return commands.some((command) => command.name === name && command.reads)
}

/** The name of the command that the arguments call, or whose help they ask for. `completion` needs all commands. */
function calledBy(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith('-'))
  return first === 'help' ? second : first
}

/** A file that follows the name of a command is its --data, if there is no other. */
function withFile(args: readonly string[]): readonly string[] {
  const [name = '', file = '', ...rest] = args
  const hasData = rest.some((arg) => arg === '--data' || arg.startsWith('--data='))
  return isFileName(file) && !hasData ? [name, '--data', file, ...rest] : args
}

const firstSteps = `
First steps:
  minutebook serve            start the gateway, and set its URL in your app
  minutebook chat             or chat here
  minutebook wrap codex       or start a coding agent that uses it
  minutebook console          open the record in a browser
  minutebook explain          see why the model saw what it saw
  minutebook explain chat.db  the same for a file of the library, also while its program runs
  minutebook run stand.yaml   run an experiment with several participants
  minutebook doctor           check that everything works`

/** `file`: an argument that may be meant as the file of the record, but does not follow the name of the command. */
function settle(command: Command, terminal: Terminal, file: string | undefined): void {
  const { output, errors, columns, paintErrors } = terminal
  command.exitOverride().configureOutput({
    writeOut: (text) => void output.write(text),
    writeErr: (text) => void errors.write(text),
    outputError: (text, write) => {
      write(text.replace(/^error:/, paintErrors.red('✗')))
      if (file !== undefined && text.includes('too many arguments'))
        write(`A file follows the name of the command: minutebook ${command.name()} ${shellWord(file)}\n`)
    },
    getOutHelpWidth: columns,
    getErrHelpWidth: columns,
  })
  for (const below of command.commands) settle(below, terminal, file)
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return version
}
