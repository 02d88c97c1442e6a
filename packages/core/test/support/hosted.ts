import { localQueue, openBook, type Store, type Thread } from 'minutebook'
import { scriptedModel } from '@minutebook/testing'
import { readers } from './everything.ts'

/** A thread whose turns a queue ran: a message that waited, an answer that was asked for again. */
export async function hosted(store: Store): Promise<Thread> {
  const clock = {
    ...readers.clock,
    after: (_: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
  }
  const model = scriptedModel(
    [
      'The tide is out.',
      { text: 'It comes back', fail: new Error('down') },
      'It comes back at noon.',
      'At noon, I said.',
    ],
    { wire: 'openai', model: 'scripted' },
  )
  const book = openBook({ store, queue: localQueue(store), model, ...readers, clock })
  const stop = await book.work()
  const thread = book.thread('queued')
  const [first, second] = [
    thread.send('Where is the water?', { id: 'first' }),
    thread.send('When does it come back?', { id: 'second', ifBusy: 'queue' }),
  ]
  await Promise.all([first.done, second.done])
  await thread.retry().done
  await thread.retry().done
  await stop()
  return thread
}
