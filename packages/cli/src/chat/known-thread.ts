import type { Archive } from '@minutebook/server'
import { history, type Entry, type Message } from 'minutebook'
import { entryIn, traits } from 'minutebook/store'

/** The messages of a thread's newest branch, as a client that had been there from the beginning would have them. */
export async function messagesOf(desk: Archive, thread: string): Promise<Message[]> {
  const log: Entry[] = []
  for await (const line of desk.export(thread)) {
    const entry = entryIn(line, log.length)
    if (entry) log.push(entry)
  }
  return history(log)
    .filter(({ kind, status }) => traits[kind].chained && status !== 'erased')
    .map(({ raw }) => raw)
}
