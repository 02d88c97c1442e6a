import type { IncomingMessage } from 'node:http'
import { isLoopback } from './host.ts'
import type { Refusal } from './refusal.ts'

/** Who may speak to the server from where. */
export interface Guard {
  /** Why a request is refused; undefined where it is not. */
  check(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>, authority: string | undefined): Refusal | undefined
}

/**
 * Lets in what calls the server by a name that is its own, and pages that come from such a name: so neither a page of
 * another site nor a name that was pointed at this machine gets anywhere.
 *
 * @example
 * const refusal = createGuard(config).check(request, target.authority)
 */
export function createGuard({ allowHosts, allowOrigins }: { readonly allowHosts: readonly string[]; readonly allowOrigins: readonly string[] }): Guard {
  const hosts = new Set(allowHosts.map((host) => bare(host.toLowerCase())))
  const origins = new Set(allowOrigins)
  const isOurs = (host: string | undefined): boolean => host !== undefined && (isLoopback(host) || hosts.has(host))
  const isAllowed = (origin: string): boolean => origins.has(origin) || origins.has(anyOf(origin)) || isOurs(hostOfOrigin(origin))
  return {
    check: ({ headers, rawHeaders }, authority) => {
      if (countOf(rawHeaders, 'host') !== 1) return noHost
      const host = hostOf(headers.host ?? '')
      if (!isOurs(host) || (authority !== undefined && !isOurs(hostOf(authority)))) return foreignHost
      return headers.origin === undefined || isAllowed(headers.origin) ? undefined : foreignOrigin
    },
  }
}

/** The name or address of a host with any port; undefined where it is neither. */
export function hostOf(value: string): string | undefined {
  const [, name] = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{0,5})?$/.exec(value) ?? []
  return name === undefined ? undefined : bare(name.toLowerCase())
}

function hostOfOrigin(origin: string): string | undefined {
  const [, authority] = /^https?:\/\/([^/?#]+)$/.exec(origin) ?? []
  return authority === undefined ? undefined : hostOf(authority)
}

/** How all origins of an app's own scheme are written in the settings; '' for the web's. */
function anyOf(origin: string): string {
  const end = origin.indexOf('://')
  return end < 0 || /^https?$/i.test(origin.slice(0, end)) ? '' : `${origin.slice(0, end)}://*`
}

function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}

function countOf(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length
}

const noHost: Refusal = { status: 400, code: 'bad_host', message: 'A request must have exactly one Host header. Send it so.' }

const foreignHost: Refusal = {
  status: 403,
  code: 'foreign_host',
  message: 'This server does not go by that host name. Use localhost or 127.0.0.1, or add the name to allowHosts (--allow-host, MINUTEBOOK_ALLOW_HOSTS). '
    + 'From a container: listen with --host 0.0.0.0, which needs a key, and --allow-host host.docker.internal.',
}

const foreignOrigin: Refusal = {
  status: 403,
  code: 'foreign_origin',
  message: 'Pages of this origin may not speak to the server. Add it to allowOrigins (MINUTEBOOK_ALLOW_ORIGINS) if it should.',
}
