import { MinutebookError } from 'minutebook'
import type { RelayMode } from 'minutebook/inspect'
import { pino, type DestinationStream, type Logger } from 'pino'

/** What handlers add to the log line of a request. Nothing else gets into it, and never content. */
export interface RequestFacts {
  /** If one route has many operations: the path of the requested one, with its parameters in braces. */
  readonly route?: string | undefined
  readonly thread?: string | undefined
  readonly turn?: string | undefined
  readonly mode?: RelayMode | 'passed' | undefined
  /** Of the prompt, by our own count. */
  readonly tokens?: number | undefined
  /** What the upstream says it read of it. */
  readonly read?: number | undefined
  readonly truncated?: 'yes' | 'no' | 'unknown' | undefined
  readonly recorded?: boolean | undefined
  /** The code of a refusal or failure. */
  readonly code?: string | undefined
}

/** One request, when it is over. */
export interface RequestLine extends RequestFacts {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly key: string
}

/** One native turn, when it rests or fails. It runs without a request, so this is its only line. */
export interface TurnLine {
  readonly tenant: string
  readonly thread: string
  /** The id of the user entry that is answered. */
  readonly turn?: string | undefined
  readonly status: string
  readonly ms: number
  readonly model?: string | undefined
  /** Tokens as the upstream reports them, over all model calls of the turn. */
  readonly tokens?: number | undefined
  /** The code of a failure. */
  readonly code?: string | undefined
  /** What the upstream refused or failed with. */
  readonly upstreamStatus?: number | undefined
}

/** A tool that a turn needs and that is missing. */
export interface MissingToolLine {
  readonly tenant: string
  readonly thread: string
  readonly tool: string
  /** The MCP server that has it, and does not answer. */
  readonly server?: string | undefined
}

/** What a server says about itself. */
export interface RequestLog {
  request(line: RequestLine): void
  turn(line: TurnLine): void
  missingTool(line: MissingToolLine): void
  /**
   * A call that got no whole answer. Clients do not see the address. The same failure is logged at most twice a minute.
   */
  upstreamFailed(url: string, failure: { readonly code: string; readonly cause: string }): void
  /** An address was not told that a call waits. Clients do not see the address. `isLast`: it is not tried again. */
  webhookFailed(failure: WebhookFailure): void
  /** At start: row-level security does not apply to the role of the database. */
  unguarded(problem: { readonly says: string; readonly fix: string }): void
  /**
   * An unexpected error. Only its code and its origin are logged: its message may contain content. A failing store is
   * expected: it is logged briefly, and not repeatedly.
   */
  unforeseen(error: unknown): void
}

export interface WebhookFailure {
  /** The name of the webhook in the settings. */
  readonly webhook: string
  readonly tenant: string
  readonly thread: string
  /** The status, or the code of what kept it from being told. */
  readonly cause: string
  readonly isLast: boolean
}

/** Where log lines go. */
export type LogOutput = 'silent' | DestinationStream

/**
 * Default: lines of JSON on the standard error. Only the fields that are named here are logged.
 *
 * @example
 * const log = createRequestLog()
 */
export function createRequestLog(output?: LogOutput): RequestLog {
  const logger = loggerFor(output)
  const told = new Map<string, number>()
  /**
   * Failures are retried again and again. `name` is one of a few: a code, or a code and an upstream of the settings.
   */
  const isNew = (name: string): boolean => {
    const now = performance.now()
    if (now - (told.get(name) ?? -Infinity) < silence) return false
    told.set(name, now)
    return true
  }
  const storeFailed = (code: string): void => {
    if (isNew(code))
      logger.warn({ code }, 'The record cannot be read or written. Waiting work continues as soon as that is possible.')
  }
  return {
    request: (line) => (line.status >= 500 ? logger.warn(allowed(line)) : logger.info(allowed(line))),
    turn: (line) => (line.status === 'failed' ? logger.warn(allowedOfTurn(line)) : logger.info(allowedOfTurn(line))),
    missingTool: ({ tenant, thread, tool, server }) =>
      logger.warn({ tenant, thread, tool, server, code: 'tool_missing' }, missing),
    upstreamFailed: (url, { code, cause }) => {
      if (isNew(`${code} ${url}`))
        logger.warn(
          { code, upstream: url, cause },
          `The upstream ${url} ${code === 'upstream_unreachable' ? 'cannot be reached' : 'broke off its answer'} (${cause}).`,
        )
    },
    webhookFailed: ({ webhook, tenant, thread, cause, isLast }) => {
      if (isLast || isNew(`webhook_failed ${webhook}`))
        logger.warn(
          { code: 'webhook_failed', webhook, tenant, thread, cause },
          `The webhook ${webhook} was not told that a call waits (${cause}). ${isLast ? 'It is not tried again: look at minutebook waiting.' : 'It is tried again later.'}`,
        )
    },
    unguarded: ({ says, fix }) =>
      logger.warn({ code: 'tenants_unguarded' }, `${says}. Only the tenant "default" is served. ${fix}`),
    unforeseen: (error) => {
      if (MinutebookError.isInstance(error) && error.code.startsWith('store_')) return storeFailed(error.code)
      logger.error({ code: codeOf(error), at: placesOf(error) }, 'Something failed unexpectedly.')
    },
  }
}

/** Milliseconds in which a failure of the store, or of an upstream, is not logged again. */
const silence = 30_000

const missing =
  'A tool of this thread does not exist, so the turn failed. Register the tool or start its MCP server, and retry the turn.'

function loggerFor(output: LogOutput | undefined): Logger {
  if (output === 'silent') return pino({ level: 'silent' })
  return pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    output ?? pino.destination({ dest: 2, sync: false }),
  )
}

function allowed({
  method,
  route,
  status,
  ms,
  key,
  thread,
  turn,
  mode,
  tokens,
  read,
  truncated,
  recorded,
  code,
}: RequestLine): object {
  return {
    method,
    route,
    status,
    ms: rounded(ms),
    ...(key !== '' && { key }),
    thread,
    turn,
    mode,
    tokens,
    read,
    truncated,
    recorded,
    code,
  }
}

function allowedOfTurn({ tenant, thread, turn, status, ms, model, tokens, code, upstreamStatus }: TurnLine): object {
  return { tenant, thread, turn, turnStatus: status, ms: rounded(ms), model, tokens, code, upstreamStatus }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}

function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code)
  return error instanceof Error ? error.name : 'unknown'
}

/** The innermost places of the stack, which begins with the message. */
function placesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.stack === undefined) return []
  const start = error.stack.indexOf(error.message) + error.message.length
  return error.stack
    .slice(start)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, 6)
}
