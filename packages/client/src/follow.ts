import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { errorOf, type Entry, type StreamEvent } from './answers.ts'

/** How a thread is followed. */
export interface FollowOptions {
  /**
   * The `id` of the last event that was seen, or the `position` of a turn. Default: it begins with the running turn.
   */
  readonly from?: string | undefined
  /** `rest`: until no turn runs and nothing waits. */
  readonly until?: 'rest' | undefined
  readonly signal?: AbortSignal | undefined
}

/** The address of a stream. */
export interface StreamPlace {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
}

/** Follows a stream over as many connections as needed: each continues after the last event of the one before. */
export async function* follow(
  place: StreamPlace,
  { from, until, signal }: FollowOptions,
): AsyncGenerator<StreamEvent, void, void> {
  let position = from
  for (let failures = 0; !signal?.aborted;) {
    let last: StreamEvent | undefined
    try {
      for await (const event of connected(place, { from: position, until, signal })) {
        position = event.id ?? position
        last = event
        failures = 0
        yield event
      }
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
      if (error.wait !== undefined) await pause(error.wait, signal)
    }
    // A closing server ends its streams too: a client that waits for the end of a turn has seen it.
    if (until === 'rest' && last?.event === 'end') return
    if (last === undefined) await pause(Math.min(longestPause, firstPause * 2 ** failures++), signal)
  }
}

/** Milliseconds. */
const firstPause = 100
const longestPause = 5000

/** A connection that could not be had, or broke: worth another try. */
class Interrupted extends Error {
  readonly wait: number | undefined

  constructor(wait?: number) {
    super('The stream was interrupted.')
    this.wait = wait
  }
}

async function* connected(
  { address, headers, fetch }: StreamPlace,
  { from, until, signal }: FollowOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const query = new URLSearchParams({ ...(from !== undefined && { from }), ...(until && { until }) })
  const left = new AbortController()
  const leave = (): void => left.abort()
  signal?.addEventListener('abort', leave, { once: true })
  if (signal?.aborted) leave()
  try {
    const response = await fetch(`${address}?${query.toString()}`, {
      headers: { ...headers, accept: 'text/event-stream' },
      signal: left.signal,
    }).catch(() => {
      throw new Interrupted()
    })
    if (isPassing(response.status)) throw new Interrupted(1000 * Number(response.headers.get('retry-after') ?? 1))
    if (!response.ok || !response.body) throw await errorOf(response)
    yield* eventsIn(response.body)
  } catch (error) {
    // What breaks in the middle may be had elsewhere.
    throw error instanceof TypeError || left.signal.aborted ? new Interrupted() : error
  } finally {
    signal?.removeEventListener('abort', leave)
    leave()
  }
}

function isPassing(status: number): boolean {
  return status === 429 || (status >= 502 && status <= 504)
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
}

/**
 * The events of a stream of server-sent events. One that was cut off is left out: it comes again when the stream is
 * opened the next time.
 */
export async function* eventsIn<E extends { readonly event: string; readonly data: unknown } = StreamEvent>(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<E, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const whole: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => void whole.push(message) })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      for (const { event, id, data } of whole.splice(0))
        if (event !== undefined)
          yield { event, ...(id !== undefined && { id }), data: JSON.parse(data) as unknown } as E
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** What a screen shows: entries, and the text of the answer that is being written. */
export interface ThreadView {
  readonly entries: readonly Entry[]
  readonly text: string
  /** Takes an event in. */
  take(event: StreamEvent): void
}

/**
 * Keeps what to show of a thread, from its stream: text in its place, nothing twice, nothing that is void. `shown`: what
 * the page has already. Pass the position after it to the stream.
 *
 * @example
 * const view = createView()
 * for await (const event of client.follow('garden')) {
 *   view.take(event)
 *   render(view.entries, view.text)
 * }
 */
export function createView(shown: readonly Entry[] = []): ThreadView {
  const entries: Entry[] = [...shown]
  let text = ''
  return {
    entries,
    get text() {
      return text
    },
    take: ({ event, data }) => {
      if (event === 'text') text = text.slice(0, data.offset) + data.text
      if (event === 'reset' || event === 'branch') text = ''
      if (event === 'branch')
        entries.splice(entries.findIndex(({ id }) => id === data.after) + 1, Infinity, ...data.entries)
      if (event !== 'entry') return
      if (entries.every(({ id }) => id !== data.id)) entries.push(data)
      if (data.kind === 'assistant' || data.kind === 'stop') text = ''
    },
  }
}
