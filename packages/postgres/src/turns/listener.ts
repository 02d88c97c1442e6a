import { MinutebookError } from 'minutebook'
import type { PoolClient } from 'pg'
import { connect, limitSilence, noteAnswer, release, type Database } from '../connection/connection.ts'

/**
 * One connection of the pool that is kept: it receives notifications and holds session locks. If it breaks, another one
 * takes its place, and every listener is informed, since notifications were lost meanwhile.
 */
export interface Listener {
  /**
   * Receives what is sent to a channel, once this has resolved. Any login may send there: messages on which `hear`
   * fails are dropped. Call the returned function to stop.
   */
  listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>>
  /** Runs on the connection, after what was run before. Fails if there is no connection at the moment. */
  run(text: string, values?: readonly unknown[]): Promise<void>
  /** Called with every new connection, before anything else runs on it. Call the returned function to stop. */
  onConnect(begin: () => Promise<void>): () => void
  close(): Promise<void>
}

/** Milliseconds between two tries for a new connection. */
const retryEvery = 250

function turnsClosedError(): MinutebookError {
  return new MinutebookError('turns_closed', 'These turns were closed.', 'Make new ones with postgresTurns(pool).')
}

/** An error that leaves here would end the process. */
function heardSafely(hear: (payload: string) => void, payload: string): void {
  try {
    hear(payload)
  } catch {
    // News may always be lost: what counts is in the log, which is looked at in any case.
  }
}

export function createListener(database: Database): Listener {
  const channels = new Map<string, Set<(payload: string) => void>>()
  const beginners = new Set<() => Promise<void>>()
  let client: PoolClient | undefined
  let last: Promise<unknown> = Promise.resolve()
  let connecting: Promise<PoolClient> | undefined
  let retrying = false
  let closed = false

  const drop = (lost: PoolClient): void => {
    if (client !== lost) return
    client = undefined
    lost.release(true)
    if (!closed) void again()
  }
  // One statement at a time: a client has no queue of its own. Between statements the connection may be silent.
  const ask = (on: PoolClient, text: string, values: readonly unknown[] = []): Promise<unknown> => {
    const asked = last.then(async () => {
      limitSilence(on, database.usual)
      try {
        const answer = await on.query(text, [...values])
        noteAnswer(database.pool)
        return answer
      } finally {
        limitSilence(on, undefined)
      }
    })
    last = asked.catch(() => undefined)
    return asked
  }
  // A connection that only waits for notifications does not see that nobody sends any.
  const probing = setInterval(() => {
    if (client) void ask(client, 'select 1').catch(() => undefined)
  }, database.usual.statement / 4).unref()
  const open = async (): Promise<PoolClient> => {
    const opened = await connect(database)
    if (closed) {
      release(database, opened, false)
      throw turnsClosedError()
    }
    client = opened
    last = Promise.resolve()
    limitSilence(opened, undefined)
    opened.on('notification', ({ channel, payload = '' }) => {
      for (const hear of channels.get(channel) ?? []) heardSafely(hear, payload)
    })
    opened.once('end', () => drop(opened))
    opened.once('error', () => drop(opened))
    try {
      for (const channel of channels.keys()) await ask(opened, `listen "${channel}"`)
      for (const begin of beginners) await begin()
    } catch (error) {
      drop(opened)
      throw error
    }
    return opened
  }
  const ready = (): Promise<PoolClient> => {
    if (client) return Promise.resolve(client)
    if (closed) return Promise.reject(turnsClosedError())
    connecting ??= open().finally(() => (connecting = undefined))
    return connecting
  }
  const again = async (): Promise<void> => {
    if (retrying) return
    retrying = true
    while (!closed && !client) {
      await ready().catch(() => undefined)
      if (!client) await new Promise((resolve) => void setTimeout(resolve, retryEvery).unref())
    }
    retrying = false
  }
  const run = async (text: string, values?: readonly unknown[]): Promise<void> => {
    await ask(client ?? (await ready()), text, values)
  }
  return {
    listen: async (channel, hear) => {
      const hearing = channels.get(channel) ?? new Set()
      const own = (payload: string): void => hear(payload)
      channels.set(channel, hearing.add(own))
      if (hearing.size === 1) await run(`listen "${channel}"`)
      else await ready()
      return async () => {
        hearing.delete(own)
        if (hearing.size > 0 || channels.get(channel) !== hearing) return
        channels.delete(channel)
        if (client) await run(`unlisten "${channel}"`).catch(() => undefined)
      }
    },
    run,
    onConnect: (begin) => {
      beginners.add(begin)
      return () => void beginners.delete(begin)
    },
    close: async () => {
      closed = true
      clearInterval(probing)
      await connecting?.catch(() => undefined)
      const last = client
      client = undefined
      last?.release(true)
    },
  }
}
