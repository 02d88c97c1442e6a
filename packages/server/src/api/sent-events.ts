import type { Store, TurnResult } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import { positionFrom } from '../turns/position.ts'
import type { SentTurn } from '../turns/send-turn.ts'
import type { TurnState } from '../turns/turn-state.ts'
import type { StreamEvent, TurnEnd } from './event.ts'
import { watchedEvents } from './watched-events.ts'

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
