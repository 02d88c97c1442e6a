import { defaultPolicy, openBook, type Model, type Store } from 'minutebook'

/** Says yes, at once. */
const model: Model = async function* () {
  yield { type: 'end', message: { role: 'assistant', content: 'Yes.' }, finish: 'stop' }
}

const policy = defaultPolicy({ recall: 'off' })

/**
 * A whole turn of a thread by a book that was opened just now, and so knows nothing of it. Without recall, it reads a
 * checkpoint and what came after it. `bench:scale` has the turns with recall.
 */
export async function coldTurn(store: Store, thread: string): Promise<void> {
  const { status } = await openBook({ store, model, window, policy }).thread(thread).send(`And what of ${++count}?`)
    .done
  if (status !== 'complete') throw new Error(`A turn ended as ${status}.`)
}

/** Less than either thread has: so prompts are alike, and what differs is the reading. */
const window = 2048

let count = 0
