import { memoryStore, MinutebookError, type Model, type Store } from 'minutebook'
import { expect, test } from 'vitest'
import { assistant, user } from '@minutebook/testing'
import { book } from '../support/book.ts'

/** Fails, after it has said this. */
function failing(said: string): Model {
  return async function* () {
    if (said !== '') yield { type: 'text', text: said }
    throw new MinutebookError('model_error', 'The server failed.', '')
  }
}

const answering: Model = async function* () {
  yield { type: 'end', message: assistant('Four.'), finish: 'stop' }
}

/** Keeps the kinds of entry of each append. */
function watched(): { readonly store: Store; readonly appends: string[][] } {
  const store = memoryStore()
  const appends: string[][] = []
  const append: Store['append'] = async (thread, entries, terms) => {
    appends.push(entries.map(({ kind }) => kind))
    return store.append(thread, entries, terms)
  }
  return { store: { ...store, append }, appends }
}

/** After a crash, a call whose receipt alone is recorded would look as if the turn could go on. */
test.for([
  ['without a word', '', ['settings', 'receipt', 'stop']],
  ['in the middle of an answer', 'The sum', ['settings', 'assistant', 'receipt', 'stop']],
] as const)('a call that fails %s, and the end of its turn, are one append', async ([, said, kinds]) => {
  const { store, appends } = watched()
  const { done } = book({ model: failing(said) }, store)
    .thread('t')
    .send('What is two and two?')
  expect(await done).toMatchObject({ status: 'failed', text: said })
  expect(appends.at(-1)).toEqual(kinds)
})

test('a call whose answer was erased before, and the end of its turn, are one append', async () => {
  const { store, appends } = watched()
  const thread = book({ model: answering }, store).thread('t')
  const { answer } = await thread.send('What is two and two?').done
  await thread.erase([answer!])
  expect(await thread.retry().done).toMatchObject({ status: 'failed', reason: { code: 'erased_before' } })
  expect(appends.at(-1)).toEqual(['receipt', 'stop'])
})

test.for(['cancelled', 'failed'] as const)('a proxied call that %s is one append, like a turn', async (how) => {
  const { store, appends } = watched()
  const relayed = await book({ model: answering }, store)
    .thread('t')
    .relay([user('What is two and two?')])
  await relayed.stop(how, 'The sum')
  expect(appends.at(-1)).toEqual(['settings', 'assistant', 'receipt', 'stop'])
})

test('a proxied answer of another role is refused, and can be given again', async () => {
  const { store } = watched()
  const relayed = await book({ model: answering }, store)
    .thread('t')
    .relay([user('What is two and two?')])
  await expect(relayed.answer({ type: 'end', message: user('Four.'), finish: 'stop' })).rejects.toMatchObject({
    code: 'malformed_message',
  })
  const { answer } = await relayed.answer({ type: 'end', message: assistant('Four.'), finish: 'stop' })
  expect(answer).toMatchObject({ text: 'Four.' })
})
