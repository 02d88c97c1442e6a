import { memoryStore, openBook, type Store } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import type { NewEntry } from 'minutebook/store'
import { relayChat } from '../../../src/gateway/gateway.ts'
import type { ChatHandler } from '../../../src/services.ts'
import type { Stores } from '../../../src/stores/stores.ts'

/** Stands before every append to a thread of people; may wait, or throw. */
export type BeforeAppend = (entries: readonly NewEntry[]) => Promise<void> | void

/** A handler of chats whose store does what it is told. */
export function interposed(before: BeforeAppend): ChatHandler {
  const chat = relayChat()
  let stores: Stores | undefined
  return (visit, protocol, services) => {
    stores ??= storesWith(services.stores, before)
    return chat(visit, protocol, { ...services, stores })
  }
}

/** A handler of chats whose record is in memory: for tests that are not about what a disk does. */
export function inMemory(): ChatHandler {
  const chat = relayChat()
  const store = memoryStore()
  const book = openBook({ store, clock: systemClock })
  const opened = { store, book, relays: book }
  return (visit, protocol, services) =>
    chat(visit, protocol, {
      ...services,
      stores: { ...services.stores, of: (tenant) => ({ ...services.stores.of(tenant), ...opened }) },
    })
}

function storesWith(stores: Stores, before: BeforeAppend): Stores {
  const { store } = stores.of('default')
  const wrapped: Store = Object.assign(Object.create(store) as Store, {
    append: async (...[thread, entries, terms]: Parameters<Store['append']>) => {
      if (!thread.startsWith('minutebook:')) await before(entries)
      return store.append(thread, entries, terms)
    },
  })
  const book = openBook({ store: wrapped, clock: systemClock })
  const opened = { store: wrapped, book, relays: book }
  return { ...stores, of: (tenant) => ({ ...stores.of(tenant), ...opened }) }
}

/** The append of an answer; the one before the call has the question. */
export function isAnswer(entries: readonly NewEntry[]): boolean {
  return entries.some(({ kind }) => kind === 'receipt')
}
