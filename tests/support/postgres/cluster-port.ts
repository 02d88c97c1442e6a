import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the range from which outgoing connections take theirs, so that none of them has it when a killed server comes
 * back.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const probe = createServer()
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise((resolve) => probe.close(resolve))
    if (free) return port
  }
}
