import { readBody } from '../body.ts'
import { answerHeaders, receiptHeaders } from '../chat/answer-headers.ts'
import { chatRefusal } from '../chat/chat-refusal.ts'
import { readWishes } from '../chat/wishes.ts'
import type { Refusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import { policiesOf } from '../turns/policies.ts'
import type { Visit } from '../visit.ts'
import { answerResponse } from './answer-response.ts'
import type { Asking, Shared } from './asking.ts'
import { findResponse } from './find-response.ts'
import { fieldsIn, refuseVisit } from './incoming.ts'
import { responsePlace } from './ids.ts'
import { placeResponse, type PlacedResponse } from './place-response.ts'
import { missing, refusalIn, unusable } from './problem.ts'
import { withReferences } from './references.ts'
import { readResponseRequest } from './request.ts'
import { responseOf } from './response.ts'
import { withSigns } from './sign-of-life.ts'
import { replayEvents, send } from './telling.ts'

/**
 * Answers `POST /v1/responses`: puts what is asked on record, asks the upstream for a chat, and lets an answer look
 * whole only when it is on record.
 */
export async function createResponse(
  visit: Visit,
  services: Services,
  { shelf, random, inLane }: Shared,
): Promise<void> {
  const body = await readBody(visit.request, { limit: services.config.bodyLimit, hold: visit.hold })
  if ('gone' in body) return
  if ('refusal' in body) return refuseVisit(visit, body.refusal)
  const place = { store: services.stores.of(visit.caller.tenant).store, owner: visit.caller.name }
  const request = readResponseRequest(await withReferences(fieldsIn(body.bytes), place))
  const wishes = await readWishes(
    visit.request.headers,
    policiesOf(services.config, services.stores.of(visit.caller.tenant).store),
  )
  if (wishes.problem) return refuseVisit(visit, wishes.problem)
  const model = request.model ?? services.config.defaultModel
  if (model === undefined)
    throw unusable(
      'model',
      'model is missing. Send the name of a model, or set defaultModel on the server.',
      'missing_required_parameter',
    )
  const upstream = services.upstreams.choose('openai', model)
  if (!upstream) return refuseVisit(visit, services.upstreams.missing('openai', model))
  const asking: Asking = { visit, services, request, model, upstream, wishes, shelf, random, bytes: body.bytes.length }
  // One after the other: a conversation is one line.
  const { conversation } = request
  return inLane(visit.caller, { kind: 'id', name: wishes.id }, () =>
    inLane(visit.caller, { kind: 'conversation', name: conversation }, () => answered(asking)),
  )
}

async function answered(asking: Asking): Promise<void> {
  const { visit, services } = asking
  let placed: PlacedResponse
  try {
    placed = await placeResponse(asking)
  } catch (error) {
    const refusal = refusalIn(error) ?? chatRefusal(error)
    return refuseVisit(visit, refusal === 'pass' ? unkeepable : refusal)
  }
  const { relay, window, shelved, kept } = placed
  services.metrics.relayed(relay.mode)
  if (!kept) services.metrics.unrecorded()
  visit.tell({
    thread: kept?.thread,
    turn: relay.question.id,
    mode: relay.mode,
    tokens: relay.prediction.predicted,
    recorded: kept !== undefined,
  })
  const headers = await answerHeaders({ thread: kept?.thread, relay, window, last: shelved.calls.truncated })
  if (relay.answered) return replay(asking, placed, headers)
  return withSigns(kept, placed.begun.id, () => answerResponse(asking, placed, headers))
}

/** Gives again what is on record under the same id. */
async function replay(
  { visit: { response, caller }, request: { streams } }: Asking,
  { begun: { id }, kept }: PlacedResponse,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const found = kept && (await findResponse({ store: kept.store, owner: caller.name }, id))
  const place = responsePlace(id)
  if (!found || !place) throw missing('response')
  const ended = responseOf({ ...found, stores: true })
  const told = { ...headers, ...(found.ending && receiptHeaders(found.ending.receipt)) }
  if (streams) replayEvents(response, place, ended, { headers: told })
  else send(response, ended, told)
}

const unkeepable: Refusal = {
  status: 400,
  code: 'invalid_request',
  message:
    'Something in input cannot be kept on record. Send texts, images as data URLs or addresses, functions and their results.',
  param: 'input',
}
