import type { Message } from 'minutebook'
import type { RelayMode } from 'minutebook/inspect'
import type { EndEvent } from 'minutebook/wire'
import type { Buffer } from 'node:buffer'
import { replaced, scanObject } from '../protocol/json-members.ts'
import type { ModelSpan } from '../telemetry/telemetry.ts'
import type { WindowQuestion } from '../upstream/window.ts'
import { chatAnswer, type AnswerTerms, type WithheldRefusal } from './answer.ts'
import { createNoteFilter } from './note-filter.ts'
import { forwardedHeaders } from './pass.ts'
import type { Chat, Placed } from './place-chat.ts'
import { answerHeaders, recordAnswer, receiptHeaders } from './record-answer.ts'
import { refit, sentText } from './refit.ts'
import type { ChatRequest } from './request.ts'

/** A request that is placed, and how it is sent to the upstream. */
export interface Asking extends Pick<Chat, 'visit' | 'services' | 'protocol' | 'upstream'> {
  readonly request: Pick<ChatRequest, 'model' | 'streams' | 'output' | 'numCtx' | 'numKeep'>
  /** The body that is sent. */
  readonly body: (sending: Sending) => Buffer
  readonly filter?: AnswerTerms['filter']
  readonly failing?: AnswerTerms['failing']
}

/** How a chat is sent: the same bytes that came, except for what must change. */
export function askingOf(chat: Chat): Asking {
  const { protocol, request, services } = chat
  return {
    ...chat,
    body: (sending) => bodyToSend(request, sending),
    filter:
      services.config.policy.notes === true && protocol.takesNotes
        ? (framing) => createNoteFilter(protocol, framing)
        : undefined,
  }
}

/**
 * Calls the upstream, passes its answer on and records it. The call ends if the client leaves. If the upstream refuses
 * the prompt as longer than its window, and says how large that is, the client does not see it: the question is sent
 * again, fitted.
 */
export async function askUpstream(
  chat: Asking,
  placed: Placed,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { visit, services } = chat
  const refused = await ask(chat, placed, headers, true)
  if (!refused) return
  let fitted: Placed
  try {
    const sent = sentText(visit, bodyFor(chat, placed))
    fitted = { ...placed, ...(await refit(services, { ...questionOf(chat), sent }, placed, refused.overflow)) }
  } catch {
    return refused.pass()
  }
  visit.tell({ mode: fitted.relay.mode, tokens: fitted.relay.prediction.predicted })
  await ask(chat, fitted, await answerHeaders(fitted), false)
}

/** One call. Resolves with a refusal that the client has not seen. */
async function ask(
  chat: Asking,
  placed: Placed,
  headers: Readonly<Record<string, string>>,
  refits: boolean,
): Promise<WithheldRefusal | undefined> {
  const { visit, services, protocol, request, upstream } = chat
  const { response } = visit
  const { relay } = placed
  const span = chatSpan(chat, placed)
  const stop = async (how: 'cancelled' | 'failed', shown: string, code: string): Promise<void> => {
    visit.tell({ code })
    span.end({ error: code })
    await relay.stop(how, shown, code).catch(() => undefined)
  }
  if (response.destroyed) return stop('cancelled', '', 'cancelled').then(() => undefined)
  const answer = chatAnswer({
    response,
    protocol,
    streams: request.streams,
    headers,
    readsTrailers: visit.request.headers.te?.includes('trailers') === true,
    heard: () => relay.heard(),
    keep: (end) =>
      keep(chat, placed, end)
        .finally(() => span.end({ finish: end.finish, usage: end.usage, message: () => end.message }))
        .catch((error: unknown) => {
          visit.tell({ code: 'answer_not_recorded', recorded: false })
          services.metrics.unrecorded()
          throw error
        }),
    stop,
    filter: chat.filter,
    failing: chat.failing,
    givesUnrecorded: services.config.onStoreFailure === 'pass',
    refits,
  })
  const body = bodyFor(chat, placed)
  const sent = {
    ...forwardedHeaders(visit, upstream, protocol.name),
    'accept-encoding': 'identity',
    'content-length': String(body.length),
  }
  relay.called()
  const call = services.upstreamClient.call(
    { upstream, method: 'POST', path: visit.path + visit.query, headers: sent, body },
    {
      ...answer,
      data: (bytes) => {
        span.firstText()
        return answer.data(bytes)
      },
      failed: (failure) => {
        services.metrics.upstreamFailed(failure.code)
        answer.failed(failure)
      },
    },
  )
  visit.hold.settle()
  const resume = (): void => call.resume()
  const leave = (): void => {
    if (response.writableFinished) return
    call.abort()
    answer.leave()
  }
  response.on('drain', resume).on('close', leave)
  const withheld = await answer.over
  // An upstream may keep the connection after the end of its answer.
  call.abort()
  response.off('drain', resume).off('close', leave)
  if (withheld) span.end({ error: 'context_overflow' })
  return withheld
}

function bodyFor(chat: Asking, { relay: { mode, messages, tools }, window: { numCtx } }: Placed): Buffer {
  return chat.body({ mode, messages, tools, numCtx })
}

async function keep(chat: Asking, placed: Placed, end: EndEvent): Promise<Record<string, string>> {
  const {
    services,
    visit,
    request: { numKeep },
    protocol: { counts },
  } = chat
  const { receipt, cache } = await recordAnswer(
    { ...placed, services, visit, question: questionOf(chat), counts, numKeep },
    end,
  )
  return receiptHeaders(receipt, { cache: placed.isOwn ? cache : undefined, isRecorded: placed.thread !== undefined })
}

function questionOf({
  visit: { caller },
  request: { model, numCtx, output },
  protocol,
  upstream,
}: Asking): WindowQuestion {
  return { tenant: caller.tenant, owner: caller.name, upstream, model, protocol: protocol.name, numCtx, output }
}

/** What is sent to the upstream instead of what came. */
export interface Sending {
  readonly mode: RelayMode
  readonly messages: readonly Message[]
  /** In another order than they came. */
  readonly tools?: readonly unknown[] | undefined
  /** The `num_ctx` that the operator wants in every request. */
  readonly numCtx?: number | undefined
}

function bodyToSend(request: ChatRequest, { mode, messages, tools, numCtx }: Sending): Buffer {
  const { bytes, spans } = request
  const changes = {
    ...(mode === 'rewritten' && request.rewritten(messages)),
    ...(tools && { tools: JSON.stringify(tools) }),
    ...(numCtx !== undefined && { options: withNumCtx(bytes, spans.members.get('options'), numCtx) }),
  }
  return Object.keys(changes).length === 0 ? bytes : replaced(bytes, spans, changes)
}

function withNumCtx(
  bytes: Buffer,
  span: { readonly from: number; readonly to: number } | undefined,
  numCtx: number,
): string {
  const options = span && bytes.subarray(span.from, span.to)
  const spans = options && scanObject(options)
  if (!spans || typeof spans === 'string') return JSON.stringify({ num_ctx: numCtx })
  return replaced(options, spans, { num_ctx: String(numCtx) }).toString()
}

/** The span of the model call for a chat: in the trace of the client, if it has one. */
function chatSpan({ visit, services, protocol, request, upstream }: Asking, { relay, thread }: Placed): ModelSpan {
  const { traceparent } = visit.request.headers
  return services.spans.model({
    model: request.model,
    upstream: upstream.url,
    protocol: protocol.name,
    tenant: visit.caller.tenant,
    thread,
    turn: relay.question.id,
    mode: relay.mode,
    predicted: relay.prediction.predicted,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    messages: () => relay.messages,
  })
}
