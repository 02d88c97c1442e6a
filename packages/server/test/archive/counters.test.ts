import { openBook, type TokenCounter } from 'minutebook'
import { receiptsOf } from 'minutebook/inspect'
import { scriptedModel } from '@minutebook/testing'
import { expect, test } from 'vitest'
import { openArchive } from '../../src/archive/open-archive.ts'
import { recorded } from '../../../../tests/support/server/recorded.ts'

const words: TokenCounter = { name: 'my words', count: (text) => text.split(' ').length, overhead: 2 }
const letters: TokenCounter = { name: 'my letters', count: (text) => text.length, overhead: 2 }

test('the prompt of each call is made with its own counter, also if others have newer settings', async () => {
  const { store } = await recorded({ garden: ['one'] }, [], { counter: words })
  for (const counter of [letters, words]) {
    const model = scriptedModel(['an answer'], { model: 'strict', wire: 'ollama' })
    const book = openBook({ store, model, window: 4096, journal: false, counter })
    await book.thread('garden').send(`counted by ${counter.name}`).done
  }
  const log = await store.read('garden')
  expect(log.filter(({ kind }) => kind === 'settings')).toHaveLength(2)
  const archive = openArchive(store, { counters: [words, letters] })
  expect(await archive.dump('garden')).toMatchObject({ same: true })
  for (const { id } of receiptsOf(log)) {
    expect(await archive.dump('garden', { receipt: id })).toMatchObject({ same: true })
    expect(await archive.dump('garden', { receipt: id.slice(0, 16) })).toMatchObject({ same: true })
  }
})
