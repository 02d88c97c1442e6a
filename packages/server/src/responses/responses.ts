import { randomBytes } from 'node:crypto'
import { storeAway } from '../chat/chat-refusal.ts'
import { createIdLanes } from '../chat/id-lanes.ts'
import { createThreadShelf } from '../chat/thread-shelf.ts'
import type { Services } from '../services.ts'
import type { Visit } from '../visit.ts'
import type { Shared } from './asking.ts'
import { createConversation, useConversation } from './conversations.ts'
import { createResponse } from './create-response.ts'
import { refuseVisit } from './incoming.ts'
import { refusalIn } from './problem.ts'
import { retrieveResponse } from './retrieve-response.ts'

/** Answers `/v1/responses` and `/v1/conversations`, and what is below. */
export type ResponsesHandler = (visit: Visit, services: Services) => Promise<void>

/**
 * OpenAI's stateful protocol, on threads of ours and chats of the upstream. One for each server.
 *
 * @example
 * const responses = answerResponses()
 * await responses(visit, services)
 */
export function answerResponses(): ResponsesHandler {
  const shared: Shared = { shelf: createThreadShelf(), inLane: createIdLanes(), random: randomBytes }
  return async (visit, services) => {
    try {
      if ((await answered(visit, services, shared)) === 'nowhere') refuseVisit(visit, nothingHere)
    } catch (error) {
      const refusal = refusalIn(error) ?? (isFault(error) ? undefined : storeAway)
      if (!refusal) throw error
      refuseVisit(visit, refusal)
    }
  }
}

async function answered(visit: Visit, services: Services, shared: Shared): Promise<'nowhere' | void> {
  const [, , folder, ...rest] = visit.path.split('/')
  const isPost = visit.request.method === 'POST'
  if (folder === 'conversations')
    return rest.length > 0
      ? useConversation(visit, services, shared, rest)
      : isPost
        ? createConversation(visit, services, shared)
        : 'nowhere'
  const [id, below, ...more] = rest
  if (id === undefined) return isPost ? createResponse(visit, services, shared) : 'nowhere'
  return more.length > 0 ? 'nowhere' : retrieveResponse(visit, services, id, below)
}

/** A fault of ours, and not the store's. */
function isFault(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((fault) => error instanceof fault)
}

const nothingHere = {
  status: 404,
  code: 'no_such_path',
  message:
    'There is nothing here. There is POST /v1/responses, GET and DELETE /v1/responses/{id}, GET …/input_items, and /v1/conversations with its items.',
}
