import { errorOf } from './api-error.ts'
import { eventsIn } from './events.ts'
import type { StreamEvent } from './types.ts'

export interface FollowOptions {
  /**
   * The `id` of the last event that was seen, or the `position` of a turn. Unless told, it begins with the turn that
   * runs.
   */
  readonly from?: string | undefined
  /** `rest`: until no turn runs and nothing waits. */
  readonly until?: 'rest' | undefined
  readonly signal?: AbortSignal | undefined
}

/** Where a stream is found. */
export interface StreamPlace {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
}

/** Follows a stream over as many connections as it takes: each goes on behind the last event of the one before. */
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
    // A server that closes ends its streams, too: whoever waits for the end of a turn has seen it.
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
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
