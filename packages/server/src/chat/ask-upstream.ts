import type { EndEvent } from 'minutebook'
import { forwardedHeaders } from '../pass.ts'
import { receiptHeaders } from './answer-headers.ts'
import { bodyToSend } from './body-to-send.ts'
import type { Chat } from './chat.ts'
import { chatAnswer } from './chat-answer.ts'
import { chatSpan } from './chat-span.ts'
import { keepAnswer } from './keep-answer.ts'
import type { Placed } from './place-chat.ts'

/** Calls the upstream, passes its answer on and puts it on record. The client's leaving ends the call. */
export async function askUpstream(chat: Chat, placed: Placed, headers: Readonly<Record<string, string>>): Promise<void> {
  const { visit, services, protocol, request, upstream } = chat
  const { response } = visit
  const { relay, window } = placed
  const span = chatSpan(chat, placed)
  const stop = async (how: 'cancelled' | 'failed', shown: string, code: string): Promise<void> => {
    visit.tell({ code })
    span.end({ error: code })
    await relay.stop(how, shown, code).catch(() => undefined)
  }
  if (response.destroyed) return stop('cancelled', '', 'cancelled')
  const answer = chatAnswer({
    response,
    protocol,
    streams: request.streams,
    headers,
    readsTrailers: visit.request.headers.te?.includes('trailers') === true,
    keep: (end) => keep(chat, placed, end).finally(() => span.end({ finish: end.finish, usage: end.usage, message: () => end.message })).catch((error: unknown) => {
      visit.tell({ code: 'answer_not_recorded', recorded: false })
      services.metrics.unrecorded()
      throw error
    }),
    stop,
    hidesNotes: services.config.policy.notes === true,
    givesUnrecorded: services.config.onStoreFailure === 'pass',
  })
  const body = bodyToSend(request, protocol, { path: relay.path, messages: relay.messages, numCtx: window.numCtx })
  const sent = { ...forwardedHeaders(visit, upstream), 'accept-encoding': 'identity', 'content-length': String(body.length) }
  const call = services.caller.call({ upstream, method: 'POST', path: visit.path + visit.query, headers: sent, body }, {
    ...answer,
    data: (bytes) => {
      span.firstText()
      return answer.data(bytes)
    },
    failed: (failure) => {
      services.metrics.upstreamFailed(failure.code)
      answer.failed(failure)
    },
  })
  visit.hold.settle()
  response.on('drain', () => call.resume())
  response.on('close', () => {
    if (response.writableFinished) return
    call.abort()
    answer.leave()
  })
  await answer.over
  // An upstream that has said all may still hold on.
  call.abort()
}

async function keep({ services, visit, upstream, request: { model, numKeep }, protocol }: Chat, placed: Placed, end: EndEvent): Promise<Record<string, string>> {
  const { receipt } = await keepAnswer({ ...placed, services, visit, upstream, model, protocol, numKeep }, end)
  return receiptHeaders(receipt)
}
