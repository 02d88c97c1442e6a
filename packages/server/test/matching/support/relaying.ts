import type { Message, Store, Thread } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import { relayBook } from '../../../../../tests/support/relays.ts'
import {
  answerLines,
  findThread,
  questionLines,
  type ThreadQuestion,
  type FoundThread,
} from '../../../src/matching/matching.ts'

/** What a client sends: a request whose answer is known beforehand, or never comes. */
export interface Chat extends Partial<Pick<ThreadQuestion, 'owner' | 'model' | 'name' | 'id' | 'retry' | 'now'>> {
  readonly messages: readonly Message[]
  readonly answer?: Message
}

/** Puts a chat on the record of its thread, with its lines. */
type Recorder = (found: FoundThread, chat: Chat, asked: ThreadQuestion) => Promise<void>

/** For what is only about finding: the lines alone. */
export const unrecorded: Recorder = async (found, { answer }, asked) => {
  await asked.store.append(found.thread, [], {
    records: [...questionLines(asked, found), ...answerLines(asked, found, answer)],
  })
}

/** A gateway as small as can be: finds the thread, records the question, then the answer. */
export function createRelaying(
  store: Store,
  recorder: Recorder = inThreads(store),
): (chat: Chat) => Promise<FoundThread> {
  let dice = 0
  const random = (bytes: number): Uint8Array =>
    Uint8Array.from({ length: bytes }, (_, index) => (index < 4 ? ++dice : 0))
  return async (chat) => {
    const { messages, answer: _, ...options } = chat
    const asked: ThreadQuestion = { store, random, owner: '', model: 'gemma', now: 0, messages, ...options }
    const found = await findThread(asked)
    await recorder(found, chat, asked)
    return found
  }
}

function inThreads(store: Store): Recorder {
  const book = relayBook({}, store)
  const threads = new Map<string, Thread>()
  return async (found, { messages, answer }, asked) => {
    const { thread: name, kind, alone = false } = found
    const thread = threads.get(name) ?? book.thread(name)
    threads.set(name, thread)
    const relay = await thread.relay(messages, {
      trusted: true,
      retry: kind === 'retry',
      alone,
      records: {
        question: () => questionLines(asked, found),
        ending: (ended) => answerLines(asked, found, ended.answer?.raw),
      },
    })
    if (answer) await relay.answer({ type: 'end', message: answer, finish: 'stop' })
  }
}

/** The entries of a thread that are of a kind. */
export async function said(store: Store, thread: string, kind: string): Promise<StoredEntry[]> {
  return (await store.read(thread)).filter((entry) => entry.kind === kind)
}

/** The threads of people. */
export async function threadsOf(store: Store): Promise<string[]> {
  const { threads } = await store.list({ limit: 10_000 })
  return threads.map(({ thread }) => thread).filter((thread) => !thread.startsWith('minutebook:'))
}
