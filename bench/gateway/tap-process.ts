// A bare proxy: the least that a gateway in this language can do. With --append every chat is first written down, once:
// in an SQLite file, or in the Postgres of MINUTEBOOK_DATABASE if that is set.
import { createServer, request, Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import { openBare, type BareEntry } from '../bare-sqlite.ts'
import { bareOf, makeTurns } from '../turn-log.ts'
import { listen } from './listening.ts'

const upstream = new URL(process.env['MINUTEBOOK_UPSTREAMS'] ?? '')
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const database = process.env['MINUTEBOOK_DATABASE']
const append = process.argv.includes('--append') ? await appender() : () => undefined

listen(createServer({ noDelay: true }, (incoming, response) => void tap(incoming, response)))

async function tap(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  if (incoming.method === 'POST') await append()
  const { method, url: path, headers } = incoming
  const call = request(
    {
      agent,
      hostname: upstream.hostname,
      port: upstream.port,
      method,
      path,
      headers: { ...headers, host: upstream.host },
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('data', (bytes: Uint8Array) => void response.write(bytes))
      answer.on('end', () => response.end())
      answer.on('error', () => response.destroy())
    },
  )
  call.on('error', () => response.destroy())
  response.on('close', () => call.destroy())
  incoming.pipe(call)
}

/** Appends one entry after the other, from a stock of them. */
async function appender(): Promise<() => unknown> {
  const entries = makeTurns(5000).map(({ question }) => bareOf(question))
  if (database !== undefined) return postgresAppender(database, entries)
  const file = openBare(join(process.env['MINUTEBOOK_DATA'] ?? '.', 'bare.db'), { indexEvery: 64 })
  let next = 0
  return () => {
    const entry = entries[next % entries.length]!
    file.append([
      { ...entry, id: next < entries.length ? entry.id : `${entry.id.slice(0, -8)}${String(next).padStart(8, '0')}` },
    ])
    next++
  }
}

/** One row in one statement: on the disk before the upstream is asked. */
async function postgresAppender(url: string, entries: readonly BareEntry[]): Promise<() => Promise<unknown>> {
  const pool = new pg.Pool({ connectionString: url, max: 20 })
  await pool.query('create table if not exists bare_entry (seq bigserial primary key, payload text not null)')
  const text = 'insert into bare_entry (payload) values ($1)'
  let next = 0
  return () => pool.query({ name: 'append', text, values: [entries[next++ % entries.length]!.payload] })
}
