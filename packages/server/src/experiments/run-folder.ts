import { entryOf, type Store } from 'minutebook'

/** Where the file of an experiment stands that was begun on this machine: its tools are found there when the run goes on. */
export async function folderOf(store: Pick<Store, 'read'>, run: string): Promise<string | undefined> {
  const [newest] = await store.read(thread, { key: run, last: 1 })
  return newest && (JSON.parse(newest.text) as { readonly folder: string }).folder
}

export async function recordFolder(store: Pick<Store, 'append'>, run: string, folder: string): Promise<void> {
  await store.append(thread, [entryOf({ role: 'user', content: JSON.stringify({ run, folder }) }, undefined, { kind: 'pending', origin: 'engine', status: 'cancelled', key: run })])
}

const thread = 'minutebook:run-folders'
