// A bare proxy: the least that a gateway in this language can do. With --append every chat is first written down, once.
import { createServer, request, Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { openBare } from '../bare-sqlite.ts'
import { bareOf, makeTurns } from '../turn-log.ts'
import { listen } from './listening.ts'

const upstream = new URL(process.env['MINUTEBOOK_UPSTREAMS'] ?? '')
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const append = process.argv.includes('--append') ? appender() : () => undefined

listen(createServer({ noDelay: true }, tap))

function tap(incoming: IncomingMessage, response: ServerResponse): void {
  if (incoming.method === 'POST') append()
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
function appender(): () => void {
  const entries = makeTurns(5000).map(({ question }) => bareOf(question))
  const database = openBare(join(process.env['MINUTEBOOK_DATA'] ?? '.', 'bare.db'), { indexEvery: 64 })
  let next = 0
  return () => {
    const entry = entries[next % entries.length]!
    database.append([
      { ...entry, id: next < entries.length ? entry.id : `${entry.id.slice(0, -8)}${String(next).padStart(8, '0')}` },
    ])
    next++
  }
}
