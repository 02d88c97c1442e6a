import type { VisibleEntry } from 'minutebook'
import type { Call } from 'minutebook/wire'
import type { ShownEntry } from '../desk.ts'
import type { StreamPosition } from '../turns/position.ts'
import type { TurnState } from '../turns/turn-state.ts'

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

export type TurnEnd = Pick<TurnState, 'turn' | 'answer' | 'status' | 'reason'>

/**
 * An entry as it is told. What hangs together with it goes before it, without a position: so that whoever resumes gets
 * all or nothing of it.
 */
export function eventsOf({ images, ...entry }: VisibleEntry, position?: StreamPosition): StreamEvent[] {
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

export function endOf({ turn, answer, status, reason }: TurnEnd): TurnEnd {
  return { status, turn, answer, ...(reason && { reason }) }
}
