import { createServer, type AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A listener that nobody has a reason to speak to. */
export interface Decoy {
  readonly port: number
  /** How often somebody did. */
  readonly connections: () => number
}

export async function decoy(): Promise<Decoy> {
  let count = 0
  const server = createServer((socket) => {
    count++
    socket.destroy()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, connections: () => count }
}
