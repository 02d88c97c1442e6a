import { placeOfThread } from '@minutebook/experiment/run'
import type { BusyPolicy, Decision, DecisionOptions, ModelOptions, Thread, Turn } from 'minutebook'
import type { WindowLimit } from 'minutebook/inspect'
import { recordNames, type NewRecord } from 'minutebook/store'
import type { Services } from '../services.ts'
import { policiesOf, unknownPolicyError } from '../stores/policies.ts'
import { findKept, nextSetup, senderId, type KeptSetup, type Setup } from '../stores/setup.ts'
import { chooseModel } from './models.ts'
import { threadOptions, type ThreadPlace } from './thread-options.ts'

export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** What is said, how it is taken, and what is asked of the answer. */
export interface NewTurn extends ModelOptions {
  readonly message: string | readonly MessagePart[]
  readonly id?: string | undefined
  readonly after?: string | null | undefined
  readonly ifBusy?: BusyPolicy | undefined
  /** From now on. */
  readonly model?: string | undefined
  /** The name of a policy, from now on. */
  readonly policy?: string | undefined
  readonly speaker?: string | undefined
  /** For the tools of the turn. */
  readonly context?: unknown
}

/** A turn that was asked for, and its thread. */
export interface SentTurn {
  readonly thread: Thread
  readonly turn: Turn
  /** If the thread asks for a larger window than its model has. */
  readonly shortfall: WindowLimit | undefined
}

/**
 * Sends a message to a thread. Whichever instance is free answers it, and disconnecting does not stop it. `kept`: what
 * the thread has as its setup. `owner`: the name of the key that sends it.
 *
 * @example
 * const kept = await findKept(store, 'garden')
 * const { turn } = await sendTurn(services, { tenant: 'default', thread: 'garden' }, { message: 'What grows in the shade?' }, kept)
 * const entry = await turn.recorded
 */
export async function sendTurn(
  services: Services,
  place: ThreadPlace,
  { message, model, policy, id, ...options }: NewTurn,
  kept: KeptSetup | undefined,
  owner = '',
): Promise<SentTurn> {
  const { thread, records, shortfall } = await openForTurns(services, place, kept, { model, policy }, owner)
  return {
    thread,
    shortfall,
    turn: thread.send(
      { role: 'user', content: message },
      { ...options, records, ...(id !== undefined && { id: senderId('turn', id) }) },
    ),
  }
}

/** Has the newest message answered again. `owner`: the name of the key that asks for it. */
export async function retryTurn(services: Services, place: ThreadPlace, owner: string): Promise<SentTurn> {
  const { thread, shortfall } = await openAgain(services, place, owner)
  return { thread, shortfall, turn: thread.retry() }
}

/**
 * Decides about a call that waits, and has the turn go on. The thread may be that of a person in a run. `owner`: the
 * name of the key that decides.
 */
export async function decideTurn(
  services: Services,
  place: ThreadPlace,
  { call, decision, ...deciding }: DecisionOptions & { readonly call: string; readonly decision: Decision },
  owner: string,
): Promise<SentTurn> {
  const { thread, shortfall } = isOfRun(place.thread)
    ? await openOfRun(services, place)
    : await openAgain(services, place, owner)
  return { thread, shortfall, turn: thread.decide(call, decision, deciding) }
}

function isOfRun(thread: string): boolean {
  return placeOfThread(thread)?.participant !== undefined
}

/** Its run says how its turns are run. It has no setup. */
async function openOfRun(services: Services, { tenant, thread }: ThreadPlace): Promise<Omit<Opened, 'records'>> {
  const options = await services.experiments(tenant).work.options(thread)
  await services.worker.workFor(tenant)
  return { thread: services.stores.of(tenant).book.thread(thread, options), shortfall: undefined }
}

/**
 * A thread whose turn goes on, or is run again. Its setup is recorded if it has none, or if it was kept for another key.
 */
async function openAgain(services: Services, place: ThreadPlace, owner: string): Promise<Omit<Opened, 'records'>> {
  const { store } = services.stores.of(place.tenant)
  const { records, ...opened } = await openForTurns(services, place, await findKept(store, place.thread), {}, owner)
  if (records.length > 0) await store.records.put(place.thread, records)
  return opened
}

interface Opened extends Pick<SentTurn, 'thread' | 'shortfall'> {
  readonly records: readonly NewRecord[]
}

/** The thread, and what is written together with the message: its setup, if that is new. */
async function openForTurns(
  services: Services,
  place: ThreadPlace,
  kept: KeptSetup | undefined,
  changes: Pick<NewTurn, 'model' | 'policy'>,
  owner: string,
): Promise<Opened> {
  const { book } = services.stores.of(place.tenant)
  const known = kept?.setup
  const setup = changedSetup(known ?? {}, changes)
  if (setup !== known) await checkSetup(services, place.tenant, changes)
  const changed = nextSetup(kept, setup, owner)
  const isKept = setup === known && changed.owner === kept?.owner
  const options = await threadOptions(services, place, isKept ? kept : changed)
  await services.worker.workFor(place.tenant)
  return {
    thread: book.thread(place.thread, options),
    shortfall: options.shortfall,
    records: isKept ? [] : [{ name: recordNames.setup, value: changed }],
  }
}

function changedSetup(known: Setup, changes: Pick<NewTurn, 'model' | 'policy'>): Setup {
  const { model = known.model, policy = known.policy } = changes
  return model === known.model && policy === known.policy ? known : { ...known, model, policy }
}

/** Throws if a setup names something that does not exist. */
export async function checkSetup(
  services: Services,
  tenant: string,
  { model, policy }: Pick<Setup, 'model' | 'policy'>,
): Promise<void> {
  if (model !== undefined) await chooseModel(services, model)
  const { store } = services.stores.of(tenant)
  if (typeof policy === 'string' && !(await policiesOf(services.config, store).find(policy))) throw unknownPolicyError()
}
