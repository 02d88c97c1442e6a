import { type Config, printableLine, type Running, storeFile, upstreamsOf } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { runningServer } from '../connection/connection.ts'
import { startGateway } from '../connection/gateway.ts'
import { remoteKeys } from '../connection/remote-archive.ts'
import { configOf, fileIn, writesNoFileError } from '../connection/location.ts'
import { type Check, keyChecks } from '../doctor/check.ts'
import { lookAt, publicUrl, unlistedBy, type UpstreamLook } from '../doctor/upstream-look.ts'
import { safeJson, tellFailure } from '../terminal/failure.ts'
import { untilStopped, type Terminal } from '../terminal/terminal.ts'
import { counted, databaseHost, figure, homePath, padded } from '../terminal/text.ts'
import { type DefineCommand, localCommand, type RecordOptions } from './command.ts'

interface Options extends RecordOptions {
  readonly host?: string
  readonly port?: string
  readonly upstream?: readonly string[]
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  localCommand(command)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1); any address but this machine needs keys')
    .option('--port <number>', 'port to listen on (default: 11435)')
    .option('--upstream <url...>', 'URL of the model server (default: http://127.0.0.1:11434)')
    .option(
      '--allow-host <name...>',
      'other host names that clients use for this server, for example host.docker.internal',
    )
    .option('--allow-origin <url...>', 'origins of web pages that may call this server')
    .option('--json', 'print one line of JSON when the server is listening')
    .action(async (options: Options) => {
      try {
        const config = await servedConfig(terminal, options)
        const running = await started(terminal, config)
        const stopped = untilStopped(terminal, () => running.close())
        await announce(terminal, config, running, options)
        await stopped
        setExitCode(0)
      } catch (error) {
        setExitCode(tellFailure(terminal, error, options.json === true))
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
  const file = fileIn(config)
  if (file !== undefined) throw writesNoFileError(file)
  const other = config.database === undefined ? await runningServer(terminal, config) : undefined
  if (other) {
    throw new MinutebookError(
      'already_running',
      `Minutebook is already running on this data folder, at ${other.url} (process ${other.pid}).`,
      'Use that server, or stop it first. For a second one, pass another --data and --port.',
    )
  }
  return startGateway(config, requestLog(terminal))
}

async function announce(
  terminal: Terminal,
  config: Config,
  { url, token, consoleLink }: Running,
  { json }: Options,
): Promise<void> {
  const record =
    config.database === undefined ? storeFile(config.data, 'default') : `Postgres at ${databaseHost(config.database)}`
  if (json === true)
    return terminal.print(
      safeJson({
        url,
        console: `${url}/console`,
        record,
        upstreams: config.upstreams.map((upstream) => publicUrl(upstream.url)),
      }),
    )
  const upstreams = await Promise.all(upstreamsOf(config.upstreams).all.map((upstream) => lookAt(upstream, 5000)))
  const keys = keyChecks(
    await remoteKeys({ url, token })
      .list()
      .catch(() => []),
  )
  // Output that is not a terminal is usually a log, and anyone who reads it could log in as the operator.
  const login = terminal.output.isTTY === true ? consoleLink() : undefined
  const others = isForAll(config.host) ? otherMachines(config, url) : undefined
  for (const line of servingLines({ url, others, login, record, keys, upstreams }, terminal)) terminal.print(line)
}

/** What `serve` prints about a server that has just started. */
interface ServerInfo {
  readonly url: string
  /** What other machines can call; undefined if only this machine is listened to. */
  readonly others: string | undefined
  /** The console, with a code that logs the operator in once; undefined if others may read what is printed. */
  readonly login: string | undefined
  /** Where the record is kept. */
  readonly record: string
  /** Nothing if clients need no key. */
  readonly keys: readonly Check[]
  readonly upstreams: readonly UpstreamLook[]
}

/** Whether a server with this address listens on all addresses of its machine. */
function isForAll(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** A request from elsewhere is refused unless the host that it names is allowed: a web page could name any. */
function otherMachines({ allowHosts }: Config, url: string): string {
  const { port } = new URL(url)
  return allowHosts.length === 0
    ? 'are refused until you name the host or address that they call: --allow-host <name>'
    : allowHosts.map((host) => `http://${host}:${port}`).join(', ')
}

function servingLines(
  { url, others, login, record, keys, upstreams }: ServerInfo,
  { paint, command }: Terminal,
): string[] {
  const line = (name: string, text: string): string => `  ${paint.dim(padded(name, 19))}${text}`
  return [
    `${paint.green('●')} ${paint.bold('Minutebook is listening.')} Set the base URL of your app to:`,
    '',
    line('Ollama clients', paint.cyan(url)),
    line('OpenAI clients', paint.cyan(`${url}/v1`)),
    line('Anthropic clients', paint.cyan(url)),
    ...(others === undefined ? [] : [line('Other machines', others)]),
    line(
      'Console',
      login === undefined
        ? `${paint.cyan(`${url}/console`)} ${paint.dim(`(for a link that logs you in: ${command('console')})`)}`
        : `${paint.cyan(login)} ${paint.dim('(logs you in, once)')}`,
    ),
    line('Record', printableLine(homePath(record))),
    ...keys.map(({ state, says }) => line('Keys', state === 'ok' ? says : paint.red(says))),
    ...upstreams.map((look, index) => line(index === 0 ? 'Upstream' : '', upstreamText(look, paint))),
    '',
    `  ${paint.dim('What did the model see? In another terminal:')} ${command('explain')}${paint.dim('; or in the console. To stop: Ctrl-C.')}`,
  ]
}

function upstreamText({ url, kind, version, models, unlisted, why }: UpstreamLook, paint: Terminal['paint']): string {
  if (unlisted !== undefined) {
    const { says, fine } = unlistedBy(unlisted)
    return `${url} ${paint.yellow(says)}; ${fine}`
  }
  if (kind === undefined)
    return `${url} ${paint.red(`does not answer yet (${why ?? 'no answer'})`)}; you can start it at any time`
  const name = `${kind}${version ? ` ${printableLine(version)}` : ''}`
  return `${url} · ${name} · ${models.length === 0 ? paint.red('no models yet') : counted(models.length, 'model')}`
}

/** A line of the server's log. */
interface Line {
  readonly msg?: string
  readonly code?: string
  readonly method?: string
  readonly route?: string
  readonly status?: number
  /** How a turn ended that the server ran by itself. Such a line has no method, route and status. */
  readonly turnStatus?: string
  readonly model?: string
  readonly ms?: number
  readonly thread?: string
  readonly mode?: string
  readonly tokens?: number
  readonly read?: number
  readonly truncated?: string
}

/** The server's log for a person at a terminal: one line for each chat and each failure. Programs get the JSON. */
export function requestLog(terminal: Terminal): { write(line: string): void } | undefined {
  if (terminal.errors.isTTY !== true) return undefined
  return {
    write: (text) => {
      const line = logLine(JSON.parse(text) as Line, terminal)
      if (line !== undefined) terminal.remark(line)
    },
  }
}

function logLine(
  { msg, code, method, route, status = 0, turnStatus, model, ms = 0, thread, mode, tokens, read, truncated }: Line,
  { paintErrors: paint }: Terminal,
): string | undefined {
  if (msg !== undefined) return paint.red(printableLine(`${msg}${code === undefined ? '' : ` (${code})`}`))
  const isTurn = turnStatus !== undefined
  const isWrong = isTurn ? turnStatus === 'failed' : status >= 400
  const ended = String(turnStatus ?? status)
  if ((thread === undefined && !isWrong) || probes.has(route ?? '')) return undefined
  const facts = [
    isTurn ? 'turn' : `${method} ${route}`,
    isWrong ? paint.red(ended) : paint.green(ended),
    `${(ms / 1000).toFixed(1)} s`,
    ...(model === undefined ? [] : [printableLine(model)]),
    ...(mode === undefined ? [] : [mode]),
    ...(tokens === undefined ? [] : [isTurn ? `${figure(tokens)} tokens` : `sent ≈ ${figure(tokens)} tokens`]),
    ...(read === undefined ? [] : [`server read ${figure(read)}`]),
    ...(thread === undefined ? [] : [paint.dim(printableLine(thread))]),
    ...(code === undefined ? [] : [paint.red(printableLine(code))]),
    ...(truncated === 'yes' ? [paint.red('the upstream truncated the prompt')] : []),
  ]
  return `  ${facts.join(' · ')}`
}

/** Health checks come every few seconds. What makes one fail has a line of its own. */
const probes: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics'])
