import { memoryStore, type Message, type Relay, type Store } from 'minutebook'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { assistant, user, words } from '@minutebook/testing'
import { relayBook, said } from '../../../../tests/support/relays.ts'

/** A store that tells the places of entries at once. The append is over when `disk` is. */
function withDisk(store: Store, disk: () => Promise<void>): Store {
  return {
    ...store,
    append: async (thread, entries, terms) => {
      const appended = await store.append(thread, entries, terms)
      if (appended.ok) terms?.placed?.(appended.entries)
      await disk()
      return appended
    },
  }
}

const history: readonly Message[] = [user('Hi'), assistant('Hello!'), user('How are you?')]

/** What a relay decided. */
function decisionOf({ question, mode, messages, prediction, held }: Relay): object {
  return { question: question.id, mode, messages, prediction, held }
}

test('a relay is decided while the disk works, and is there only when the question is on it', async () => {
  let open: () => void = () => undefined
  const disk = new Promise<void>((resolve) => void (open = resolve))
  let counted = 0
  const counter = { ...words, count: (text: string) => (counted++, words.count(text)) }
  const relaying = relayBook(
    { counter },
    withDisk(memoryStore(), () => disk),
  )
    .thread('t')
    .relay(history)
  let relay: Relay | undefined
  void relaying.then((decided) => (relay = decided))
  for (let turns = 0; turns < 20; turns++) await turn()
  expect(counted).toBeGreaterThan(0)
  expect(relay).toBeUndefined()
  open()
  const plain = await relayBook().thread('t').relay(history)
  expect(decisionOf(await relaying)).toEqual(decisionOf(plain))
})

test('if the disk fails there is no relay, and the same messages are recorded once when it works again', async () => {
  const store = memoryStore()
  let isBroken = true
  const failing = withDisk(store, async () => {
    if (isBroken) throw new Error('The disk is gone.')
  })
  const thread = relayBook({}, failing).thread('t')
  await expect(thread.relay(history)).rejects.toThrow('The disk is gone.')
  isBroken = false
  const relay = await thread.relay(history)
  await relay.answer(said('Fine.'))
  const texts = (await store.read('t')).filter(({ kind }) => kind === 'user' || kind === 'assistant')
  expect(texts.map(({ text }) => text)).toEqual(['Hi', 'Hello!', 'How are you?', 'Fine.'])
})
