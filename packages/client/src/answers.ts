import type { components } from './schema.ts'

type Schemas = components['schemas']

/** The summary of a thread. */
export type Thread = Schemas['Thread']
/** How the turns of a thread are run. */
export type Setup = Schemas['Setup']
/** A turn, and how far it is. */
export type Turn = Schemas['Turn']
/** A visible entry of a thread. */
export type Entry = Schemas['Entry']
/** What is recorded of a model call. */
export type Receipt = Schemas['Receipt']
/** The events of a stream; `id` is the position to continue from. */
export type StreamEvent = Schemas['StreamEvent']

/** A window that is smaller than the one a prompt was made for. */
export type TooSmallWindow = NonNullable<components['schemas']['Error']['error']['window']>

/** The decision that counts about a call, by whom and when. */
export type FirstDecision = NonNullable<components['schemas']['Error']['error']['decided']>

/** What a server refused, and what to do about it. */
export class ApiError extends Error {
  readonly status: number
  /** For programs: `unknown_thread`, `busy`, … */
  readonly code: string
  /** What is wrong. The message is this and the fix. */
  readonly problem: string
  readonly fix: string
  /** Of a prompt that was made for a larger window than there is. */
  readonly window: TooSmallWindow | undefined
  /** Of a call that was decided before. */
  readonly decided: FirstDecision | undefined

  constructor(
    status: number,
    {
      code,
      message,
      fix,
      window,
      decided,
    }: {
      readonly code: string
      readonly message: string
      readonly fix: string
      readonly window?: TooSmallWindow | undefined
      readonly decided?: FirstDecision | undefined
    },
  ) {
    super(fix === '' ? message : `${message} ${fix}`)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.problem = message
    this.fix = fix
    this.window = window
    this.decided = decided
  }
}

/** The error in a response. */
export async function errorOf(response: Response): Promise<ApiError> {
  return readError(response.status, await response.json().catch(() => undefined))
}

/** The error in a body. `fix`: what to do if the body does not say. */
export function readError(status: number, body: unknown, fix = 'Look into its log.'): ApiError {
  const { error } = Object(body) as {
    readonly error?: {
      readonly code?: unknown
      readonly message?: unknown
      readonly fix?: unknown
      readonly window?: TooSmallWindow
      readonly decided?: FirstDecision
    }
  }
  const told = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)
  return new ApiError(status, {
    code: told(error?.code, 'server_failed'),
    message: told(error?.message, `The server answered with status ${status}.`),
    fix: told(error?.fix, fix),
    window: error?.window,
    decided: error?.decided,
  })
}
