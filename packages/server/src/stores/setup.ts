import type { Store } from 'minutebook'
import { setupName, type NewRecord } from 'minutebook/store'

/** How the turns of a thread are run, where that is not as the server has it. */
export interface Setup {
  readonly model?: string | undefined
  /** Stands first in every prompt. */
  readonly system?: string | undefined
  /** Names of tools that the operator has registered. Default: none. */
  readonly tools?: readonly string[] | undefined
  /** The name of a policy. */
  readonly policy?: string | undefined
  /** In tokens. Default: the model's own. */
  readonly window?: number | undefined
  readonly reserve?: number | undefined
}

/**
 * The setup of a thread; an empty one if nobody said anything.
 *
 * @example
 * const { model = 'gemma3:4b' } = await readSetup(store, 'garden')
 */
export async function readSetup(store: Pick<Store, 'records'>, thread: string): Promise<Setup> {
  return (await findSetup(store, thread)) ?? {}
}

/** The same; undefined if there never was one: then its turns are not ours to run, but a client's of the gateway. */
export async function findSetup(store: Pick<Store, 'records'>, thread: string): Promise<Setup | undefined> {
  return (await findKept(store, thread))?.setup
}

/**
 * The system text that the turns of a thread are to have: an empty one if a setup took it away, undefined if none ever
 * named one.
 */
export async function systemText(
  store: Pick<Store, 'records'>,
  thread: string,
  { system }: Setup,
): Promise<string | undefined> {
  if (system !== undefined) return system
  return (await findKept(store, thread))?.unsaid ? '' : undefined
}

/** The record of a thread's new setup, to be written with whatever it is for. */
export async function setupRecord(store: Pick<Store, 'records'>, thread: string, setup: Setup): Promise<NewRecord> {
  const before = await findKept(store, thread)
  const isUnsaid = setup.system === undefined && (before?.unsaid === true || before?.setup.system !== undefined)
  const value: KeptSetup = { setup, ...(isUnsaid && { unsaid: true }) }
  return { name: setupName, value }
}

export async function recordSetup(store: Pick<Store, 'records'>, thread: string, setup: Setup): Promise<void> {
  await store.records.put(thread, [await setupRecord(store, thread, setup)])
}

/** What the record holds. */
interface KeptSetup {
  readonly setup: Setup
  /** Whether a system text was named before, and is no longer: what the thread says of it must be taken back. */
  readonly unsaid?: true
}

async function findKept(store: Pick<Store, 'records'>, thread: string): Promise<KeptSetup | undefined> {
  const [kept] = await store.records.find({ name: setupName, thread })
  return kept?.value as KeptSetup | undefined
}

/**
 * The id under which something that a client sent is kept: by the channel that it came through and the client's own id.
 * So what one client calls its request is never what another channel, or we ourselves, call something else.
 */
export function senderId(channel: Channel, id: string): string {
  return `${channel}:${id}`
}

/** The client's own id of something that came through a channel; undefined if it did not, or had none. */
export function idFrom(channel: Channel, kept: unknown): string | undefined {
  const prefix = `${channel}:`
  return typeof kept === 'string' && kept.startsWith(prefix) ? kept.slice(prefix.length) : undefined
}

/** Whether something came through a channel, by the id under which it is kept. */
export function isFrom(channel: Channel, kept: unknown): boolean {
  return idFrom(channel, kept) !== undefined
}

/**
 * `chat`: the gateway's chats. `response`: OpenAI's stateful protocol. `turn`: turns of ours. `console`: what is said
 * on a thread of the gateway in its client's place.
 */
export type Channel = 'chat' | 'response' | 'turn' | 'console'
