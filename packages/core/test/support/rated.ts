import { openBook, type Store, type Thread } from 'minutebook'
import { scriptedModel } from '@minutebook/testing'
import { readers } from './everything.ts'

/** A thread with messages that people rated: with all that feedback can have, replaced, taken back, and erased. */
export async function rated(store: Store): Promise<Thread> {
  const answers = ['The castle.', 'A lift leads up.', 'Trout.', 'It is noted.']
  const model = scriptedModel(answers, { wire: 'openai', model: 'scripted' })
  const thread = openBook({ store, model, ...readers, journal: false }).thread('rated')
  const said: string[] = []
  for (const text of ['What should we see?', 'Lena sits in a wheelchair.', 'I eat no fish.', 'The code is 1234.']) {
    await thread.send(text).done
    said.push((await thread.entries()).findLast(({ kind }) => kind === 'assistant')!.id)
  }
  const [castle, lift, trout, noted] = said as [string, string, string, string]
  await thread.rate(castle, { rating: 'down', by: 'ann' })
  await thread.rate(castle, { rating: 'up', comment: 'She liked it.', tags: ['travel', 'first'], by: 'ann' })
  await thread.rate(castle, { rating: 'down', by: 'ben' })
  await thread.rate(lift, { tags: ['access'] })
  await thread.rate(trout, { rating: 'down', comment: 'Not fish!', by: 'ann' })
  await thread.rate(trout, { by: 'ann' })
  await thread.rate(noted, { comment: 'secret' })
  await thread.erase([noted])
  return thread
}
