// How do events reach a client? They are written to its connection directly: a web stream would cost more than the rest
// of the way of a piece of text.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { eventHeaders, eventText, type SentEvent } from 'minutebook/http'
import type { ServerResponse } from 'node:http'

export interface EventStreamOptions {
  readonly status: number
  /** Called if the client leaves before the end. */
  readonly onLeft: () => void
}

/**
 * Answers with events, as fast as the client reads them. If they fail, the connection is broken off: the client comes
 * again with its position. Returns what the router must be told.
 */
export function sendEvents(
  response: ServerResponse,
  events: AsyncIterable<SentEvent>,
  { status, onLeft }: EventStreamOptions,
): Response {
  response.writeHead(status, { ...eventHeaders, 'x-content-type-options': 'nosniff' })
  void write(response, events, onLeft).catch(() => response.destroy())
  return new Response(null, { headers: RESPONSE_ALREADY_SENT.headers })
}

async function write(response: ServerResponse, events: AsyncIterable<SentEvent>, onLeft: () => void): Promise<void> {
  const iterator = events[Symbol.asyncIterator]()
  let goOn: () => void = () => undefined
  const left = (): void => {
    if (!response.writableEnded) onLeft()
    goOn()
  }
  response.once('close', left)
  response.on('drain', () => goOn())
  const { socket } = response
  let isHeld = false
  /** What comes in one turn of the event loop leaves together. */
  const hold = (): void => {
    if (isHeld) return
    isHeld = true
    socket?.cork()
    setImmediate(() => {
      isHeld = false
      socket?.uncork()
    })
  }
  let isQuiet = true
  const pings = setInterval(() => {
    if (isQuiet && !response.writableNeedDrain) response.write(':\n\n')
    isQuiet = true
  }, pingEvery).unref()
  try {
    if (response.closed || response.destroyed) return left()
    hold()
    response.flushHeaders()
    for (;;) {
      const { value, done } = await iterator.next()
      if (done || response.destroyed) break
      isQuiet = false
      hold()
      if (!response.write(eventText(value)) && !response.destroyed)
        await new Promise<void>((resolve) => (goOn = resolve))
    }
    response.end()
  } finally {
    clearInterval(pings)
    response.off('close', left)
    await iterator.return?.()
  }
}

/** Milliseconds. A silence lasts at most twice as long: proxies close connections that are silent for a minute. */
const pingEvery = 15_000
