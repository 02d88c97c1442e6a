import { MinutebookError, type Entry, type Message, type Store } from 'minutebook'
import { entryOf, sizeOf, type NewRecord, type StoredEntry } from 'minutebook/store'
import { threadSize } from '../memory/thread-weight.ts'
import { refusalError, type Refusal } from '../refusal.ts'

/** Puts messages, and records of the thread, on record behind where the thread stands, without having them answered. */
export async function appendItems(
  store: Store,
  thread: string,
  { messages, records = [], time, threadLimit }: Items,
): Promise<readonly StoredEntry[]> {
  const size = (await threadSize(store, thread)).characters + sizeOf(messages)
  if (size > threadLimit) throw tooLarge(threadLimit)
  for (let tries = 0; tries < mostTries; tries++) {
    const { head } = await store.standing(thread)
    const appended = await store.append(thread, chained(messages, await entryAt(store, thread, head), time), {
      head,
      records,
    })
    if (appended.ok) return appended.entries
  }
  throw new MinutebookError(
    'conversation_busy',
    'Others write to this conversation all the time.',
    'Try again in a moment.',
  )
}

export interface Items {
  readonly messages: readonly Message[]
  readonly records?: readonly NewRecord[]
  readonly time: string
  /** About how many characters the thread may hold. */
  readonly threadLimit: number
}

const mostTries = 8

function tooLarge(limit: number): MinutebookError {
  const message = `With these items the conversation would hold more than ${limit} characters. Go on in a new conversation, or have threadLimit raised.`
  return refusalError(
    { code: 'unusable', message },
    {
      refusal: { status: 413, code: 'thread_too_large', message, param: 'items' } satisfies Refusal,
    },
  )
}

function chained(messages: readonly Message[], last: Entry | undefined, time: string): Entry[] {
  const entries: Entry[] = []
  for (const message of messages) {
    const facts = { time, ...(message.role !== 'system' && { origin: 'import' as const }) }
    entries.push(entryOf(message, entries.at(-1) ?? last, facts))
  }
  return entries
}

async function entryAt(store: Store, thread: string, head: string | null): Promise<Entry | undefined> {
  if (head === null) return undefined
  const near = await store.read(thread, { head, last: 64 })
  return near.find(({ id }) => id === head) ?? (await store.read(thread, { head })).find(({ id }) => id === head)
}
