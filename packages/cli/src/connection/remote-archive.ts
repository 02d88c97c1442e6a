import type { components, Thread } from '@minutebook/client'
import type { Archive, KeyRing } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { CallChoice } from 'minutebook/inspect'
import { clientOf, dataOf, given, linesOf, streamOf, type ServerAddress } from './server.ts'

/** The archive of a running server, with the same results as one in this process. */
export function remoteArchive(server: ServerAddress): Archive {
  const client = clientOf(server)
  const at = (thread: string): { readonly path: { readonly thread: string } } => ({ path: { thread } })
  return {
    threads: ({ marks, metadata, hide, limit, after } = {}) => {
      const pairs = metadata && Object.entries(metadata).map(([key, value]) => `${key}:${value}`)
      const query = given({ limit, after, marks: marks?.join(','), hide: hide?.join(','), metadata: pairs })
      return dataOf(client.GET('/minutebook/v1/threads', { params: { query } }))
    },
    show: (thread, { head, hidden } = {}) =>
      dataOf(
        client.GET('/minutebook/v1/threads/{thread}/entries', {
          params: { ...at(thread), query: given({ head, hidden: hidden === true ? ('1' as const) : undefined }) },
        }),
      ),
    overview: (query = {}) => dataOf(client.GET('/minutebook/v1/overview', { params: { query: given(query) } })),
    calls: ({ outcome, flag, model, owner, ...page } = {}) =>
      dataOf(
        client.GET('/minutebook/v1/calls', {
          params: {
            query: given({
              ...page,
              outcome: outcome?.join(','),
              flag: flag?.join(','),
              model: model && [...model],
              owner: owner && [...owner],
            }),
          },
        }),
      ),
    receipts: async (thread) =>
      (
        await dataOf<{ receipts: Awaited<ReturnType<Archive['receipts']>> }>(
          client.GET('/minutebook/v1/threads/{thread}/receipts', { params: at(thread) }),
        )
      ).receipts,
    dump: (thread, call = {}) =>
      dataOf(client.GET('/minutebook/v1/threads/{thread}/dump', { params: { ...at(thread), query: queryOf(call) } })),
    explain: (thread, call = {}) =>
      dataOf(
        client.GET('/minutebook/v1/threads/{thread}/explain', { params: { ...at(thread), query: queryOf(call) } }),
      ),
    cache: async (thread) =>
      (
        await dataOf<{ calls: Awaited<ReturnType<Archive['cache']>> }>(
          client.GET('/minutebook/v1/threads/{thread}/cache', { params: at(thread) }),
        )
      ).calls,
    lane: (thread, entry, { head, limit, receipt } = {}) =>
      dataOf(
        client.GET('/minutebook/v1/threads/{thread}/entries/{entry}/lane', {
          params: { path: { thread, entry }, query: given({ head, limit, receipt }) },
        }),
      ),
    verify: (thread, part = {}) =>
      dataOf(
        client.GET('/minutebook/v1/threads/{thread}/verify', { params: { ...at(thread), query: given({ ...part }) } }),
      ),
    export: async function* (thread) {
      const answer = client.GET('/minutebook/v1/threads/{thread}/export', { params: at(thread), parseAs: 'stream' })
      yield* entriesIn(await streamOf(answer))
    },
    replay: async (thread, changes) =>
      (
        await dataOf<{ calls: Awaited<ReturnType<Archive['replay']>> }>(
          client.POST('/minutebook/v1/threads/{thread}/replay', { params: at(thread), body: given(changes) }),
        )
      ).calls,
    state: (thread, name, { at: position } = {}) =>
      dataOf(
        client.GET('/minutebook/v1/threads/{thread}/state/{state}', {
          params: { path: { thread, state: name }, query: given({ at: position }) },
        }),
      ),
    search: async (query, { thread, limit } = {}) =>
      (
        await dataOf<{ found: Awaited<ReturnType<Archive['search']>> }>(
          client.GET('/minutebook/v1/search', { params: { query: given({ query, thread, limit }) } }),
        )
      ).found,
    waiting: (page = {}) => dataOf(client.GET('/minutebook/v1/waiting', { params: { query: given(page) } })),
    fork: (thread, fork) =>
      dataOf(client.POST('/minutebook/v1/threads/{thread}/fork', { params: at(thread), body: given(fork) })),
    import: (thread, lines) =>
      dataOf(
        client.POST('/minutebook/v1/threads/{thread}/import', {
          params: at(thread),
          headers: { 'content-type': 'application/x-ndjson' },
          body: '',
          bodySerializer: () => ReadableStream.from(bytesOf(lines)),
          duplex: 'half',
        }),
      ),
    pin: (thread, entry, isPinned) => {
      const params = { path: { thread, entry } }
      const path = '/minutebook/v1/threads/{thread}/pins/{entry}' as const
      return dataOf(isPinned ? client.PUT(path, { params }) : client.DELETE(path, { params }))
    },
    rate: (thread, entry, feedback) => {
      const params = { path: { thread, entry } }
      const path = '/minutebook/v1/threads/{thread}/feedback/{entry}' as const
      const body = given({ ...feedback, tags: feedback.tags && [...feedback.tags] })
      return dataOf(client.PUT(path, { params, body }))
    },
    feedback: (page = {}) => dataOf(client.GET('/minutebook/v1/feedback', { params: { query: given(page) } })),
    exportRated: async function* (choice) {
      const query = given(choice)
      yield* entriesIn(
        await streamOf(client.GET('/minutebook/v1/feedback/export', { params: { query }, parseAs: 'stream' })),
      )
    },
    erase: (thread, entries) =>
      dataOf(
        client.POST('/minutebook/v1/threads/{thread}/erase', {
          params: at(thread),
          body: given({ entries: entries && [...entries] }),
        }),
      ),
    remove: (thread) => dataOf(client.DELETE('/minutebook/v1/threads/{thread}', { params: at(thread) })),
    prune: async () => {
      throw new MinutebookError(
        'server_runs',
        'A server uses this record, and a server removes old threads by itself.',
        'Set keep in its settings, or stop it first. With Postgres, connect as the owner of the tables.',
      )
    },
  }
}

