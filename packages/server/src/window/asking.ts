import type { AskServer } from 'minutebook/wire'
import type { Upstream } from '../upstream.ts'
import type { UpstreamCaller } from '../upstream-call.ts'
import { askJson } from './ask.ts'
import { createCache } from './cache.ts'

/**
 * Milliseconds that an answer is kept: a loaded model may be loaded anew in another size at any time, a model file
 * changes rarely.
 */
const lives: Readonly<Record<string, number>> = { '/api/ps': 5_000, '/api/v0/models': 5_000 }
const usualLife = 60_000
/** Milliseconds that the lack of one is. */
const failed = 10_000
/** Milliseconds that a model may take to be loaded. */
const loading = 120_000

/** Asks upstreams about themselves, each of them the same thing only now and then. */
export function createAsking(
  caller: UpstreamCaller,
  now: () => number,
): (upstream: Upstream, again: boolean) => AskServer {
  const pages = createCache<{ readonly path: string; readonly answer: unknown }>(now, (page) =>
    page?.answer === undefined ? failed : (lives[page.path] ?? usualLife),
  )
  return (upstream, again) => {
    let isOld = again
    return async (path, body) => {
      if (path === '/api/generate') {
        isOld = true
        return askJson(caller, upstream, path, body, loading)
      }
      const find = async (): Promise<{ readonly path: string; readonly answer: unknown }> => ({
        path,
        answer: await askJson(caller, upstream, path, body),
      })
      const name = JSON.stringify([upstream.url, path, body])
      // What was true before a model was loaded is not true any more.
      const page = await (isOld ? pages.renew(name, find) : pages.get(name, find))
      return page?.answer
    }
  }
}
