import { defineTool, openBook, type Store, type Thread } from 'minutebook'
import { scriptedModel } from '@minutebook/testing'
import { readers } from './everything.ts'

/** A thread whose turn waited for two decisions, and another one that still waits. */
export async function waited(store: Store): Promise<Thread> {
  const order = { calls: [{ name: 'order', arguments: { item: 'fern' } }, { name: 'colour' }] }
  const model = scriptedModel([order, 'It comes on Friday.', order], { wire: 'openai', model: 'scripted' })
  const tools = [
    defineTool({ name: 'order', approve: true, decideWithin: 3_600_000, run: () => 'ordered' }),
    defineTool({ name: 'colour' }),
  ]
  const thread = openBook({ store, model, ...readers, tools }).thread('waited')
  const { waiting = [] } = await thread.send('A fern, please').done
  await thread.decide(waiting[1]!.id, { do: 'answer', output: 'green' }).done
  await thread.decide(waiting[0]!.id, { do: 'run', input: { item: 'hosta' } }, { by: 'ann' }).done
  await thread.send('And another one').done
  return thread
}
