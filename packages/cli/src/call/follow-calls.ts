import type { ListedCall } from '@minutebook/server'
import { setTimeout } from 'node:timers/promises'
import { MinutebookError } from 'minutebook'
import type { Connection } from '../connection/connection.ts'
import { safeJson } from '../terminal/failure.ts'
import { untilStopped, type Terminal } from '../terminal/terminal.ts'
import { callTable, newestCalls, type WantedCalls } from './call-list.ts'

/**
 * Prints the newest calls, the newest last, and below them each call that ends, until a signal comes. Throws if the
 * record cannot be reached any more.
 */
export async function followCalls(
  connection: Connection,
  asked: WantedCalls,
  terminal: Terminal,
  { json = false }: { readonly json?: boolean | undefined },
): Promise<0> {
  checkWriter(connection)
  const { archive } = connection
  const stop = new AbortController()
  const stopped = untilStopped(terminal, async () => stop.abort())
  // The clock of the record: that of a server elsewhere may differ from this one.
  let newest = (await archive.calls({ limit: 1 })).calls[0]?.ended
  const { calls: first, next } = await newestCalls(archive, { ...asked, limit: Math.max(asked.limit, fewestKnown) })
  const oldest = next === undefined ? '' : (first.at(-1)?.ended ?? '')
  const shown = first.slice(0, asked.limit).toReversed()
  const { heading, row } = callTable(shown, terminal, Date.now())
  const print = (call: ListedCall): void => terminal.print(json ? safeJson(call) : row(call))
  if (!json) terminal.print(heading)
  shown.forEach(print)

  let known = new Set(first.map(keyOf))
  while (!stop.signal.aborted) {
    await setTimeout(every, undefined, { signal: stop.signal }).catch(() => undefined)
    // Of all calls, not only of those that are asked for: else a filter looks ever further back. Read before these, so
    // that none can come in between.
    const latest = (await archive.calls({ limit: 1 })).calls[0]?.ended
    const { calls } = await newestCalls(archive, { ...asked, since: later(asked.since, newest), limit: mostNew })
    const added = calls.filter((call) => !known.has(keyOf(call)) && call.ended >= oldest)
    added.toReversed().forEach(print)
    known = new Set(calls.map(keyOf))
    if (newest === undefined || (latest !== undefined && latest > newest)) newest = latest
  }
  await stopped
  return 0
}

/** How many calls are known at least before the first new one: calls that end together may be recorded in any order. */
const fewestKnown = 100
const mostNew = 10_000
/** Milliseconds. */
const every = 1000
/** A call may be recorded so much later than one that ended after it. */
const overlap = 5000

/** The time from which on calls may be new. */
function later(since: string | undefined, newest: string | undefined): string | undefined {
  if (newest === undefined) return since
  const from = new Date(Date.parse(newest) - overlap).toISOString()
  return since !== undefined && since > from ? since : from
}

function keyOf({ thread, receipt }: ListedCall): string {
  return `${receipt} ${thread}`
}

/** Without a server, only this process can open a data folder, and it writes no calls. */
function checkWriter({ server, file, config, command }: Connection): void {
  if (server === undefined && file === undefined && config.database === undefined)
    throw new MinutebookError(
      'no_server',
      'No server is running on this data folder, so no new call can come.',
      `Start one with: ${command('serve')}. To follow the file of a program: minutebook calls chat.db --follow`,
    )
}
