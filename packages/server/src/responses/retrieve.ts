import type { MinutebookError, Store } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import { parseObject } from '../http/json.ts'
import type { Visit } from '../http/http.ts'
import type { Services } from '../services.ts'
import { senderId } from '../stores/setup.ts'
import { threadWeight } from '../stores/thread-weight.ts'
import { responsePlace } from './ids.ts'
import { itemsOf, pageOf } from './items.ts'
import { responseOf, type ResponseObject } from './output.ts'
import { notFoundError, refusedRequestError, requestError } from './problems.ts'
import { findResponse, inputsOf, isAbandoned, recordsOf, responsesIn, type FoundResponse } from './recorded.ts'
import { replayEvents, send } from './stream.ts'
import { isSaid } from './thread-before.ts'

/**
 * Answers requests for one response: `GET` and `DELETE /v1/responses/{id}` and the paths below. Undefined if there is
 * no such path.
 */
export async function retrieveResponse(
  visit: Visit,
  services: Services,
  id: string,
  below: string | undefined,
): Promise<'nowhere' | void> {
  const {
    request: { method },
    response,
    caller,
    query,
  } = visit
  const { store } = services.stores.of(caller.tenant)
  const operation = `${method} ${below ?? ''}`.trim()
  if (!operations.has(operation)) return 'nowhere'
  const found = await findResponse({ store, owner: caller.name }, id)
  if (!found) throw notFoundError('response')
  visit.tell({ thread: found.thread })
  switch (operation) {
    case 'DELETE':
      if (await isRunning(store, found, Date.now())) throw stillRunningError()
      await visit.hold.thread(await threadWeight(store, found.thread))
      await deleteResponse(store, caller.name, found)
      return send(response, { id, object: 'response', deleted: true })
    case 'GET input_items':
      await visit.hold.thread(await threadWeight(store, found.thread))
      return send(
        response,
        pageOf(
          itemsOf(
            await inputsOf(store, found, isSaid, (log) => broughtWith(log, found.begun.question, found.begun.inputs)),
          ),
          query,
        ),
      )
    case 'POST cancel':
      throw requestError(
        'response_id',
        'Only a response that was made with background: true can be cancelled.',
        'To stop a response, close its connection.',
      )
    default:
      return show(visit, store, found)
  }
}

const operations: ReadonlySet<string> = new Set(['GET', 'DELETE', 'GET input_items', 'POST cancel'])

async function show({ response, query }: Visit, store: Store, found: FoundResponse): Promise<void> {
  const asked = new URLSearchParams(query)
  const shown = await shownAt(store, found, Date.now())
  if (asked.get('stream') !== 'true') return send(response, shown)
  const place = responsePlace(shown.id)
  if (!place || shown.status === 'in_progress')
    throw requestError(
      'stream',
      'This response is not over yet.',
      'Request it without stream, or try again in a moment.',
    )
  replayEvents(response, place, shown, { after: Number(asked.get('starting_after') ?? -1) })
}

/** A response that no instance works on any more has failed: its server was stopped. */
async function shownAt(store: Store, found: FoundResponse, now: number): Promise<ResponseObject> {
  const shown = responseOf({ ...found, stores: true })
  if (!(await isAbandoned(store, found, now))) return shown
  return {
    ...shown,
    status: 'failed',
    error: { code: 'server_error', message: 'The server was stopped before the answer was complete. Ask again.' },
  }
}

/** Its answer would be recorded after what it answers was erased. */
async function isRunning(store: Store, found: FoundResponse, now: number): Promise<boolean> {
  return found.at === undefined && !(await isAbandoned(store, found, now))
}

function stillRunningError(): MinutebookError {
  return refusedRequestError({
    status: 409,
    code: 'response_in_progress',
    problem: 'The model still works on this response.',
    fix: 'Close the connection of the response, or wait until it is over. Then delete it.',
    param: 'response_id',
  })
}

/**
 * Erases what a response brought into its thread: its input, its answer and its records. What another response shares
 * with it stays, and so does what was said after it.
 */
async function deleteResponse(store: Store, owner: string, found: FoundResponse): Promise<void> {
  const { thread, begun, ending } = found
  const { id, question, inputs, terms } = begun
  const [log, all] = await Promise.all([store.read(thread), responsesIn(store, thread)])
  const others = all.filter((other) => other.id !== id)
  const answer = ending?.answer?.id
  const entries = [
    ...(others.some((other) => other.question === question) ? [] : broughtWith(log, question, inputs)),
    ...(answer === undefined || log.some((each) => isOfOther(each, answer, id)) ? [] : [answer]),
  ]
  await store.erase(thread, entries, {
    records: recordsOf(owner, found, !others.some((other) => other.terms === terms)),
  })
}

/** Whether an entry is the receipt of another response with the same answer. */
function isOfOther({ kind, status, parent, text }: StoredEntry, answer: string, id: string): boolean {
  return (
    kind === 'receipt' &&
    status !== 'erased' &&
    parent === answer &&
    parseObject(text)?.['key'] !== senderId('response', id)
  )
}

/** A question, and what was recorded together with it: these have consecutive numbers. */
function broughtWith(log: readonly StoredEntry[], question: string, inputs: number): string[] {
  const at = log.findIndex(({ id }) => id === question)
  const ids: string[] = []
  let left = inputs
  for (let [place, next] = [at, log[at]]; next; [place, next] = [place - 1, log[place - 1]]) {
    const isTogether = place === at || log[place + 1]?.parent === next.id
    const isOurs = next.kind === 'system' && next.key === 'system'
    if (!isTogether || !said.has(next.kind) || next.origin === 'model' || (left === 0 && !isOurs)) break
    ids.push(next.id)
    if (!isOurs) left--
  }
  return ids
}

const said: ReadonlySet<string> = new Set(['user', 'tool', 'system', 'assistant'])
