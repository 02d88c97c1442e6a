import { exchanges, type Message, type Store } from 'minutebook'
import { fieldsOf } from '../fields.ts'
import { unusable } from './problem.ts'
import type { ThreadBefore } from './thread-before.ts'

/** Throws where a result answers no call: neither one of this input nor one that the thread waits for. */
export async function checkResults(
  messages: readonly Message[],
  store: Store,
  before: ThreadBefore | undefined,
): Promise<void> {
  if (!messages.some(({ role }) => role === 'tool')) return
  const known = new Set(before ? await openIn(store, before) : [])
  for (const message of messages) {
    for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : [])
      known.add(String(fieldsOf(call)['id']))
    if (message.role === 'tool' && !known.has(String(message.tool_call_id)))
      throw unusable(
        'input',
        'A function_call_output in input answers no function_call that is open. Send it with the response that called (previous_response_id), or with the call.',
      )
  }
}

async function openIn(store: Store, { thread, head }: ThreadBefore): Promise<readonly string[]> {
  if (head === null) return []
  const open =
    exchanges(await store.read(thread, { head, last: 256 }))
      .at(-1)
      ?.steps.at(-1)?.dangling ?? []
  return open.map(({ id = '' }) => id)
}
