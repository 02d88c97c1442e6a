// How does a thread reach a browser? As server-sent events, in the protocol of the Minutebook server, from any server
// that answers requests with `Response`.
import type { Thread } from './book/thread.ts'
import { systemClock } from './clock.ts'
import { MinutebookError } from './log/error.ts'
import type { Turn } from './turns/turn.ts'
import { checkPosition } from './turns/position.ts'
import { threadEvents, turnEvents } from './watch/stream-events.ts'

export { checkPosition, positionAt } from './turns/position.ts'
export {
  threadEvents,
  turnEvents,
  type StreamEntry,
  type StreamEvent,
  type TurnEndEvent,
} from './watch/stream-events.ts'

/**
 * Answers a request with the events of a thread. A client that comes back with `Last-Event-ID`, as `EventSource` does,
 * gets what follows that event, from any instance. Query parameters: `from`, a position or `start` (default: the running
 * turn), and `until=rest`. A position of another thread is refused with the status 400.
 *
 * With `turn`, the answer has the events of that turn and ends with it. If the turn was refused, for example as `busy`,
 * the answer has the status 409.
 *
 * @example
 * app.get('/threads/:id/stream', (c) => eventStream(book.thread(c.req.param('id')), c.req.raw))
 */
export async function eventStream(
  thread: Thread,
  request: Request,
  { turn }: { readonly turn?: Turn | undefined } = {},
): Promise<Response> {
  const left = new AbortController()
  const sending = { onLeft: () => left.abort() }
  if (turn) {
    const [recorded, position] = await Promise.all([turn.recorded, turn.position])
    if (!recorded) return refused(await turn.done)
    const state = { thread: thread.id, ...placed(recorded), answer: null, text: '', position }
    return eventResponse(after({ event: 'recorded', id: position, data: state }, turnEvents(thread, turn, left)), {
      ...sending,
      status: 202,
    })
  }
  const { searchParams } = new URL(request.url)
  const from = request.headers.get('last-event-id') ?? searchParams.get('from') ?? 'now'
  const until = searchParams.get('until') === 'rest' ? 'rest' : undefined
  try {
    if (from !== 'start' && from !== 'now') checkPosition(from, await thread.standing())
  } catch (error) {
    if (!MinutebookError.isInstance(error) || error.code !== 'invalid_position') throw error
    return problem(400, error)
  }
  return eventResponse(threadEvents(thread, { from, until, signal: left.signal }), sending)
}

async function* after(first: SentEvent, events: AsyncIterable<SentEvent>): AsyncGenerator<SentEvent, void, void> {
  yield first
  yield* events
}

/** A message that was just recorded: its turn runs, or it waits. */
function placed({ id, kind }: { readonly id: string; readonly kind: string }): object {
  return kind === 'user'
    ? { turn: id, pending: null, status: 'running' }
    : { turn: null, pending: id, status: 'waiting' }
}

function refused({ status, reason, error }: Awaited<Turn['done']>): Response {
  const { code = status, message = 'The message was not recorded.', fix = 'Send it again later.' } = reason ?? {}
  return problem(status === 'failed' ? 500 : 409, error ?? new MinutebookError(code, message, fix))
}

function problem(status: number, error: unknown): Response {
  const { code, problem: message, fix } = MinutebookError.isInstance(error) ? error : hidden
  return Response.json({ error: { code, message, fix } }, { status })
}

/** What other errors say is for the developers of the server. */
const hidden = { code: 'failed', problem: 'The message could not be recorded.', fix: 'Try again later.' }

/** An event as it is sent. With an `id`, a stream can be continued after it. */
export interface SentEvent {
  readonly event: string
  readonly data: unknown
  readonly id?: string | undefined
}

/** What to do when a stream ends early. */
export interface StreamOptions {
  /** Called if the client leaves. */
  readonly onLeft: () => void
  /** Called if the events fail. The response is broken off, and the client comes again with its position. */
  readonly onBroken?: (() => void) | undefined
  /** Default: 200. */
  readonly status?: number | undefined
}

/**
 * Sends events as the body of a response, as fast as they are read. A comment now and then keeps proxies from closing
 * the connection. If the client leaves, only the reading ends.
 */
export function eventResponse(
  events: AsyncIterable<SentEvent>,
  { onLeft, onBroken = () => undefined, status = 200 }: StreamOptions,
): Response {
  const iterator = events[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const over = new AbortController()
  /** Whether nothing was sent since the last time. */
  let isQuiet = true
  /** A timer for each event would cost more than the event. */
  const ping = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      await systemClock.after(pingEvery, over.signal)
      if (over.signal.aborted) return
      if (isQuiet && isWaiting) controller.enqueue(encoder.encode(':\n\n'))
      isQuiet = true
    }
  }
  let [isWaiting, isBegun] = [false, false]
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (!isBegun) void ping(controller)
        isBegun = true
        try {
          isWaiting = true
          const { value, done } = await iterator.next()
          isWaiting = isQuiet = false
          if (!done) return controller.enqueue(encoder.encode(eventText(value)))
        } catch {
          onBroken()
        }
        over.abort()
        controller.close()
      },
      cancel: async () => {
        over.abort()
        onLeft()
        await iterator.return?.()
      },
      // Nothing starts before a client reads: a response without a body is never cancelled.
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status, headers: eventHeaders })
}

/** The headers of a response with events. */
export const eventHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** Milliseconds. A silence lasts at most twice as long: proxies close connections that are silent for a minute. */
const pingEvery = 15_000

/** An event as the text that is sent. */
export function eventText({ event, data, id }: SentEvent): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}
