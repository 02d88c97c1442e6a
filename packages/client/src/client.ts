import createFetchClient, { type Client } from 'openapi-fetch'
import type { StreamEvent } from './answers.ts'
import { follow, type FollowOptions } from './follow.ts'
import type { paths } from './schema.ts'

/** The address of the server, and the key to use. */
export interface ClientSettings {
  /** Of the server, such as `http://127.0.0.1:11435`. */
  readonly url: string
  /** Not needed if the server has no keys. */
  readonly key?: string | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Every operation of the API, by its path, with the types of the OpenAPI document; and threads to be followed. */
export interface MinutebookClient extends Client<paths, 'application/json'> {
  /**
   * Streams a thread as people see it. After a lost connection it continues at the same position, on any instance, until no
   * turn runs (`until: 'rest'`), the signal aborts or the loop is left. Throws an `ApiError` if the server refuses.
   *
   * @example
   * for await (const { event, data } of client.follow('garden', { until: 'rest' })) if (event === 'text')
   * process.stdout.write(data.text)
   */
  follow(thread: string, options?: FollowOptions): AsyncIterable<StreamEvent>
}

/**
 * Speaks to the API of a Minutebook server, from Node and from browsers.
 *
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:11435', key: 'mb_…' })
 * const { data, error } = await client.GET('/minutebook/v1/threads')
 */
export function createClient({ url, key, fetch = globalThis.fetch }: ClientSettings): MinutebookClient {
  const baseUrl = url.endsWith('/') ? url.slice(0, -1) : url
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const client = createFetchClient<paths, 'application/json'>({
    baseUrl,
    headers,
    fetch: (request) => fetch(request),
    pathSerializer: pathOf,
  })
  return Object.assign(client, {
    follow: (thread: string, options: FollowOptions = {}) =>
      follow({ fetch, headers, address: `${baseUrl}/minutebook/v1/threads/${segmentOf(thread)}/stream` }, options),
  })
}

/** Names of threads may hold anything; all else in paths is plain. */
function pathOf(path: string, params: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'thread' ? segmentOf(String(params[name])) : encodeURIComponent(String(params[name])),
  )
}

/** A name as one segment of a path: one that is not plain goes as `~` and its bytes in base64url. */
export function segmentOf(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name)) return name
  const bytes = new TextEncoder().encode(name)
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return `~${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}
