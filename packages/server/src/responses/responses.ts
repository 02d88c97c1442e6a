import { randomBytes } from 'node:crypto'
import { pass } from '../gateway/pass.ts'
import { answerHeaders, receiptHeaders } from '../gateway/record-answer.ts'
import { chatRefusal, storeFailure } from '../gateway/refusals.ts'
import { readRequestHeaders } from '../gateway/request-headers.ts'
import { createOneAtATime, createThreadCache } from '../gateway/thread-cache.ts'
import { readBody } from '../http/body.ts'
import { isGiven, type Fields } from '../http/json.ts'
import type { Refusal } from '../http/reply.ts'
import type { Visit } from '../http/http.ts'
import { replaced } from '../protocol/json-members.ts'
import type { Services } from '../services.ts'
import { policiesOf } from '../stores/policies.ts'
import { answerResponse } from './answer.ts'
import { createConversation, useConversation } from './conversations.ts'
import { responsePlace } from './ids.ts'
import { responseOf } from './output.ts'
import { placeResponse, type PlacedResponse } from './place.ts'
import { notFoundError, objectIn, refusalIn, refuseVisit, requestError } from './problems.ts'
import { findResponse, withHeartbeat } from './recorded.ts'
import { withReferences } from './references.ts'
import {
  checkDirectFields,
  modelIn,
  readDirectRequest,
  readResponseRequest,
  type DirectRequest,
  type ResponseContext,
  type ResponsesState,
} from './request.ts'
import { retrieveResponse } from './retrieve.ts'
import { createServedResponses } from './served.ts'
import { replayEvents, send } from './stream.ts'

/** Answers `/v1/responses` and `/v1/conversations`, and the paths below. */
export type ResponsesHandler = (visit: Visit, services: Services) => Promise<void>

/**
 * OpenAI's stateful protocol, on our threads and the upstream's chats. One for each server.
 *
 * @example
 * const responses = answerResponses()
 * await responses(visit, services)
 */
export function answerResponses(): ResponsesHandler {
  const shared: ResponsesState = {
    cache: createThreadCache(),
    oneAtATime: createOneAtATime(),
    random: randomBytes,
    served: createServedResponses(),
  }
  return async (visit, services) => {
    try {
      if ((await answerPath(visit, services, shared)) === 'nowhere') refuseVisit(visit, nothingHere)
    } catch (error) {
      const refusal = refusalIn(error) ?? (isFault(error) ? undefined : storeFailure(error))
      if (!refusal) throw error
      refuseVisit(visit, refusal)
    }
  }
}

async function answerPath(visit: Visit, services: Services, shared: ResponsesState): Promise<'nowhere' | void> {
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
  problem: 'There is nothing at this address.',
  fix: 'Use POST /v1/responses, GET or DELETE /v1/responses/{id}, GET …/input_items, or /v1/conversations with its items.',
}

/**
 * Answers `POST /v1/responses`: records what is asked, asks the upstream for the response or for a chat, and lets an
 * answer look whole only when it is recorded.
 */
async function createResponse(
  visit: Visit,
  services: Services,
  { cache, random, oneAtATime, served }: ResponsesState,
): Promise<void> {
  const body = await readBody(visit.request, { limit: services.config.bodyLimit, hold: visit.hold })
  if ('gone' in body) return
  if ('refusal' in body) return refuseVisit(visit, body.refusal)
  const { bytes } = body
  const { fields: sent, spans } = objectIn(bytes)
  const model = modelIn(sent['model']) ?? services.config.defaultModel
  if (model === undefined)
    throw requestError(
      'model',
      'model is missing.',
      'Send the name of a model, or set defaultModel on the server.',
      'missing_required_parameter',
    )
  const upstream = services.upstreams.choose('openai', model)
  if (!upstream) return refuseVisit(visit, services.upstreams.missing('openai', model))
  const isDirect = mayAskDirectly(services.config) && (await served.by(upstream, visit, services))
  if (isDirect) checkDirectFields(sent)
  if (isDirect && isTemplateOnly(sent)) return passTemplate(visit, services, { upstream, bytes, spans, model })
  const place = { store: services.stores.of(visit.caller.tenant).store, owner: visit.caller.name }
  const requestHeaders = await readRequestHeaders(visit.request.headers, policiesOf(services.config, place.store))
  if (requestHeaders.problem) return refuseVisit(visit, requestHeaders.problem)
  const fields = await withReferences(sent, place, requestHeaders.thread)
  const request = isDirect ? readDirectRequest(fields) : readResponseRequest(fields)
  const { input } = fields
  const asking: ResponseContext = {
    visit,
    services,
    request,
    model,
    upstream,
    requestHeaders,
    cache,
    random,
    bytes: bytes.length,
    direct: isDirect ? { bytes, spans, input, isResolved: input !== sent['input'] } : undefined,
  }
  // One after the other: a conversation has one line.
  const { conversation } = request
  return oneAtATime(visit.caller, { kind: 'id', name: requestHeaders.id }, () =>
    oneAtATime(visit.caller, { kind: 'conversation', name: conversation }, () => answerInOrder(asking)),
  )
}

