import { Buffer } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { UpstreamFaults } from './faults.ts'

/** An answer that is ready to go out. */
export interface Delivery {
  readonly type: string
  readonly chunks: readonly string[]
  /** The chunk that says that the server failed. */
  readonly error: string
}

/** Where an answer goes. */
export interface Recipient {
  readonly response: ServerResponse
  readonly closed: Promise<void>
  /** Says that from here on it is no longer the client that breaks off. */
  readonly over: () => void
}

/** Sends an answer, with all that goes wrong on the way. */
export async function deliver(recipient: Recipient, { type, chunks, error }: Delivery, faults: UpstreamFaults): Promise<void> {
  const { response, closed, over } = recipient
  if (faults.stallAfter === 0) return closed
  if (faults.abortAfter === 0) return destroy(recipient)
  response.socket?.setNoDelay(true)
  response.writeHead(200, { 'content-type': type })
  for (let sent = 0; sent <= chunks.length; sent++) {
    if (sent === faults.stallAfter) return closed
    if (sent === faults.abortAfter) return destroy(recipient)
    if (sent === faults.endAfter) break
    if (sent === faults.errorAfter) {
      await write(recipient, error, faults, true)
      break
    }
    const chunk = chunks[sent]
    if (chunk === undefined) break
    if (faults.delay !== undefined) await setTimeout(faults.delay)
    await write(recipient, chunk, faults, sent === chunks.length - 1 && faults.stallAfter === undefined)
  }
  over()
  response.end()
}

/** Writes in pieces, each on its way before the next one follows, as long as somebody listens. */
async function write({ response, over }: Recipient, text: string, { split }: UpstreamFaults, isLast: boolean): Promise<void> {
  const bytes = Buffer.from(text)
  const step = split ?? Math.max(1, bytes.length)
  for (let from = 0; from < bytes.length && !response.destroyed; from += step) {
    if (isLast && from + step >= bytes.length) over()
    await new Promise<void>((resolve) => response.write(bytes.subarray(from, from + step), () => resolve()))
    await setImmediate()
  }
}

function destroy({ response, over }: Recipient): void {
  over()
  response.socket?.destroy()
}
