import { callIdentity } from '../log/entry.ts'
import { sha256 } from '../log/hash.ts'
import type { Call } from '../log/message.ts'

/**
 * The id of every call of a prompt: its own, or one made of what it says, so that it stays the same while the prompt
 * around it changes. Nine letters and digits, which is all that the strictest templates take.
 */
export function callIds(calls: readonly Call[]): ReadonlyMap<Call, string> {
  const taken = new Set(calls.map(({ id }) => id))
  const ids = new Map<Call, string>()
  for (const call of calls) {
    const id = call.id || freshId(call, taken)
    taken.add(id)
    ids.set(call, id)
  }
  return ids
}

function freshId(call: Call, taken: ReadonlySet<string | undefined>): string {
  const said = callIdentity(call)
  for (let time = 0; ; time++) {
    const id = sha256(JSON.stringify([...said, time])).slice(0, 9)
    if (!taken.has(id)) return id
  }
}
