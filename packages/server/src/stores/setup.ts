import type { ModelOptions, Store } from 'minutebook'
import type { PolicyConfig } from '@minutebook/experiment/run'
import { recordNames, type NewRecord } from 'minutebook/store'

/** How the turns of a thread are run, if that differs from the server's settings. */
export interface Setup extends ModelOptions {
  readonly model?: string | undefined
  /** The system text. Every prompt begins with it. */
  readonly system?: string | undefined
  /** Names of tools that the operator has registered. Default: no tools. */
  readonly tools?: readonly string[] | undefined
  /** The name of a policy, or the policy itself. */
  readonly policy?: string | PolicyConfig | undefined
  /** In tokens. Default: the model's own. */
  readonly window?: number | undefined
  readonly reserve?: number | undefined
}

/**
 * The setup of a thread; empty if it has none.
 *
 * @example
 * const { model = 'gemma3:4b' } = await readSetup(store, 'garden')
 */
export async function readSetup(store: Pick<Store, 'records'>, thread: string): Promise<Setup> {
  return (await findSetup(store, thread)) ?? {}
}

/** The same; undefined if the thread never had one: then a client of the gateway runs its turns. */
export async function findSetup(store: Pick<Store, 'records'>, thread: string): Promise<Setup | undefined> {
  return (await findKept(store, thread))?.setup
}

/** The system text for the turns of a thread: empty if a setup removed it, undefined if no setup ever had one. */
export function systemText({ setup: { system }, unsaid }: KeptSetup): string | undefined {
  return system ?? (unsaid ? '' : undefined)
}

/** The record of a thread's new setup, to be written together with what it is for. */
export async function setupRecord(store: Pick<Store, 'records'>, thread: string, setup: Setup): Promise<NewRecord> {
  return { name: recordNames.setup, value: nextSetup(await findKept(store, thread), setup) }
}

/** What is kept of a new setup. `owner`: the name of the key whose turns come next; '' if it has none. */
export function nextSetup(before: KeptSetup | undefined, setup: Setup, owner: string = before?.owner ?? ''): KeptSetup {
  const isUnsaid = setup.system === undefined && (before?.unsaid === true || before?.setup.system !== undefined)
  return { setup, ...(isUnsaid && { unsaid: true }), ...(owner !== '' && { owner }) }
}

export async function recordSetup(store: Pick<Store, 'records'>, thread: string, setup: Setup): Promise<void> {
  await store.records.put(thread, [await setupRecord(store, thread, setup)])
}

/** What the record of a setup holds. */
export interface KeptSetup {
  readonly setup: Setup
  /** Whether an earlier setup had a system text and this one has not: the thread's text must be withdrawn. */
  readonly unsaid?: true
  /**
   * The name of the key that sent the newest message, had it answered again, or decided about its calls: the turns are
   * counted for it. Absent: it has no name.
   */
  readonly owner?: string
}

/** The record of a thread's setup; undefined if it never had one. */
export async function findKept(store: Pick<Store, 'records'>, thread: string): Promise<KeptSetup | undefined> {
  const [kept] = await store.records.find({ name: recordNames.setup, thread })
  return kept?.value as KeptSetup | undefined
}

/**
 * The id under which something that a client sent is kept: made from its channel and the client's own id. So the id of
 * one client never equals an id of another channel, or one of ours.
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
 * `chat`: the gateway's chats. `response`: OpenAI's stateful protocol. `turn`: turns of ours. `console`: what a person
 * says in the console on a thread of the gateway instead of its client. `relay`: what an API key says there.
 */
export type Channel = 'chat' | 'response' | 'turn' | 'console' | 'relay'