/** Whether all that is asked is in a template that only the upstream has. */
function isTemplateOnly(fields: Fields): boolean {
  const isGivenHere = (name: string): boolean => isGiven(fields[name])
  return isGivenHere('prompt') && !['input', 'previous_response_id', 'conversation'].some(isGivenHere)
}

/** Passes a request on that has no words of its own, so there is nothing to record. Nothing is stored there, either. */
function passTemplate(
  visit: Visit,
  services: Services,
  {
    upstream,
    bytes,
    spans,
    model,
  }: Pick<ResponseContext, 'upstream' | 'model'> & Pick<DirectRequest, 'bytes' | 'spans'>,
): Promise<void> {
  services.metrics.unrecorded()
  visit.tell({ recorded: false })
  const body = replaced(bytes, spans, { store: 'false', model: JSON.stringify(model) })
  return pass(visit, services, { protocol: 'openai', upstream, body, headers: { 'minutebook-recorded': 'no' } })
}

/** Notes to self are asked for and taken out of chats only. */
function mayAskDirectly({ responses, policy }: Services['config']): boolean {
  return responses === 'auto' && policy.notes !== true
}

async function answerInOrder(asking: ResponseContext): Promise<void> {
  const { visit, services } = asking
  let placed: PlacedResponse
  try {
    placed = await placeResponse(asking)
  } catch (error) {
    const refusal = refusalIn(error) ?? chatRefusal(error)
    return refuseVisit(visit, refusal === 'pass' ? unkeepable : refusal)
  }
  const { relay, kept } = placed
  services.metrics.relayed(relay.mode)
  if (!kept) services.metrics.unrecorded()
  visit.tell({
    thread: kept?.thread,
    turn: relay.question.id,
    mode: relay.mode,
    tokens: relay.prediction.predicted,
    recorded: kept !== undefined,
  })
  const headers = {
    ...(await answerHeaders({ ...placed, thread: kept?.thread })),
    ...ignoredHeader(asking.request.ignored),
  }
  if (relay.answered) return replay(asking, placed, headers)
  return withHeartbeat(kept, placed.begun.id, () => answerResponse(asking, placed, headers))
}

/** The header that names what was left out of a request. Other characters than those of names are left out of it. */
function ignoredHeader(ignored: readonly string[]): Readonly<Record<string, string>> {
  if (ignored.length === 0) return {}
  const names = ignored.slice(0, mostNamed).map((name) => name.replaceAll(/[^\w.=[\]-]/g, '').slice(0, longestName))
  const more = ignored.length > mostNamed ? [`and ${ignored.length - mostNamed} more`] : []
  return { 'minutebook-ignored': [...names, ...more].join(', ') }
}

const mostNamed = 20
const longestName = 64

/** Returns what is recorded under the same id again. */
async function replay(
  { visit: { response, caller }, request: { streams } }: ResponseContext,
  { begun: { id }, kept }: PlacedResponse,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const found = kept && (await findResponse({ store: kept.store, owner: caller.name }, id))
  const place = responsePlace(id)
  if (!found || !place) throw notFoundError('response')
  const ended = responseOf({ ...found, stores: true })
  const told = { ...headers, ...(found.ending && receiptHeaders(found.ending.receipt, { isRecorded: true })) }
  if (streams) replayEvents(response, place, ended, { headers: told })
  else send(response, ended, told)
}

const unkeepable: Refusal = {
  status: 400,
  code: 'invalid_request',
  problem: 'Something in input cannot be recorded.',
  fix: 'Send texts, images as data URLs or addresses, functions and their results.',
  param: 'input',
}
