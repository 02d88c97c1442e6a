import type { Store } from 'minutebook'
import { threadWeight } from '../memory/thread-weight.ts'
import type { Services } from '../services.ts'
import type { Visit } from '../visit.ts'
import { deleteResponse } from './delete-response.ts'
import { findResponse, inputsOf, type FoundResponse } from './find-response.ts'
import { responsePlace } from './ids.ts'
import { itemsOf } from './items.ts'
import { pageOf } from './page.ts'
import { missing, unusable } from './problem.ts'
import { responseOf, type ResponseObject } from './response.ts'
import { isAbandoned } from './sign-of-life.ts'
import { replayEvents, send } from './telling.ts'
import { isSaid } from './thread-before.ts'

/**
 * Answers what is asked of one response: `GET` and `DELETE /v1/responses/{id}` and what is below. Undefined where there
 * is no such path.
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
  if (!found) throw missing('response')
  visit.tell({ thread: found.thread })
  switch (operation) {
    case 'DELETE':
      await deleteResponse(store, found)
      return send(response, { id, object: 'response', deleted: true })
    case 'GET input_items':
      await visit.hold.thread(await threadWeight(store, found.thread))
      return send(response, pageOf(itemsOf(await inputsOf(store, found, isSaid)), query))
    case 'POST cancel':
      throw unusable(
        'response_id',
        'Only a response that was made with background: true can be cancelled. To stop one, close its connection.',
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
    throw unusable('stream', 'This response is not over yet. Ask for it without stream, or again in a moment.')
  replayEvents(response, place, shown, { after: Number(asked.get('starting_after') ?? -1) })
}

/** One that nobody works on any more has failed: its server was stopped. */
async function shownAt(store: Store, found: FoundResponse, now: number): Promise<ResponseObject> {
  const shown = responseOf({ ...found, stores: true })
  if (!(await isAbandoned(store, found, now))) return shown
  return {
    ...shown,
    status: 'failed',
    error: { code: 'server_error', message: 'The server was stopped before the answer was whole. Ask again.' },
  }
}
