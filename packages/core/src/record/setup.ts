import type { NewRecord } from '../log/records.ts'
import type { Store } from '../log/store.ts'

/**
 * The name of the record that holds a thread's setup: what a program says of how the thread's turns are run. It is neither sent
 * nor shown, and goes along with a fork.
 *
 * @example
 * const [setup] = await store.records.find({ name: setupName, thread: 'garden' })
 */
export const setupName = 'setup'

/** Names of the records that go with an export, and that a restored thread takes. */
export const exported: readonly string[] = [setupName]

/** The setup of a thread, for a thread that begins with it. */
export async function setupOf(store: Store, thread: string): Promise<readonly NewRecord[]> {
  const found = await store.records.find({ name: setupName, thread })
  return found.map(({ name, key, value }) => ({ name, key, value }))
}
