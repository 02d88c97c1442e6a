import { visible, type Store, type Thread, type TurnResult, type VisibleEntry, type WatchPosition } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import type { Call } from 'minutebook/wire'
import type { ShownEntry } from '../archive/archive.ts'
import type { BegunRelay } from '../turns/relay.ts'
import { newestTurn, positionFrom, repeatedAnswer, type StreamPosition, type TurnState } from '../turns/state.ts'
import type { SentTurn } from '../turns/turns.ts'

/** What a stream tells. */
export type StreamEvent =
  /** The message is on record. First in the stream of a turn that was just sent. */
  | { readonly event: 'recorded'; readonly data: TurnState; readonly position?: StreamPosition }
  /** A piece of what the running model call says, to be put at `offset`. */
  | {
      readonly event: 'text'
      readonly data: { readonly term: number; readonly offset: number; readonly text: string }
      readonly position?: StreamPosition
    }
  /** The text so far of the running model call is void. */
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
  /** An entry that people see. It takes the place of the text that was shown. */
  | { readonly event: 'entry'; readonly data: ShownEntry; readonly position?: StreamPosition }
  /** A turn is over. */
  | { readonly event: 'end'; readonly data: TurnEnd; readonly position?: StreamPosition }

type TurnEnd = Pick<TurnState, 'turn' | 'answer' | 'status' | 'reason'>

/**
 * An entry as it is told. What hangs together with it goes before it, without a position: so that whoever resumes gets
 * all or nothing of it.
 */
function eventsOf({ images, ...entry }: VisibleEntry, position?: StreamPosition): StreamEvent[] {
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
  return [
    ...calls,
    ...results,
    { event: 'entry', data: { ...entry, images: images.length }, ...(position && { position }) },
  ]
}

function endOf({ turn, answer, status, reason }: TurnEnd): TurnEnd {
  return { status, turn, answer, ...(reason && { reason }) }
}

/** A message that is on record. */
export interface SentMessage {
  readonly store: Store
  readonly recorded: StoredEntry
  readonly state: TurnState
  readonly signal: AbortSignal
}

/** What happens to a message from when it is on record until its turn is over. */
export async function* sentEvents(
  { thread, turn }: SentTurn,
  { store, recorded, state, signal }: SentMessage,
): AsyncGenerator<StreamEvent, void, void> {
  yield { event: 'recorded', data: state, position: positionFrom(state.position) }
  const left = new AbortController()
  const leave = (): void => left.abort()
  signal.addEventListener('abort', leave, { once: true })
  // A message that was taken back while it waited has no turn that could end.
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

/** A thread as it is told over HTTP. */
export interface TurnStream {
  readonly thread: Thread
  readonly store: Store
  readonly from: StreamPosition
  readonly signal: AbortSignal
  /** Whether no more is told after this end of a turn, where the log had so many entries. */
  readonly isOver: (end: TurnEnd, length: number) => Promise<boolean> | boolean
}

/** What is seen of a thread from a position on, on whatever instance its turns run. */
export async function* watchedEvents({
  thread,
  store,
  from,
  signal,
  isOver,
}: TurnStream): AsyncGenerator<StreamEvent, void, void> {
  /** Where the turn before ended, or all of this begins. */
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
      case 'reset':
        yield { event: 'reset', data: { term: seen.term }, position: seen.position }
        break
      case 'rest': {
        const length = seen.position.seq
        const turn = await newestTurn(store, thread.id, length)
        const end = endOf(turn ?? nothing)
        const isLast = await isOver(end, length)
        const isKnown = isTold && !(await hasMoved(store, thread.id, since, length))
        const again =
          end.answer !== null && !isKnown
            ? await repeatedAnswer(store, thread.id, end.answer, { since, length })
            : undefined
        // Without a position of its own: whoever resumes gets both, or neither.
        for (const entry of again ? visible([again]) : []) yield* eventsOf(entry)
        // Whoever waits for rest is told even so.
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

/** Where nothing was ever said. */
const nothing: TurnEnd = { status: 'complete', turn: null, answer: null }

/** Where someone begins who names no position: with the turn that runs, or else behind all that there is. */
export async function streamStart(store: Store, thread: string): Promise<WatchPosition> {
  const { length } = await store.standing(thread)
  const turn = await newestTurn(store, thread, length)
  const isRunning = turn?.status === 'running'
  return { seq: isRunning ? Number(turn.position.split('.', 1)[0]) : length, term: 0, offset: 0 }
}

export interface RelayStream {
  readonly signal: AbortSignal
  /** The turn as it stands now. */
  readonly state: () => Promise<TurnState>
  /** Called when the answer, or that there is none, is on record. */
  readonly over: () => void
}

/** What happens to a relay from when its question is on record until its answer is. Whoever leaves stops it. */
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
