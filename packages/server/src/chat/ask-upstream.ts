import type { EndEvent, Message } from 'minutebook'
import { recordAnswer } from '../lineage/record-line.ts'
import { forwardedHeaders } from '../pass.ts'
import { receiptHeaders } from './answer-headers.ts'
import { bodyToSend } from './body-to-send.ts'
import type { Chat } from './chat.ts'
import { chatAnswer } from './chat-answer.ts'
import type { Placed } from './place-chat.ts'

/** Calls the upstream, passes its answer on and puts it on record. The client's leaving ends the call. */
export async function askUpstream(chat: Chat, placed: Placed, headers: Readonly<Record<string, string>>): Promise<void> {
  const { visit, services, protocol, request, upstream } = chat
  const { response } = visit
  const { relay, window } = placed
  const stop = async (how: 'cancelled' | 'failed', shown: string, code: string): Promise<void> => {
    visit.tell({ code })
    const stopped = await relay.stop(how, shown, code).catch(() => undefined)
    if (stopped?.answer) await recordLine(placed, stopped.answer.raw)
  }
  if (response.destroyed) return stop('cancelled', '', 'cancelled')
  const answer = chatAnswer({
    response,
    protocol,
    streams: request.streams,
    headers,
    readsTrailers: visit.request.headers.te?.includes('trailers') === true,
    keep: (end) => keep(chat, placed, end).catch((error: unknown) => {
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
    failed: (failure) => {
      services.metrics.upstreamFailed(failure.code)
      answer.failed(failure)
    },
  })
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

async function keep({ services, visit, request, protocol }: Chat, placed: Placed, end: EndEvent): Promise<Record<string, string>> {
  const { relay, window, shelved } = placed
  const { receipt, answer } = await relay.answer(end, { window: window.window, keep: request.numKeep, counts: protocol.counts })
  const { truncated = 'unknown' } = receipt
  shelved.calls.truncated = truncated
  services.metrics.truncated(truncated)
  visit.tell({ truncated })
  const { prompt } = end.usage ?? {}
  if (prompt !== undefined && truncated !== 'yes') void services.calibrations.learn(request.model, { predicted: relay.prediction.uncalibrated, reported: prompt }).catch(() => undefined)
  if (answer) await recordLine(placed, answer.raw)
  return receiptHeaders(receipt)
}

/** Without it the next request begins a new thread; what was said is on record all the same. */
async function recordLine({ asked, found }: Placed, answer: Message): Promise<void> {
  if (asked && found) await recordAnswer(asked, found, answer).catch(() => undefined)
}
