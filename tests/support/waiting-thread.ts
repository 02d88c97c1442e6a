import type { Store } from 'minutebook'
import { entryOf } from 'minutebook/store'

/** Writes a thread whose turn waits for approval of a call, as a turn would. Returns the id of the call. */
export async function waitingThread(store: Store, thread: string): Promise<string> {
  const asked = entryOf({ role: 'user', content: 'Order a fern.' })
  const called = entryOf(
    { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: { name: 'order', arguments: '{}' } }] },
    asked,
  )
  const wait = { calls: [{ index: 0, needs: 'approval' }], upto: called.id }
  const waits = entryOf({ role: 'system', content: JSON.stringify(wait) }, called, { kind: 'wait' })
  const id = `${waits.id}.0`
  const value = { call: { id: 'c', name: 'order', arguments: '{}' }, needs: 'approval' }
  await store.append(thread, [asked, called, waits], { records: [{ name: 'waiting', key: id, value }] })
  return id
}
