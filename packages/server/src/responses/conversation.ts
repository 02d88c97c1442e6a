import { entryOf } from 'minutebook'
import type { Place } from '../lineage/directory.ts'
import { namedThread } from '../lineage/thread-name.ts'
import { isConversationId } from './ids.ts'
import type { Metadata } from './metadata.ts'

/** A thread that a client knows as a conversation. */
export interface Conversation {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly metadata: Metadata
}

/** Undefined where there is none, or none any more. */
export async function findConversation({ store, owner }: Place, id: string): Promise<Conversation | undefined> {
  if (!isConversationId(id)) return undefined
  const [newest] = await store.read(namedThread(owner, id), { key, last: 1 })
  const { conversation } = newest ? (JSON.parse(newest.text) as { readonly conversation: Conversation | null }) : { conversation: null }
  return conversation ?? undefined
}

/**
 * Puts on record what a conversation is from now on; null: none any more. In the thread itself: a `pending` entry that waits for
 * nothing. What was said stays.
 */
export async function recordConversation({ store, owner }: Place, id: string, conversation: Conversation | null, time: string): Promise<void> {
  const thread = namedThread(owner, id)
  // An entry that is there already stays where it is: what comes back must be another one.
  const { length } = await store.standing(thread)
  const content = JSON.stringify({ conversation, at: length })
  await store.append(thread, [entryOf({ role: 'user', content }, undefined, { kind: 'pending', origin: 'engine', status: 'cancelled', key, time })])
}

export function shownConversation({ id, created, metadata }: Conversation): object {
  return { id, object: 'conversation', created_at: created, metadata }
}

const key = 'minutebook:conversation'
