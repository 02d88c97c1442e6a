import { memoryStore, openBook, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { expect, test } from 'vitest'
import { assistant, scriptedModel, system, user } from '@minutebook/testing'
import { tick } from '../../../../tests/support/tick.ts'

const asked = entryOf(user('?'))

test.each([
  [
    'stops the turn',
    entryOf(system(JSON.stringify({ code: 'c', reason: 'r' })), asked, { kind: 'stop', status: 'cancelled' }),
  ],
  ['answers', entryOf(assistant('!'), asked)],
])('whoever %s before the claim is made is heard, also where the log was read before', async (_, written) => {
  const behind = memoryStore()
  await behind.append('t', [asked])
  const store: Store = {
    ...behind,
    claim: async (thread) => {
      await tick()
      await behind.append(thread, [written])
      return behind.claim(thread)
    },
  }
  const model = scriptedModel([])
  await openBook({ store, model, window: 400 }).thread('t').resume().done
  expect(await behind.read('t')).toHaveLength(2)
})
