import type { Command } from 'commander'
import { storeFile, upstreamsOf, type Config, type Running } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { tellFailure } from '../failure.ts'
import { requestLog } from '../request-log.ts'
import { startGateway } from '../start-gateway.ts'
import { runningServer } from '../office.ts'
import { safeJson } from '../safe-json.ts'
import type { Terminal } from '../terminal.ts'
import { lookAt, publicUrl } from '../upstream-look.ts'
import { servingLines } from '../views/serving.ts'
import { untilStopped } from '../until-stopped.ts'
import { configOf } from '../whereabouts.ts'
import { placedCommand, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly host?: string
  readonly port?: string
  readonly upstream?: readonly string[]
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
}

export function serveCommand(terminal: Terminal, ended: Ended): Command {
  return placedCommand('serve', 'Start the gateway: change the address in your app, keep everything')
    .option('--host <address>', 'where to listen (127.0.0.1); anything but this machine needs keys')
    .option('--port <number>', 'the port (11435)')
    .option('--upstream <url...>', 'where the models are (http://127.0.0.1:11434)')
    .option('--allow-host <name...>', 'other names under which clients reach this server, such as host.docker.internal')
    .option('--allow-origin <url...>', 'web pages that may speak to this server')
    .option('--json', 'for programs: one line of JSON when it listens')
    .action(async (options: Options) => {
      try {
        const config = await servedConfig(terminal, options)
        const running = await started(terminal, config)
        await announce(terminal, config, running, options)
        await untilStopped(terminal, () => running.close())
        ended(0)
      } catch (error) {
        ended(tellFailure(terminal, error, options.json === true))
      }
    })
}

function servedConfig(
  terminal: Terminal,
  { host, port, upstream, allowHost, allowOrigin, ...where }: Options,
): Promise<Config> {
  const upstreams = upstream?.map((url) => ({ url }))
  return configOf(terminal, where, {
    host,
    port: port === undefined ? undefined : Number(port),
    upstreams,
    allowHosts: allowHost,
    allowOrigins: allowOrigin,
  })
}

async function started(terminal: Terminal, config: Config): Promise<Running> {
  const other = config.database === undefined ? await runningServer(terminal, config) : undefined
  if (other) {
    throw new MinutebookError(
      'already_running',
      `Minutebook is running already on this data folder, at ${other.url} (process ${other.pid}).`,
      'Use it there, or stop it first; for a second one give another --data and --port.',
    )
  }
  return startGateway(config, requestLog(terminal))
}

async function announce(
  terminal: Terminal,
  config: Config,
  { url, consoleLink }: Running,
  { json }: Options,
): Promise<void> {
  const record =
    config.database === undefined ? storeFile(config.data, 'default') : `Postgres at ${new URL(config.database).host}`
  if (json === true)
    return terminal.print(
      safeJson({
        url,
        console: `${url}/console`,
        record,
        upstreams: config.upstreams.map((upstream) => publicUrl(upstream.url)),
      }),
    )
  const upstreams = await Promise.all(upstreamsOf(config.upstreams).all.map((upstream) => lookAt(upstream, 2000)))
  // What is no terminal is a log as a rule, and whoever reads the log would be let in as the operator.
  const login = terminal.output.isTTY === true ? consoleLink() : undefined
  for (const line of servingLines({ url, login, record, upstreams }, terminal)) terminal.print(line)
}
