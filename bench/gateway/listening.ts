import { renameSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'

/** For a server that `startChild` starts: listens, leaves the address where it is looked for, and ends when told. */
export function listen(server: Server): void {
  // Longer than any side waits for its turn: a connection must not close while a client takes it up again.
  server.keepAliveTimeout = 600_000
  const folder = process.env['MINUTEBOOK_DATA'] ?? '.'
  server.listen(Number(process.env['MINUTEBOOK_PORT'] ?? 0), '127.0.0.1', () => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port.')
    const draft = join(folder, `server.json.${process.pid}`)
    writeFileSync(draft, JSON.stringify({ url: `http://127.0.0.1:${address.port}`, pid: process.pid }))
    renameSync(draft, join(folder, 'server.json'))
  })
  process.once('SIGTERM', () => process.exit(0))
}
