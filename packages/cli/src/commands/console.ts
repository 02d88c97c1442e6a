import type { Command } from 'commander'
import { MinutebookError } from 'minutebook'
import { tellFailure } from '../failure.ts'
import { runningServer } from '../office.ts'
import { causeOf } from '../server-call.ts'
import type { Terminal } from '../terminal.ts'
import { configOf } from '../whereabouts.ts'
import { placedCommand, show, type Ended, type ReadingOptions } from './reading.ts'

export function consoleCommand(terminal: Terminal, ended: Ended): Command {
  return placedCommand('console', 'Print an address of the web console that logs you in, once')
    .option('--json', 'for programs: JSON')
    .action(async (options: ReadingOptions) => {
      try {
        const console = await linkOf(terminal, options)
        show(terminal, options, { console }, () => [console])
        ended(0)
      } catch (error) {
        ended(tellFailure(terminal, error, options.json === true))
      }
    })
}

async function linkOf(terminal: Terminal, options: ReadingOptions): Promise<string> {
  const server = await runningServer(terminal, await configOf(terminal, options))
  if (!server)
    throw new MinutebookError('no_server', 'No server runs on this data folder.', 'Start one with: minutebook serve')
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
      `The server answered ${response.status}.`,
      'Is it of the same version as this command?',
    )
  const { code } = (await response.json()) as { readonly code: string }
  return `${server.url}/console#login=${code}`
}
