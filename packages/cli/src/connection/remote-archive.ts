import { segmentOf, type Archive, type KeyRing } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { CallChoice } from 'minutebook/inspect'
import { linesOf } from './server-call.ts'
import { askServer, jsonOf, type ServerAddress, type ServerCall } from './server-call.ts'

/** The archive of a server that runs, with the same answers as one in this process. */
export function remoteArchive(server: ServerAddress): Archive {
  const below = (thread: string, what: string, call: ServerCall = {}): Promise<Response> =>
    askServer(server, `/threads/${segmentOf(thread)}${what}`, call)
  return {
    threads: async ({ marks, ...page } = {}) =>
      jsonOf(await askServer(server, '/threads', { query: { ...page, marks: marks?.join(',') } })),
    show: async (thread, { head, hidden } = {}) =>
      jsonOf(await below(thread, '/entries', { query: { head, hidden: hidden === true ? 1 : undefined } })),
    receipts: async (thread) =>
      (await jsonOf<{ receipts: Awaited<ReturnType<Archive['receipts']>> }>(await below(thread, '/receipts'))).receipts,
    dump: async (thread, call) => jsonOf(await below(thread, '/dump', { query: queryOf(call) })),
    explain: async (thread, call) => jsonOf(await below(thread, '/explain', { query: queryOf(call) })),
    verify: async (thread) => jsonOf(await below(thread, '/verify')),
    export: async function* (thread) {
      yield* entriesIn(await below(thread, '/export'))
    },
    replay: async (thread, changes) =>
      (
        await jsonOf<{ calls: Awaited<ReturnType<Archive['replay']>> }>(
          await below(thread, '/replay', { method: 'POST', body: changes }),
        )
      ).calls,
    state: async (thread, name, { at } = {}) =>
      jsonOf(await below(thread, `/state/${encodeURIComponent(name)}`, { query: { at } })),
    search: async (query, { thread, limit } = {}) =>
      (
        await jsonOf<{ found: Awaited<ReturnType<Archive['search']>> }>(
          await askServer(server, '/search', { query: { query, thread, limit } }),
        )
      ).found,
    fork: async (thread, wanted) => jsonOf(await below(thread, '/fork', { method: 'POST', body: wanted })),
    import: async (thread, lines) => jsonOf(await below(thread, '/import', { method: 'POST', lines })),
    erase: async (thread, entries) => jsonOf(await below(thread, '/erase', { method: 'POST', body: { entries } })),
  }
}

/** The keys of a server that runs. */
export function remoteKeys(server: ServerAddress): KeyRing {
  return {
    create: async (wanted) => jsonOf(await askServer(server, '/keys', { method: 'POST', body: wanted })),
    list: async () =>
      (await jsonOf<{ keys: Awaited<ReturnType<KeyRing['list']>> }>(await askServer(server, '/keys'))).keys,
    revoke: async (name) => jsonOf(await askServer(server, `/keys/${encodeURIComponent(name)}`, { method: 'DELETE' })),
  }
}

/** What a server says of itself. */
export interface About {
  readonly upstreams?: readonly {
    readonly url: string
    readonly protocol?: 'ollama' | 'openai'
    readonly models?: readonly string[]
  }[]
  readonly store?: string
  readonly data?: string
}

export async function aboutServer(server: ServerAddress): Promise<About> {
  return jsonOf(await askServer(server, ''))
}

/** The names of the tools that a server has for turns. */
export async function toolsAt(server: ServerAddress): Promise<readonly string[]> {
  return (
    await jsonOf<{ readonly tools: readonly { readonly name: string }[] }>(await askServer(server, '/tools'))
  ).tools.map(({ name }) => name)
}

/** The names of those that the setup of a thread gives it. */
export async function toolsOfThreadAt(server: ServerAddress, thread: string): Promise<readonly string[]> {
  return (
    (
      await jsonOf<{ readonly setup?: { readonly tools?: readonly string[] } }>(
        await askServer(server, `/threads/${segmentOf(thread)}`),
      )
    ).setup?.tools ?? []
  )
}

function queryOf({ turn, receipt }: CallChoice = {}): NonNullable<ServerCall['query']> {
  return { turn, receipt }
}

async function* entriesIn({ body }: Response): AsyncGenerator<string> {
  if (!body) return
  for await (const line of linesOf(body)) {
    if (!line.endsWith('\n'))
      throw new MinutebookError('export_broken', 'The server broke off in the middle of a line.', 'Export again.')
    yield line.slice(0, -1)
  }
}
