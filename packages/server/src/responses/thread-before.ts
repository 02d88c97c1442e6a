import type { Message, Store } from 'minutebook'
import { traits, type StoredEntry } from 'minutebook/store'
import { namedThread } from '../lineage/thread-name.ts'
import type { Asking } from './asking.ts'
import { findConversation } from './conversation.ts'
import { findResponse } from './find-response.ts'
import { missing } from './problem.ts'

/** The thread that a response goes on, and from where. */
export interface ThreadBefore {
  readonly thread: string
  /** The entry to go on from; undefined: from wherever the thread stands. */
  readonly after: string | undefined
  /** Where that is. */
  readonly head: string | null
  /** How many entries the thread has. */
  readonly length: number
}

/** Undefined where a response begins a conversation. Throws where what it names is not there. */
export async function threadBefore(
  { visit: { caller }, request: { previous, conversation } }: Pick<Asking, 'visit' | 'request'>,
  store: Store,
): Promise<ThreadBefore | undefined> {
  const place = { store, owner: caller.name }
  if (previous !== undefined) {
    const found = await findResponse(place, previous)
    if (!found) throw missing('response', 'previous_response_id')
    const after = found.ending?.answer?.id ?? found.begun.question
    return { thread: found.thread, after, head: after, length: (await store.standing(found.thread)).length }
  }
  if (conversation === undefined) return undefined
  if (!(await findConversation(place, conversation))) throw missing('conversation', 'conversation')
  const thread = namedThread(caller.name, conversation)
  const { head, length } = await store.standing(thread)
  return { thread, after: undefined, head, length }
}

/**
 * What was said up to there, for somebody who keeps no record. The thread's own system texts were for other responses.
 */
export async function messagesBefore(store: Store, { thread, head }: ThreadBefore): Promise<readonly Message[]> {
  if (head === null) return []
  const entries = await store.read(thread, { head })
  return entries.filter(isSaid).map(({ raw }) => raw)
}

export function isSaid({ kind, status, key }: StoredEntry): boolean {
  return traits[kind].chained && status !== 'erased' && !(kind === 'system' && key === 'system')
}
