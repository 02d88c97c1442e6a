import { type Config, printableLine, serve } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { tellFailure } from '../terminal/failure.ts'
import { runningServer } from '../connection/connection.ts'
import { causeOf } from '../connection/server.ts'
import { untilStopped, type Terminal } from '../terminal/terminal.ts'
import { homePath } from '../terminal/text.ts'
import { configOf, fileIn } from '../connection/location.ts'
import { type DefineCommand, fileCommand, localCommand, type RecordOptions, show } from './command.ts'

export const define: DefineCommand = (command, terminal, setExitCode) => {
  fileCommand(localCommand(command))
    .option('--json', 'print JSON')
    .action(async (options: RecordOptions) => {
      try {
        const config = await configOf(terminal, options)
        const file = fileIn(config)
        if (file !== undefined) await openConsole(terminal, config, file, options)
        else {
          const console = await linkOf(terminal, config)
          show(terminal, options, { console }, () => [console])
        }
        setExitCode(0)
      } catch (error) {
        setExitCode(tellFailure(terminal, error, options.json === true))
      }
    })
}

/** Starts the console over a file, which is only read, and keeps it until it is stopped. */
async function openConsole(terminal: Terminal, config: Config, file: string, options: RecordOptions): Promise<void> {
  const { paint } = terminal
  const own = {
    ...config,
    host: '127.0.0.1',
    port: 0,
    keys: [],
    mcp: [],
    tools: [],
    webhooks: [],
    telemetry: undefined,
  }
  const running = await serve(own, { file, log: 'silent' })
  const stopped = untilStopped(terminal, () => running.close({ patience: 1000 }))
  const console = running.consoleLink()
  show(terminal, options, { console }, () => [
    `${paint.green('●')} ${paint.bold(`The console reads ${printableLine(homePath(file))}`)}, and writes nothing to it:`,
    '',
    `  ${paint.cyan(console)} ${paint.dim('(logs you in, once)')}`,
    '',
    `  ${paint.dim('New entries appear while the program of the file runs. To stop: Ctrl-C.')}`,
  ])
  await stopped
}

async function linkOf(terminal: Terminal, config: Config): Promise<string> {
  const server = await runningServer(terminal, config)
  if (!server)
    throw new MinutebookError(
      'no_server',
      'No server is running on this data folder.',
      `Start one with: ${terminal.command('serve')}. For the console over a file: minutebook console chat.db`,
    )
  const response = await fetch(`${server.url}/console/link`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}` },
    redirect: 'error',
  }).catch((error: unknown) => {
    throw new MinutebookError(
      'server_gone',
      `The server at ${server.url} does not answer (${causeOf(error)}).`,
      `Try again, or start it with: ${terminal.command('serve')}`,
    )
  })
  if (!response.ok)
    throw new MinutebookError(
      'server_failed',
      `The server returned status ${response.status}.`,
      'Check that it has the same version as this command.',
    )
  const { code } = (await response.json()) as { readonly code: string }
  return `${server.url}/console#login=${code}`
}
