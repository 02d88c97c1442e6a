import type { Refusal } from './refusal.ts'

/**
 * Why an upstream gave no whole answer; a refusal that can be sent to the client as it is. It does not name the
 * address, which is for admins.
 */
export interface UpstreamFailure extends Refusal {
  readonly status: 502
  readonly code: 'upstream_unreachable' | 'upstream_broke_off'
  /** The code of the error below it, such as `ECONNREFUSED`. */
  readonly cause: string
}

export function failureOf(error: unknown): UpstreamFailure {
  const cause = causeOf(error)
  const isUnreachable = unreachable.has(cause)
  return {
    status: 502,
    code: isUnreachable ? 'upstream_unreachable' : 'upstream_broke_off',
    cause,
    message: isUnreachable
      ? `The upstream cannot be reached (${cause}). Start it, or set the address of another one in upstreams (MINUTEBOOK_UPSTREAMS); the log of the gateway and minutebook doctor tell where it should be.`
      : `The upstream broke off (${cause}). Look into its log, and ask again; the log of the gateway tells where it is.`,
  }
}

const unreachable: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
])

/** The code of an error: its text may hold what was sent. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  if (typeof error !== 'object' || error === null) return 'unknown'
  const { code, cause, name } = error as { readonly code?: unknown; readonly cause?: unknown; readonly name?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined ? String(name) : causeOf(cause)
}
