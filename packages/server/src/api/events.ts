import type { StreamEvent as ThreadEvent } from 'minutebook/http'
import type { BegunRelay } from '../turns/relay.ts'
import type { TurnState } from '../turns/state.ts'

/** The events of a stream. */
export type StreamEvent =
  | ThreadEvent
  /** The message is recorded. First in the stream of a turn that was just sent. */
  | { readonly event: 'recorded'; readonly data: TurnState; readonly id?: string }

/** The events of a turn, after the event that its message is recorded. */
export async function* sentEvents(
  state: TurnState,
  events: AsyncIterable<StreamEvent>,
): AsyncGenerator<StreamEvent, void, void> {
  yield { event: 'recorded', data: state, id: state.position }
  yield* events
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
    yield { event: 'text', data: { offset, text } }
    offset += text.length
  }
  await running
  if (problem) throw problem.error
  const { status, turn, answer, reason, waiting } = await state()
  if (status !== 'running' && status !== 'queued')
    yield { event: 'end', data: { status, turn, answer, ...(reason && { reason }), ...(waiting && { waiting }) } }
}
