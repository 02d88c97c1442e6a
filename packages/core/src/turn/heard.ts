import { MinutebookError } from '../log/error.ts'
import type { ModelEvent } from '../wire/model.ts'

/** The events of a model until its signal aborts, whether or not it heeds that. Whoever stops listening ends the model, and does not wait for it. */
export async function* heard(events: AsyncIterable<ModelEvent>, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
  const source = events[Symbol.asyncIterator]()
  let end = (): void => undefined
  const stop = (): void => end()
  // A promise of its own for each event: one for all would hold on to every event until the model has ended.
  const next = (): Promise<IteratorResult<ModelEvent>> => new Promise((resolve, reject) => {
    end = () => reject(aborted())
    source.next().then(resolve, reject)
  })
  signal.addEventListener('abort', stop, { once: true })
  try {
    while (!signal.aborted) {
      const { value, done } = await next()
      if (done) return
      yield value
    }
    throw aborted()
  } finally {
    signal.removeEventListener('abort', stop)
    leave(source)
  }
}

/** What a model does after nobody listens any more concerns nobody. */
function leave(source: AsyncIterator<ModelEvent>): void {
  const left = async (): Promise<unknown> => source.return?.()
  left().catch(() => undefined)
}

function aborted(): MinutebookError {
  return new MinutebookError('model_aborted', 'The turn was cancelled.')
}
