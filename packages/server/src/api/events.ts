import type { Store, Thread, TurnResult, VisibleEntry, WatchPosition } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import type { Call } from 'minutebook/wire'
import type { ShownEntry } from '../archive/archive.ts'
import type { BegunRelay } from '../turns/relay.ts'
import { newestTurn, positionFrom, type StreamPosition, type TurnState } from '../turns/state.ts'
import type { SentTurn } from '../turns/turns.ts'

/** The events of a stream. */
export type StreamEvent =
  /** The message is recorded. First in the stream of a turn that was just sent. */
  | { readonly event: 'recorded'; readonly data: TurnState; readonly position?: StreamPosition }
  /** A piece of the text of the running model call, to be put at `offset`. */
  | {
      readonly event: 'text'
      readonly data: { readonly term: number; readonly offset: number; readonly text: string }
      readonly position?: StreamPosition
    }
  /** The text of the running model call so far is void. */
  | { readonly event: 'reset'; readonly data: { readonly term: number }; readonly position?: StreamPosition }
  /** The model calls a tool. */
  | {
      readonly event: 'call'
      readonly data: { readonly entry: string; readonly call: Call }
      readonly position?: StreamPosition
    }
  /** A tool has answered. */
  | {
      readonly event: 'result'
      readonly data: {
        readonly entry: string
        readonly call: { readonly id?: string; readonly name?: string }
        readonly status: string
        readonly text: string
      }
      readonly position?: StreamPosition
    }
  /** An entry that people see. It replaces the text that was shown for it. */
  | { readonly event: 'entry'; readonly data: ShownEntry; readonly position?: StreamPosition }
  /** The newest branch is another one: these entries replace those that follow `after`, or all if it is null. */
  | {
      readonly event: 'branch'
      readonly data: { readonly after: string | null; readonly entries: readonly ShownEntry[] }
      readonly position?: StreamPosition
    }
  /** A turn is over. */
  | { readonly event: 'end'; readonly data: TurnEnd; readonly position?: StreamPosition }

type TurnEnd = Pick<TurnState, 'turn' | 'answer' | 'status' | 'reason'>

/**
 * An entry as events. What belongs to it goes before it and has no position, so a client that resumes gets all of it or
 * nothing.
 */
function eventsOf(entry: VisibleEntry, position?: StreamPosition): StreamEvent[] {
  const calls = entry.calls.map((call): StreamEvent => ({ event: 'call', data: { entry: entry.id, call } }))
  const results: StreamEvent[] =
    entry.kind === 'tool'
      ? [
          {
            event: 'result',
            data: { entry: entry.id, call: entry.answers ?? {}, status: entry.status, text: entry.text },
          },
        ]
      : []
  return [...calls, ...results, { event: 'entry', data: shownOf(entry), ...(position && { position }) }]
}

function shownOf({ images, ...entry }: VisibleEntry): ShownEntry {
  return { ...entry, images: images.length }
}

function endOf({ turn, answer, status, reason }: TurnEnd): TurnEnd {
  return { status, turn, answer, ...(reason && { reason }) }
}

/** A message that is recorded. */
export interface SentMessage {
  readonly store: Store
  readonly recorded: StoredEntry
  readonly state: TurnState
  readonly signal: AbortSignal
}

/** What happens to a message from when it is recorded until its turn is over. */
export async function* sentEvents(
  { thread, turn }: SentTurn,
  { store, recorded, state, signal }: SentMessage,
): AsyncGenerator<StreamEvent, void, void> {
  yield { event: 'recorded', data: state, position: positionFrom(state.position) }
  const left = new AbortController()
  const leave = (): void => left.abort()
  signal.addEventListener('abort', leave, { once: true })
  // A message that was withdrawn while it waited has no turn that could end.
  let takenBack: TurnResult | undefined
  void turn.done.then((result) => {
    if (result.turn !== null) return
    takenBack = result
    leave()
  })
  const isOver = async ({ turn: ended }: TurnEnd): Promise<boolean> =>
    ended === (await turnOf(store, thread.id, recorded))
  yield* watchedEvents({ thread, store, from: positionFrom(state.position), signal: left.signal, isOver })
  if (takenBack && !signal.aborted)
    yield {
      event: 'end',
      data: {
        status: takenBack.status === 'cancelled' ? 'cancelled' : 'failed',
        turn: null,
        answer: null,
        ...(takenBack.reason && { reason: takenBack.reason }),
      },
    }
}

