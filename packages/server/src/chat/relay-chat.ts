import { randomBytes } from 'node:crypto'
import { readBody } from '../body.ts'
import type { ChatHandler } from '../chat-handler.ts'
import { pass } from '../pass.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { Services } from '../services.ts'
import type { Upstream } from '../upstream.ts'
import { policiesOf } from '../turns/policies.ts'
import type { Visit } from '../visit.ts'
import { answerHeaders, receiptHeaders } from './answer-headers.ts'
import { askUpstream } from './ask-upstream.ts'
import type { Chat } from './chat.ts'
import { chatRefusal } from './chat-refusal.ts'
import { refusedToChatsOnly, unreadableToChatsOnly } from './chats-only.ts'
import { createIdLanes } from './id-lanes.ts'
import { ollama } from './ollama.ts'
import { openAi } from './openai.ts'
import { placeChat, type Placed } from './place-chat.ts'
import type { Protocol } from './protocol.ts'
import { receiptOf, replayAnswer } from './replay-answer.ts'
import { readRequest } from './request.ts'
import { createThreadShelf } from './thread-shelf.ts'
import { readWishes } from './wishes.ts'

/**
 * Handles chats of both protocols: puts what was asked on record, sends it on unchanged or as a prompt that fits, and
 * lets an answer look whole only when it is on record too. One for each server.
 *
 * @example
 * const { url } = await serve(config, { chat: relayChat() })
 */
export function relayChat(): ChatHandler {
  const shared = { shelf: createThreadShelf(), random: randomBytes }
  const inLane = createIdLanes()
  return async (visit, name, services) => {
    const protocol = name === 'ollama' ? ollama : openAi
    const body = await readBody(visit.request, { limit: services.config.bodyLimit, hold: visit.hold })
    if ('gone' in body) return
    if ('refusal' in body) return refuseChat(visit, protocol, body.refusal)
    const wishes = await readWishes(
      visit.request.headers,
      policiesOf(services.config, services.stores.of(visit.caller.tenant).store),
    )
    const read = readRequest(body.bytes, protocol)
    if (read.kind === 'refused' && !wishes.bypass) return refuseChat(visit, protocol, read.refusal)
    const notAllowed =
      visit.caller.system === false
        ? refusedToChatsOnly({ read, bytes: body.bytes, headers: visit.request.headers }, name)
        : undefined
    if (notAllowed) return refuseChat(visit, protocol, notAllowed)
    const model = read.kind === 'chat' ? read.request.model : read.kind === 'pass' ? read.model : undefined
    const upstream = services.upstreams.choose(name, model)
    if (!upstream) return refuseChat(visit, protocol, services.upstreams.missing(name, model))
    if (read.kind === 'pass' && read.why !== 'unreadable')
      return pass(visit, services, { protocol: name, upstream, body: body.bytes, headers: unrecorded })
    if (read.kind !== 'chat' || wishes.bypass)
      return passChat(visit, services, { protocol, upstream, body: body.bytes })
    if (wishes.problem) return refuseChat(visit, protocol, wishes.problem)
    const { request } = read
    return inLane(visit.caller, { kind: 'id', name: wishes.id }, () =>
      relayed({ ...shared, visit, services, protocol, upstream, wishes, request }),
    )
  }
}

async function relayed(chat: Chat): Promise<void> {
  const { visit, services, protocol, request, upstream, wishes } = chat
  let placed: Placed
  try {
    placed = await placeChat(chat)
  } catch (error) {
    const found = chatRefusal(error)
    const refusal = found === 'pass' && visit.caller.system === false ? unreadableToChatsOnly : found
    if (refusal === 'pass' || (refusal.status === 503 && services.config.onStoreFailure === 'pass'))
      return passChat(visit, services, { protocol, upstream, body: request.bytes })
    return refuseChat(visit, protocol, refusal)
  }
  const { relay, thread, window, shelved } = placed
  services.metrics.relayed(relay.mode)
  if (thread === undefined) services.metrics.unrecorded()
  visit.tell({
    thread,
    turn: relay.question.id,
    mode: relay.mode,
    tokens: relay.prediction.predicted,
    recorded: thread !== undefined,
  })
  const headers = await answerHeaders({ thread, relay, window, last: shelved.calls.truncated })
  if (relay.answered) {
    const receipt = receiptOf(await shelved.thread.receipts().catch(() => []), relay, wishes.id)
    return replayAnswer(
      visit.response,
      protocol,
      request,
      { answer: relay.answered, receipt },
      { ...headers, ...(receipt && receiptHeaders(receipt)) },
    )
  }
  await askUpstream(chat, placed, headers)
}

const unrecorded = { 'minutebook-recorded': 'no' }

/** A chat that nobody writes down. */
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
