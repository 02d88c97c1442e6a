import { defaultPolicy, openBook, type Model, type Policy, type Store } from 'minutebook'

/** Says yes, at once. */
const model: Model = async function* () {
  yield { type: 'end', message: { role: 'assistant', content: 'Yes.' }, finish: 'stop' }
}

export const policies: Readonly<Record<'recall off' | 'recall on', Policy>> = {
  'recall off': defaultPolicy({ recall: 'off' }),
  'recall on': defaultPolicy(),
}

/** A whole turn of a thread by a book that was opened just now, and so knows nothing of it. */
export async function coldTurn(store: Store, thread: string, policy: Policy): Promise<void> {
  const { status } = await openBook({ store, model, window, policy }).thread(thread).send(`And what of ${++count}?`)
    .done
  if (status !== 'complete') throw new Error(`A turn ended as ${status}.`)
}

/** Less than either thread has: so prompts are alike, and what differs is the reading. */
const window = 2048

let count = 0
