import { openBook, type Store, type Thread } from 'minutebook'
import { scriptedModel } from '@minutebook/testing'
import { readers } from './everything.ts'

/** A thread with messages that were pinned long after they were said: one still is, one no longer, one was erased. */
export async function pinned(store: Store): Promise<Thread> {
  const answers = Array.from({ length: 24 }, (_, day) =>
    `Day ${day}: the castle, and a walk along the river. `.repeat(4),
  )
  const model = scriptedModel([...answers], { wire: 'openai', model: 'scripted' })
  const thread = openBook({ store, model, ...readers, journal: false }).thread('pinned')
  const say = async (text: string): Promise<string> => {
    await thread.send(text).done
    return (await thread.entries()).find((entry) => entry.text === text)!.id
  }
  await say('What should we see?')
  const chair = await say('Lena sits in a wheelchair.')
  const diet = await say('I eat no fish.')
  for (let day = 0; day < 6; day++) await say(`And on day ${day}?`)
  const secret = await say('The code is 1234.')
  for (const id of [chair, diet, secret]) await thread.pin(id)
  for (let day = 6; day < 9; day++) await say(`And on day ${day}?`)
  await thread.unpin(diet)
  await thread.erase([secret])
  for (let day = 9; day < 12; day++) await say(`And on day ${day}?`)
  return thread
}
