/** What a server refused, and what to do about it. */
export class ApiError extends Error {
  readonly status: number
  /** For programs: `unknown_thread`, `busy`, … */
  readonly code: string
  readonly fix: string

  constructor(status: number, { code, message, fix }: { readonly code: string; readonly message: string; readonly fix: string }) {
    super(`${message} ${fix}`)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fix = fix
  }
}

/** The error that a response tells of. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const { error } = Object(body) as { readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly fix?: unknown } }
  const told = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)
  return new ApiError(response.status, {
    code: told(error?.code, 'unknown'),
    message: told(error?.message, `The server answered with status ${response.status}.`),
    fix: told(error?.fix, 'Look into its log.'),
  })
}
