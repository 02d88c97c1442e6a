import type { Store } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import type { Running } from '../../../src/index.ts'

/** The store of a tenant of a running server. */
export function storeOf({ services }: Running, tenant = 'default'): Store {
  return services.stores.of(tenant).store
}

/** The threads of people. */
export async function threadsIn(store: Store): Promise<string[]> {
  return (await store.list({ limit: 1000 })).threads
    .map(({ thread }) => thread)
    .filter((thread) => !thread.startsWith('minutebook:'))
}

/** All that is on record of people's threads; of one kind where that is told. */
export async function entriesIn(store: Store, kind?: string): Promise<StoredEntry[]> {
  const logs = await Promise.all((await threadsIn(store)).map((thread) => store.read(thread)))
  return logs.flat().filter((entry) => kind === undefined || entry.kind === kind)
}
