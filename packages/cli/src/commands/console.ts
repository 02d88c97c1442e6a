import { MinutebookError } from 'minutebook'
import { tellFailure } from '../terminal/failure.ts'
import { runningServer } from '../connection/connection.ts'
import { causeOf } from '../connection/server.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { configOf } from '../connection/location.ts'
import { type DefineCommand, localCommand, type RecordOptions, show } from './command.ts'

export const define: DefineCommand = (command, terminal, setExitCode) => {
  localCommand(command)
    .option('--json', 'print JSON')
    .action(async (options: RecordOptions) => {
      try {
        const console = await linkOf(terminal, options)
        show(terminal, options, { console }, () => [console])
        setExitCode(0)
      } catch (error) {
        setExitCode(tellFailure(terminal, error, options.json === true))
      }
    })
}

async function linkOf(terminal: Terminal, options: RecordOptions): Promise<string> {
  const server = await runningServer(terminal, await configOf(terminal, options))
  if (!server)
    throw new MinutebookError(
      'no_server',
      'No server is running on this data folder.',
      'Start one with: minutebook serve',
    )
  const response = await fetch(`${server.url}/console/link`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}` },
    redirect: 'error',
  }).catch((error: unknown) => {
    throw new MinutebookError(
      'server_gone',
      `The server at ${server.url} does not answer (${causeOf(error)}).`,
      'Try again, or start it with: minutebook serve',
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
