import type { NewRecord } from 'minutebook/store'
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
  const [kept] = await store.records.find({ name: conversationName, thread: namedThread(owner, id) })
  return kept?.value as Conversation | undefined
}

/** The record of what a conversation is from now on: one of its thread. */
export function conversationRecord(conversation: Conversation): NewRecord {
  return { name: conversationName, value: conversation }
}

/** The thread is no conversation any more. What was said stays. */
export async function removeConversation({ store, owner }: Place, id: string): Promise<void> {
  await store.records.remove(namedThread(owner, id), conversationName)
}

export function shownConversation({ id, created, metadata }: Conversation): object {
  return { id, object: 'conversation', created_at: created, metadata }
}

export const conversationName = 'conversation'
