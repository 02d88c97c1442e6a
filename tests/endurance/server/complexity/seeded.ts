// For `node --import`: compares each message of a chat with each other one, as a careless hand might, to see that the
// measurement notices.
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

subscribe('http.server.request.start', (started) => {
  const { request } = started as { readonly request: IncomingMessage }
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => void pieces.push(piece))
  request.on('end', () => {
    const contents = Buffer.concat(pieces).toString().split('"role"')
    for (const one of contents) if (contents.filter((other) => other === one).length === 0) throw new Error('never')
  })
})
