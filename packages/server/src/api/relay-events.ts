import type { BegunRelay } from '../turns/relay-turn.ts'
import type { TurnState } from '../turns/turn-state.ts'
import { endOf, type StreamEvent } from './event.ts'

export interface RelayTelling {
  readonly signal: AbortSignal
  /** The turn as it stands now. */
  readonly state: () => Promise<TurnState>
  /** Called when the answer, or that there is none, is on record. */
  readonly over: () => void
}

/** What happens to a relay from when its question is on record until its answer is. Whoever leaves stops it. */
export async function* relayEvents(
  begun: BegunRelay,
  { signal, state, over }: RelayTelling,
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
