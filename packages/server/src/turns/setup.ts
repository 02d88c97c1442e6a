import { entryOf, setupKey, type Store } from 'minutebook'

/** How the turns of a thread are run, where that is not as the server has it. */
export interface Setup {
  readonly model?: string | undefined
  /** Stands first in every prompt. */
  readonly system?: string | undefined
  /** Names of tools that the operator has registered: none unless told. */
  readonly tools?: readonly string[] | undefined
  /** The name of a policy. */
  readonly policy?: string | undefined
  /** In tokens: the model's own unless told. */
  readonly window?: number | undefined
  readonly reserve?: number | undefined
}

/**
 * The newest setup of a thread; an empty one where nobody said anything.
 *
 * @example
 * const { model = 'gemma3:4b' } = await readSetup(store, 'garden')
 */
export async function readSetup(store: Pick<Store, 'read'>, thread: string): Promise<Setup> {
  return (await findSetup(store, thread)) ?? {}
}

/** The same; undefined where there never was one: then its turns are not ours to run, but a client's of the gateway. */
export async function findSetup(store: Pick<Store, 'read'>, thread: string): Promise<Setup | undefined> {
  return (await findRecord(store, thread))?.setup
}

/** The system text that the turns of a thread are to have: an empty one where a setup took it away, undefined where none ever named one. */
export async function systemText(store: Pick<Store, 'read'>, thread: string, { system }: Setup): Promise<string | undefined> {
  if (system !== undefined) return system
  return (await findRecord(store, thread))?.unsaid ? '' : undefined
}

/**
 * Puts a setup on record, in the thread itself: a `pending` entry that waits for nothing, so it is off the chain, and never
 * prompted, shown or searched for. The newest one counts.
 */
export async function recordSetup(store: Pick<Store, 'append' | 'read' | 'standing'>, thread: string, setup: Setup, time: string): Promise<void> {
  const before = await findRecord(store, thread)
  const isUnsaid = setup.system === undefined && (before?.unsaid === true || before?.setup.system !== undefined)
  // An entry that is there already stays where it is: a setup that comes back must be another one.
  const { length } = await store.standing(thread)
  const record: SetupRecord = { setup, at: length, ...(isUnsaid && { unsaid: true }) }
  await store.append(thread, [entryOf({ role: 'user', content: JSON.stringify(record) }, undefined, { kind: 'pending', origin: 'engine', status: 'cancelled', key: setupKey, time })])
}

/** What such an entry says. */
interface SetupRecord {
  readonly setup: Setup
  readonly at: number
  /** Whether a system text was named before, and is no longer: what the thread says of it must be taken back. */
  readonly unsaid?: true
}

async function findRecord(store: Pick<Store, 'read'>, thread: string): Promise<SetupRecord | undefined> {
  const [newest] = await store.read(thread, { key: setupKey, last: 1 })
  return newest && (JSON.parse(newest.text) as SetupRecord)
}