/** The turn that a message began; undefined while it waits. */
async function turnOf(store: Store, thread: string, { id, kind, key }: StoredEntry): Promise<string | undefined> {
  if (kind === 'user') return id
  const sent = key === undefined ? [] : await store.read(thread, { key })
  return sent.find((entry) => entry.kind === 'user')?.id
}

/** A thread as it is streamed over HTTP. */
export interface TurnStream {
  readonly thread: Thread
  readonly store: Store
  readonly from: StreamPosition
  readonly signal: AbortSignal
  /** Returns whether the stream ends after this end of a turn. `length`: how many entries the log had then. */
  readonly isOver: (end: TurnEnd, length: number) => Promise<boolean> | boolean
}

/** What people see of a thread from a position on, on whichever instance its turns run. */
export async function* watchedEvents({
  thread,
  store,
  from,
  signal,
  isOver,
}: TurnStream): AsyncGenerator<StreamEvent, void, void> {
  /** Where the turn before ended, or where the stream begins. */
  let since = from.seq
  let isTold = from.isEnd ?? false
  for await (const seen of thread.watch({ from, signal })) {
    switch (seen.type) {
      case 'entry':
        yield* eventsOf(seen.entry, seen.position)
        break
      case 'text':
        yield {
          event: 'text',
          data: { term: seen.term, offset: seen.offset, text: seen.text },
          position: seen.position,
        }
        break
      case 'branch':
        yield {
          event: 'branch',
          data: { after: seen.after, entries: seen.entries.map(shownOf) },
          position: seen.position,
        }
        break
      case 'reset':
        yield { event: 'reset', data: { term: seen.term }, position: seen.position }
        break
      case 'rest': {
        const length = seen.position.seq
        const turn = await newestTurn(store, thread.id, length)
        const end = endOf(turn ?? nothing)
        const isLast = await isOver(end, length)
        const isKnown = isTold && !(await hasMoved(store, thread.id, since, length))
        // A client that waits for the end of all turns gets this too.
        if ((turn && !isKnown) || isLast) yield { event: 'end', data: end, position: { ...seen.position, isEnd: true } }
        if (isLast) return
        isTold = true
        since = length
      }
    }
  }
}

/** Whether a turn began or ended in this part of a log. */
async function hasMoved(store: Store, thread: string, from: number, to: number): Promise<boolean> {
  return (await store.read(thread, { from, to })).some(
    ({ kind }) => kind === 'user' || kind === 'retry' || kind === 'receipt' || kind === 'stop',
  )
}

/** For a thread in which nothing was said. */
const nothing: TurnEnd = { status: 'complete', turn: null, answer: null }

/** Where a client without a position starts: at the running turn, or else at the end. */
export async function streamStart(store: Store, thread: string): Promise<WatchPosition> {
  const { length } = await store.standing(thread)
  const turn = await newestTurn(store, thread, length)
  const isRunning = turn?.status === 'running'
  return { seq: isRunning ? Number(turn.position.split('.', 1)[0]) : length, term: 0, offset: 0 }
}

export interface RelayStream {
  readonly signal: AbortSignal
  /** The turn as it is now. */
  readonly state: () => Promise<TurnState>
  /** Called when the answer, or its absence, is recorded. */
  readonly over: () => void
}

/**
 * What happens to a relay from when its question is recorded until its answer is. The relay stops if the client leaves.
 */
export async function* relayEvents(
  begun: BegunRelay,
  { signal, state, over }: RelayStream,
): AsyncGenerator<StreamEvent, void, void> {
  const pieces: string[] = []
  let wake: () => void = () => undefined
  const stir = (): void => wake()
  let isOver = false
  let problem: { readonly error: unknown } | undefined
  const running = begun
    .run(signal, (text) => {
      pieces.push(text)
      stir()
    })
    .catch((error: unknown) => void (problem = { error }))
    .finally(() => {
      isOver = true
      over()
      stir()
    })
  yield { event: 'recorded', data: { ...(await state()), status: 'running' } }
  for (let offset = 0; !isOver || pieces.length > 0;) {
    if (pieces.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
        if (isOver) resolve()
      })
      continue
    }
    const text = pieces.splice(0).join('')
    yield { event: 'text', data: { term: 0, offset, text } }
    offset += text.length
  }
  await running
  if (problem) throw problem.error
  yield { event: 'end', data: endOf(await state()) }
}
