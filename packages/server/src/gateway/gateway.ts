import { randomBytes } from 'node:crypto'
import { readBody } from '../http/body.ts'
import { refuse, type Refusal } from '../http/reply.ts'
import type { Visit } from '../http/http.ts'
import { protocols } from '../protocol/protocols.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { ChatHandler, Services } from '../services.ts'
import { policiesOf } from '../stores/policies.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { askingOf, askUpstream } from './ask-upstream.ts'
import { refusedToChatsOnly, unreadableToChatsOnly } from './chats-only.ts'
import { pass } from './pass.ts'
import { placeChat, type Chat, type Placed } from './place-chat.ts'
import { answerHeaders, receiptHeaders } from './record-answer.ts'
import { chatRefusal, isStoreFailure } from './refusals.ts'
import { receiptOf, replayAnswer } from './replay-answer.ts'
import { asksForBypass, readRequestHeaders, type RequestHeaders } from './request-headers.ts'
import { readRequest } from './request.ts'
import { createOneAtATime, createThreadCache } from './thread-cache.ts'

/**
 * Handles chats of all protocols, one handler for each server. The steps of a chat, in order:
 *
 * | step        | file                                | what it does                                             |
 * | ----------- | ----------------------------------- | -------------------------------------------------------- |
 * | body        | http/body.ts                        | reads it, within its limits                              |
 * | request     | gateway/request.ts                  | reads the messages, or passes on what it cannot record   |
 * | upstream    | upstream/upstream.ts                | chooses the model server                                 |
 * | place       | gateway/place-chat.ts               | finds the thread (matching/) and records the question    |
 * | replay      | gateway/replay-answer.ts            | a request that was answered before gets the same answer  |
 * | ask         | gateway/ask-upstream.ts             | sends it unchanged, or as a prompt that fits             |
 * | answer      | gateway/answer.ts, protocol/tap.ts  | passes the answer on, and holds back its end             |
 * | record      | gateway/record-answer.ts            | commits answer and receipt; then the end is sent         |
 *
 * @example
 * const { url } = await serve(config, { chat: relayChat() })
 */
export function relayChat(): ChatHandler {
  const shared = { cache: createThreadCache(), random: randomBytes }
  const oneAtATime = createOneAtATime()
  return async (visit, name, services) => {
    const protocol = protocols[name]
    const body = await readBody(visit.request, { limit: services.config.bodyLimit, hold: visit.hold })
    if ('gone' in body) return
    if ('refusal' in body) return refuseChat(visit, protocol, body.refusal)
    const { headers } = visit.request
    const isBypass = asksForBypass(headers)
    const read = readRequest(body.bytes, protocol)
    if (read.kind === 'refused' && !isBypass) return refuseChat(visit, protocol, read.refusal)
    const notAllowed =
      visit.caller.system === false ? refusedToChatsOnly({ read, bytes: body.bytes, headers }, name) : undefined
    if (notAllowed) return refuseChat(visit, protocol, notAllowed)
    const model = read.kind === 'chat' ? read.request.model : read.kind === 'pass' ? read.model : undefined
    const upstream = services.upstreams.choose(name, model)
    if (!upstream) return refuseChat(visit, protocol, services.upstreams.missing(name, model))
    if (read.kind === 'pass' && read.why !== 'unreadable')
      return pass(visit, services, { protocol: name, upstream, body: body.bytes, headers: unrecorded })
    if (read.kind !== 'chat' || isBypass) return passChat(visit, services, { protocol, upstream, body: body.bytes })
    const { request } = read
    let requestHeaders: RequestHeaders
    try {
      const { store } = services.stores.of(visit.caller.tenant)
      requestHeaders = await readRequestHeaders(headers, policiesOf(services.config, store))
    } catch (error) {
      return unplaced({ visit, services, protocol, upstream, request }, error)
    }
    if (requestHeaders.problem) return refuseChat(visit, protocol, requestHeaders.problem)
    return oneAtATime(visit.caller, { kind: 'id', name: requestHeaders.id }, () =>
      relayed({ ...shared, visit, services, protocol, upstream, requestHeaders, request }),
    )
  }
}

async function relayed(chat: Chat): Promise<void> {
  const { visit, services, protocol, request, requestHeaders } = chat
  let placed: Placed
  try {
    placed = await placeChat(chat)
  } catch (error) {
    return unplaced(chat, error)
  }
  const { relay, thread, cached } = placed
  services.metrics.relayed(relay.mode)
  if (thread === undefined) services.metrics.unrecorded()
  visit.tell({
    thread,
    turn: relay.question.id,
    mode: relay.mode,
    tokens: relay.prediction.predicted,
    recorded: thread !== undefined,
  })
  const headers = await answerHeaders(placed)
  if (relay.answered) {
    const receipt = receiptOf(await cached.thread.receipts().catch(() => []), relay, requestHeaders.id)
    return replayAnswer(
      visit.response,
      protocol,
      request,
      { answer: relay.answered, receipt },
      { ...headers, ...(receipt && receiptHeaders(receipt, { isRecorded: true })) },
    )
  }
  await askUpstream(askingOf(chat), placed, headers)
}

/** A chat that cannot be recorded is refused, or passed on unrecorded. */
async function unplaced(
  { visit, services, protocol, upstream, request }: Omit<Chat, 'cache' | 'random' | 'requestHeaders'>,
  error: unknown,
): Promise<void> {
  const found = chatRefusal(error)
  const refusal = found === 'pass' && visit.caller.system === false ? unreadableToChatsOnly : found
  if (refusal === 'pass' || (isStoreFailure(refusal) && services.config.onStoreFailure === 'pass'))
    return passChat(visit, services, { protocol, upstream, body: request.bytes })
  return refuseChat(visit, protocol, refusal)
}

const unrecorded = { 'minutebook-recorded': 'no' }

/** A chat that is not recorded. */
function passChat(
  visit: Visit,
  services: Services,
  { protocol, upstream, body }: { readonly protocol: Protocol; readonly upstream: Upstream; readonly body: Buffer },
): Promise<void> {
  services.metrics.unrecorded()
  visit.tell({ recorded: false })
  return pass(visit, services, { protocol: protocol.name, upstream, body, headers: unrecorded })
}

function refuseChat(visit: Visit, protocol: Protocol, refusal: Refusal): void {
  if (visit.response.destroyed) return
  visit.tell({ code: refusal.code })
  refuse(visit.response, refusal, protocol.name)
}
