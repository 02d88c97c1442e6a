import { visible, type Store, type Thread, type WatchPosition } from 'minutebook'
import type { StreamPosition } from '../turns/position.ts'
import { saidAgain } from '../turns/said-again.ts'
import { newestTurn } from '../turns/turn-state.ts'
import { endOf, eventsOf, type StreamEvent, type TurnEnd } from './event.ts'

/** A thread as it is told over HTTP. */
export interface Telling {
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
}: Telling): AsyncGenerator<StreamEvent, void, void> {
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
          end.answer !== null && !isKnown ? await saidAgain(store, thread.id, end.answer, { since, length }) : undefined
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
export async function startOf(store: Store, thread: string): Promise<WatchPosition> {
  const { length } = await store.standing(thread)
  const turn = await newestTurn(store, thread, length)
  const isRunning = turn?.status === 'running'
  return { seq: isRunning ? Number(turn.position.split('.', 1)[0]) : length, term: 0, offset: 0 }
}