/** The keys of a running server. */
export function remoteKeys(server: ServerAddress): KeyRing {
  const client = clientOf(server)
  return {
    create: (wanted) => dataOf(client.POST('/minutebook/v1/keys', { body: given(wanted) })),
    list: async () =>
      (await dataOf<{ keys: Awaited<ReturnType<KeyRing['list']>> }>(client.GET('/minutebook/v1/keys'))).keys,
    revoke: (name, sha256) =>
      dataOf(client.DELETE('/minutebook/v1/keys/{key}', { params: { path: { key: name }, query: given({ sha256 }) } })),
  }
}

function queryOf({ turn, receipt }: CallChoice): { turn?: string; receipt?: string } {
  return given({ turn: turn?.toString(), receipt })
}

/** What a server reports about itself. */
export type About = components['schemas']['About']

export function aboutServer(server: ServerAddress): Promise<About> {
  return dataOf(clientOf(server).GET('/minutebook/v1'))
}

/** The names of the tools that a server has for turns. */
export async function toolsAt(server: ServerAddress): Promise<readonly string[]> {
  const { tools } = await dataOf<components['schemas']['ToolList']>(clientOf(server).GET('/minutebook/v1/tools'))
  return tools.map(({ name }) => name)
}

/** The names of the tools that the setup of a thread names. */
export async function toolsOfThreadAt(server: ServerAddress, thread: string): Promise<readonly string[]> {
  const { setup } = await dataOf<Thread>(
    clientOf(server).GET('/minutebook/v1/threads/{thread}', { params: { path: { thread } } }),
  )
  return setup?.tools ?? []
}

async function* entriesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  for await (const line of linesOf(body)) {
    if (!line.endsWith('\n'))
      throw new MinutebookError('export_broken', 'The connection broke in the middle of a line.', 'Export again.')
    yield line.slice(0, -1)
  }
}

async function* bytesOf(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const line of lines) yield encoder.encode(`${line}\n`)
}
