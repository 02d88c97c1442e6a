import { openBook, type Store } from 'minutebook'
import { prunePage } from 'minutebook/store'
import { metadata, nameOf, timeAfter, words } from './fill.ts'

/** What is done with a store of many threads. It is called once for each round, and returns how many rows it found. */
export type ThreadPlay = (store: Store, round: number) => Promise<number>

const page = 20
/** Threads that are pruned at once. */
const pruned = 100
/** Not on Postgres: its queue knows which threads need work, and no process looks for them. */
export const lookPlay = 'look for unfinished turns'
const prunePlay = `prune of ${pruned} old threads`

/** What a play leaves to the background, by its name. It ends when that is over. */
export const aftermaths: Readonly<Record<string, { readonly name: string; readonly act: ThreadPlay }>> = {
  [prunePlay]: { name: 'their words, in the background', act: async (store) => (await store.remove('nobody')).entries },
}

export const threadPlays: Readonly<Record<string, ThreadPlay>> = {
  'list: first page': async (store) => listed(store, {}),
  'list: a page in the middle': async (store) => {
    const { threads } = await store.list({ limit: page, after: await middle(store) })
    return threads.length
  },
  'list: metadata of ten threads': async (store) => listed(store, { metadata: metadata.ofTen }),
  'list: metadata of all threads': async (store) => listed(store, { metadata: metadata.ofAll }),
  'search: a word in ten threads': async (store) => (await store.search(words.ofTen)).length,
  'search: a word in all threads': async (store) => (await store.search(words.ofAll)).length,
  'search: the same in one thread': async (store) => (await store.search(words.ofAll, { thread: nameOf(950) })).length,
  [lookPlay]: async (store) => {
    let found = 0
    for await (const { turn } of openBook({ store }).resume()) {
      void turn
      found++
    }
    return found
  },
  [prunePlay]: async (store, round) => {
    const unwrittenSince = timeAfter(pruned * (round + 1))
    return (await prunePage(store, { unwrittenSince, limit: pruned })).threads.length
  },
  'removal of one thread': async (store, round) => (await store.remove(nameOf(900 + round))).entries,
}

/** As `book.threads` lists them, by a book that was opened just now. */
async function listed(store: Store, asked: Parameters<Store['list']>[0]): Promise<number> {
  return (await openBook({ store }).threads({ limit: page, ...asked })).threads.length
}

const places = new WeakMap<Store, string>()

/** Where a later page begins. The pages before it are read only in the first round, which does not count. */
async function middle(store: Store): Promise<string | undefined> {
  const known = places.get(store) ?? (await store.list({ limit: 20 * page })).next ?? ''
  places.set(store, known)
  return known
}
