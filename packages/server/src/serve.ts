import { memoryStore, MinutebookError } from 'minutebook'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { removeAddress, writeAddress } from './address-file.ts'
import { apiHandler } from './api/api.ts'
import { createKeys } from './auth/auth.ts'
import { keyRecord } from './auth/key-record.ts'
import type { Config } from './config/config.ts'
import { inUrl } from './config/conflicts.ts'
import { createConsole } from './console/console.ts'
import { createLoginCodes } from './console/login.ts'
import { createSessions } from './console/sessions.ts'
import { relayChat } from './gateway/gateway.ts'
import { connectionLimits, type Connections, watchConnections } from './http/connections.ts'
import { openServices } from './open-services.ts'
import { createRetention } from './retention.ts'
import { createRequestHandler } from './server.ts'
import type { ApiHandler, ChatHandler, Services } from './services.ts'
import type { LogOutput } from './telemetry/request-log.ts'

/** A server that listens. */
export interface Running {
  /** Without a slash at the end. */
  readonly url: string
  /** Of the local operator; ends with the server. */
  readonly token: string
  readonly services: Services
  /** An address of the console that logs the local operator in, once. */
  readonly consoleLink: () => string
  /** Takes no more requests, waits up to `patience` for those that run, and releases everything. */
  close(options?: CloseOptions): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** How a server is closed. */
export interface CloseOptions {
  /** Milliseconds in which it reports that it is not ready, and still takes requests. Default: as in the settings. */
  readonly notice?: number
  /** Milliseconds. Default: 30,000. What runs longer is cut off, and recorded as cut off. */
  readonly patience?: number
}

/** Parts that can be exchanged. */
export interface ServeOptions {
  readonly chat?: ChatHandler | undefined
  readonly api?: ApiHandler | undefined
  /** The folder of the built console. Default: the installed one. */
  readonly consoleFolder?: string | undefined
  /**
   * A file of the library, which another program may be writing to. The server only reads it, calls no model, and
   * answers only the local operator. Default: the record of the settings.
   */
  readonly file?: string | undefined
  /** Runs before turns are run: what these need from the program that starts the server. */
  readonly prepare?: ((services: Services) => Promise<void>) | undefined
  /** Where the log goes. Default: the standard error. */
  readonly log?: LogOutput | undefined
  /** Milliseconds since 1970, by which logins to the console end. Default: the system's clock. */
  readonly now?: (() => number) | undefined
}

/**
 * Opens the record, listens, and writes its address to the data folder. Throws if that fails, and says what to do.
 *
 * @example
 * const { url, close } = await serve(readConfig())
 */
export async function serve(
  config: Config,
  {
    chat = relayChat(),
    api = apiHandler,
    consoleFolder,
    file,
    prepare,
    log: output,
    now = Date.now,
  }: ServeOptions = {},
): Promise<Running> {
  const closing = new AbortController()
  const opened = await openServices(config, { output, closing: closing.signal, file })
  const { services, record } = opened
  const retention = createRetention(services)
  const token = randomBytes(32).toString('base64url')
  const { readOnly } = services.stores
  // Keys and sessions in the file of another program are not for this server.
  const beside = readOnly ? memoryStore() : services.stores.of('default').store
  const keys = readOnly
    ? createKeys({ configured: [], token, record: keyRecord(beside), isRequired: true })
    : createKeys({ configured: config.keys, token, record })
  const codes = createLoginCodes(now)
  const sessions = createSessions({ store: beside, keys, now })
  let isClosing = false
  const page = createConsole({ keys, codes, sessions, folder: consoleFolder })
  const server = createServer({
    maxHeaderSize: 32 << 10,
    headersTimeout: 30_000,
    connectionsCheckingInterval: 5000,
    // An upload to the upstream may be of any size: http/connections.ts limits how slowly it may come.
    requestTimeout: 0,
    keepAliveTimeout: 75_000,
  })
  const connections = watchConnections(server, connectionLimits())
  const requests = createRequestHandler(services, {
    chat,
    api,
    console: page,
    connections,
    keys,
    sessions,
    token,
    isClosing: () => isClosing,
  })
  server.on('request', (request, response) => requests.handle(request, response))
  server.on('checkContinue', (request, response) => requests.handle(request, response, true))
  const watch = setInterval(() => connections.endSlow(), 1000).unref()
  const letGo = async (): Promise<void> => {
    // A chat that was cut off still has to be recorded.
    await Promise.race([requests.settled(), after(settling, undefined, { ref: false })])
    clearInterval(watch)
    keys.close()
    await opened.close()
  }
  const begin = async (): Promise<string> => {
    await keys.open()
    await prepare?.(services)
    const url = await listen(server, config)
    if (!readOnly) await services.worker.begin()
    if (!readOnly) retention.begin()
    return url
  }
  const stopWork = async (): Promise<void> => {
    await Promise.all([services.worker.end(), retention.end()])
    await Promise.all([services.toolbox.close(), services.localTools.close()])
  }
  const url = await begin().catch(async (error: unknown) => {
    server.close()
    server.closeAllConnections()
    await letGo()
    throw error
  })
  if (!readOnly) {
    mkdirSync(config.data, { recursive: true, mode: 0o700 })
    writeAddress(config.data, { url, token, pid: process.pid }, { isShared: config.database !== undefined })
  }

  let closed: Promise<void> | undefined
  const shut = async (patience: number, notice: number): Promise<void> => {
    // From now on other instances run what is sent here. If this is the only one, it does so until it stops.
    const resting = services.stores.turns && stopWork()
    if (notice > 0) await after(notice)
    const rested = (resting ?? stopWork()).catch((error: unknown) => services.requestLog.unforeseen(error))
    closing.abort()
    await Promise.all([
      drain(server, connections, patience),
      Promise.race([rested, after(patience, undefined, { ref: false })]),
    ])
    await letGo()
  }
  const close = ({ patience = 30_000, notice = config.drainNotice }: CloseOptions = {}): Promise<void> => {
    isClosing = true
    if (!readOnly) removeAddress(config.data, token)
    closed ??= shut(patience, notice)
    return closed
  }
  return {
    url,
    token,
    services,
    close,
    consoleLink: () => `${url}/console#login=${codes.issue()}`,
    [Symbol.asyncDispose]: () => close(),
  }
}

/** Milliseconds. */
const settling = 5000

function listen(server: Server, { host, port }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(notListeningError(error.code ?? 'unknown', host, port)),
    )
    server.listen(port, host, () => {
      // A connection that cannot be accepted, mostly for lack of file handles, is retried by the client.
      server.on('error', () => undefined)
      const { port: used } = server.address() as AddressInfo
      resolve(`http://${inUrl(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)}:${used}`)
    })
  })
}

function notListeningError(code: string, host: string, port: number): MinutebookError {
  if (code === 'EADDRINUSE')
    return new MinutebookError(
      'port_taken',
      `Another program already uses port ${port}.`,
      'Stop that program, or set another port (--port, MINUTEBOOK_PORT).',
      { port },
    )
  return new MinutebookError(
    'cannot_listen',
    `The server cannot listen on ${inUrl(host)}:${port} (${code}).`,
    'Set host and port to an address of this machine.',
    { host, port },
  )
}

function drain(server: Server, connections: Connections, patience: number): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => server.closeAllConnections(), patience)
    // A connection that was busy when the server closed would otherwise wait for the next request.
    const sweep = setInterval(() => {
      server.closeIdleConnections()
      connections.endQuiet()
    }, 50)
    server.close(() => {
      clearTimeout(limit)
      clearInterval(sweep)
      resolve()
    })
  })
}
