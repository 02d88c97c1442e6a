import { LRUCache } from 'lru-cache'
import type { AskServer } from 'minutebook/wire'
import { questionHeaders } from '../http/headers.ts'
import type { UpstreamClient } from './call.ts'
import type { Upstream } from './upstream.ts'

const patience = 2000
const longest = 16 << 20

/** Asks an upstream a small question, separate from chats. Undefined if it does not answer 200 with JSON in time. */
export function askJson(
  upstreamClient: UpstreamClient,
  upstream: Upstream,
  path: string,
  question?: object,
  longestWait: number = patience,
): Promise<unknown> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let length = 0
    const giveUp = (): void => {
      call.abort()
      over(undefined)
    }
    const timer = giveUpAfter(longestWait, giveUp)
    const over = (answer: unknown): void => {
      clearTimeout(timer)
      resolve(answer)
    }
    const headers = {
      accept: 'application/json',
      ...(question && { 'content-type': 'application/json' }),
      ...questionHeaders(upstream),
    }
    const body = question && Buffer.from(JSON.stringify(question))
    const call = upstreamClient.call(
      { upstream, method: question ? 'POST' : 'GET', path, headers, body },
      {
        head: (status) => {
          if (status !== 200) giveUp()
        },
        data: (bytes) => {
          length += bytes.length
          if (length > longest) giveUp()
          else pieces.push(bytes)
          return true
        },
        end: () => over(parsed(Buffer.concat(pieces).toString())),
        failed: () => over(undefined),
      },
    )
  })
}

/** After a stall, an answer may lie there unread when the time is up: it is read before `giveUp` is called. */
export function giveUpAfter(milliseconds: number, giveUp: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(giveUp), milliseconds)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Keeps answers for a while. Callers at the same time wait for the same answer. */
export interface Cache<T> {
  get(name: string, find: () => Promise<T | undefined>): Promise<T | undefined>
  /** The same, but never what is kept. */
  renew(name: string, find: () => Promise<T | undefined>): Promise<T | undefined>
}

/** `lifeOf`: milliseconds for which an answer, or its absence, is kept. An error counts as absence. */
export function createCache<T>(now: () => number, lifeOf: (value: T | undefined) => number): Cache<T> {
  const kept = new LRUCache<string, { readonly answer: Promise<T | undefined>; until: number }>({ max: 1000 })
  const renew: Cache<T>['renew'] = (name, find) => {
    const answer = find().catch(() => undefined)
    const entry = { answer, until: Infinity }
    // Names come from requests: the least used ones make room.
    kept.set(name, entry)
    return answer.then((value) => {
      entry.until = now() + lifeOf(value)
      return value
    })
  }
  return {
    renew,
    get: (name, find) => {
      const known = kept.get(name)
      return known && known.until > now() ? known.answer : renew(name, find)
    },
  }
}

/**
 * Milliseconds that an answer is kept. A loaded model can be loaded again in another size at any time; a model file
 * changes rarely.
 */
const lives: Readonly<Record<string, number>> = { '/api/ps': 5_000, '/api/v0/models': 5_000 }
const usualLife = 60_000
/** Milliseconds that the lack of one is. */
const failed = 10_000
/** Milliseconds that a model may take to be loaded. */
const loading = 120_000

/** Asks upstreams about themselves, and repeats the same question only now and then. */
export function createAsking(
  upstreamClient: UpstreamClient,
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
        return askJson(upstreamClient, upstream, path, body, loading)
      }
      const find = async (): Promise<{ readonly path: string; readonly answer: unknown }> => ({
        path,
        answer: await askJson(upstreamClient, upstream, path, body),
      })
      const name = JSON.stringify([upstream.url, path, body])
      // Loading a model changes the answers from before.
      const page = await (isOld ? pages.renew(name, find) : pages.get(name, find))
      return page?.answer
    }
  }
}
