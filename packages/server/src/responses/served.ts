import { forwardedHeaders } from '../gateway/pass.ts'
import type { Visit } from '../http/http.ts'
import type { Services } from '../services.ts'
import { createCache, giveUpAfter, type Cache } from '../upstream/ask.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** Which upstreams serve `/v1/responses` themselves, by their addresses. */
export interface ServedResponses {
  /** False if that cannot be found out. Never rejects. */
  by(upstream: Upstream, visit: Visit, services: Pick<Services, 'upstreamClient'>): Promise<boolean>
}

/**
 * Asks each upstream once in a while, with an empty request: a server that has the path says what is missing in it, and
 * any other says that there is no such path. The last known answer counts while an upstream does not say.
 */
export function createServedResponses(now: () => number = Date.now): ServedResponses {
  const answers: Cache<boolean> = createCache(now, (serves) => (serves === undefined ? 0 : serves ? life.yes : life.no))
  // As many as the settings have.
  const last = new Map<string, boolean>()
  return {
    by: async (upstream, visit, services) => {
      const found = await answers.get(upstream.url, async () => meaningOf(await statusOf(upstream, visit, services)))
      if (found !== undefined) last.set(upstream.url, found)
      return found ?? last.get(upstream.url) ?? false
    },
  }
}

/** Milliseconds. */
const life = { yes: 60 * 60_000, no: 60_000 }
const patience = 2000

/** A server that is busy, or that wants another key, does not say. */
function meaningOf(status: number | undefined): boolean | undefined {
  if (status === 400 || status === 422) return true
  return status !== undefined && (status < 400 || status === 404 || status === 405 || status === 501)
    ? false
    : undefined
}

function statusOf(
  upstream: Upstream,
  visit: Visit,
  { upstreamClient }: Pick<Services, 'upstreamClient'>,
): Promise<number | undefined> {
  const shown = Object.entries(forwardedHeaders(visit, upstream, 'openai')).filter(([name]) => credentials.has(name))
  const body = Buffer.from('{}')
  const headers = {
    ...Object.fromEntries(shown),
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': String(body.length),
  }
  return new Promise((resolve) => {
    const over = (status?: number): void => {
      clearTimeout(timer)
      resolve(status)
      call.abort()
    }
    const timer = giveUpAfter(patience, over)
    const call = upstreamClient.call(
      { upstream, method: 'POST', path: '/v1/responses', headers, body },
      { head: (status) => over(status), data: () => true, end: () => over(), failed: () => over() },
    )
  })
}

/** Headers by which upstreams know who asks. */
const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'api-key',
  'x-api-key',
  'openai-organization',
  'openai-project',
])
