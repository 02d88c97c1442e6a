import { positionText, type StreamPosition } from '../turns/state.ts'

/**
 * Sends events as the body of a response, as fast as they are read. A comment now and then keeps proxies from closing
 * the connection. If the client leaves, only the reading ends. A failure breaks the response off, and the client comes
 * again with its position.
 */
export function eventStream(
  events: AsyncIterable<SentEvent>,
  { onLeft, onBroken, status = 200 }: EventStreamOptions,
): Response {
  const iterator = events[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let coming: Promise<IteratorResult<SentEvent>> | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          coming ??= iterator.next()
          const next = await within(coming, pingEvery)
          if (next === 'late') return controller.enqueue(encoder.encode(':\n\n'))
          coming = undefined
          if (next.done) controller.close()
          else controller.enqueue(encoder.encode(textOf(next.value)))
        } catch {
          onBroken()
          controller.close()
        }
      },
      cancel: async () => {
        onLeft()
        await iterator.return?.()
      },
      // Nothing starts before a client reads: a response without a body is never cancelled.
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    status,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

/** An event as it is sent. If it has a position, a stream can be resumed from there. */
export interface SentEvent {
  readonly event: string
  readonly data: unknown
  readonly position?: StreamPosition
}

export interface EventStreamOptions {
  readonly onLeft: () => void
  readonly onBroken: () => void
  readonly status?: number
}

/** Milliseconds. */
const pingEvery = 15_000

function textOf({ event, data, position }: SentEvent): string {
  const id = position ? `id: ${positionText(position)}\n` : ''
  return `event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`
}

async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      promise,
      new Promise<'late'>((resolve) => (timer = setTimeout(resolve, milliseconds, 'late'))),
    ])
  } finally {
    clearTimeout(timer)
  }
}
