import { exchanges, type Message, type Store } from 'minutebook'
import { askedIn } from 'minutebook/inspect'
import { traits, type StoredEntry } from 'minutebook/store'
import { asObject } from '../http/json.ts'
import { namedThread } from '../matching/thread-name.ts'
import { notFoundError, previousNotFoundError, requestError } from './problems.ts'
import { findConversation, findResponse } from './recorded.ts'
import type { ResponseContext } from './request.ts'

/** The thread that a response continues, and from where. */
export interface ThreadBefore {
  readonly thread: string
  /** The entry to continue from; undefined: the end of the thread. */
  readonly after: string | undefined
  /**
   * Of a response: the receipt of its call, null if it has none. The thread may hold what others said, so the response
   * is continued with what its call was asked. Undefined: all of the thread is continued.
   */
  readonly receipt: string | null | undefined
  /** The entry at that place. */
  readonly head: string | null
  /** How many entries the thread has. */
  readonly length: number
}

/** Undefined if a response begins a conversation. Throws if what it names is missing. */
export async function threadBefore(
  { visit: { caller }, request: { previous, conversation } }: Pick<ResponseContext, 'visit' | 'request'>,
  store: Store,
): Promise<ThreadBefore | undefined> {
  const place = { store, owner: caller.name }
  if (previous !== undefined) {
    const found = await findResponse(place, previous)
    if (!found) throw previousNotFoundError()
    const after = found.ending?.answer?.id ?? found.begun.question
    const receipt = found.ending?.receipt.id ?? null
    return { thread: found.thread, after, receipt, head: after, length: (await store.standing(found.thread)).length }
  }
  if (conversation === undefined) return undefined
  if (!(await findConversation(place, conversation))) throw notFoundError('conversation', 'conversation')
  const thread = namedThread(caller.name, conversation)
  const { head, length } = await store.standing(thread)
  return { thread, after: undefined, receipt: undefined, head, length }
}

/**
 * What was said up to there, for a response that is not stored. The thread's own system texts were for other responses.
 */
export async function messagesBefore(
  store: Store,
  { thread, head, receipt }: ThreadBefore,
): Promise<readonly Message[]> {
  if (head === null) return []
  if (receipt !== undefined) {
    const log = await store.read(thread)
    const asked = receipt === null ? [] : askedIn(log, receipt)
    const last = log.filter((entry) => entry.id === head && !asked?.some(({ id }) => id === head))
    if (asked) return [...asked, ...last].filter(isSaid).map(({ raw }) => raw)
  }
  const entries = await store.read(thread, { head })
  return entries.filter(isSaid).map(({ raw }) => raw)
}

export function isSaid({ kind, status, key }: StoredEntry): boolean {
  return traits[kind].chained && status !== 'erased' && !(kind === 'system' && key === 'system')
}

/** Throws if a result answers no call: neither one of this input nor one that the thread waits for. */
export async function checkResults(
  messages: readonly Message[],
  store: Store,
  before: ThreadBefore | undefined,
): Promise<void> {
  if (!messages.some(({ role }) => role === 'tool')) return
  const known = new Set(before ? await openIn(store, before) : [])
  for (const message of messages) {
    for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : [])
      known.add(String(asObject(call)['id']))
    if (message.role === 'tool' && !known.has(String(message.tool_call_id)))
      throw requestError(
        'input',
        'A function_call_output in input does not belong to an open function_call.',
        'Send it together with its function_call, or name the response that made the call in previous_response_id.',
      )
  }
}

async function openIn(store: Store, { thread, head }: ThreadBefore): Promise<readonly string[]> {
  if (head === null) return []
  const open =
    exchanges(await store.read(thread, { head, last: 256 }))
      .at(-1)
      ?.steps.at(-1)?.dangling ?? []
  return open.map(({ id = '' }) => id)
}
