import type { Message, ModelEvent } from 'minutebook'
import type { ContextOverflow, EndEvent } from 'minutebook/wire'
import { Buffer } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { longestSilence } from '../gateway/answer.ts'
import { forwardedHeaders } from '../gateway/pass.ts'
import { answerTooLong, cutOff } from '../gateway/refusals.ts'
import { clientHeaders, type Headers } from '../http/headers.ts'
import { asObject } from '../http/json.ts'
import type { Refusal } from '../http/reply.ts'
import { openAi } from '../protocol/openai.ts'
import {
  createTap,
  framingOf,
  longestRefusal,
  overflowInRefusal,
  sizeOf,
  type Framing,
  type Tap,
} from '../protocol/tap.ts'
import { partOf } from './ids.ts'
import type { PlacedResponse } from './place.ts'
import type { ResponseContext } from './request.ts'

/** What came of a model call. */
export type ModelAnswer =
  | { readonly kind: 'answer'; readonly end: EndEvent }
  /** The upstream refused it, in its own words. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly headers: Headers
      readonly body: Buffer
      readonly overflow: ContextOverflow | undefined
    }
  | {
      readonly kind: 'failed'
      readonly code: 'model_unreachable' | 'model_cut' | 'model_error'
      readonly refusal: Refusal
      readonly overflow?: ContextOverflow | undefined
    }
  /** The client went away. */
  | { readonly kind: 'left' }

/** Receives the answer while it comes. */
export interface AnswerListener {
  /** The upstream has begun to answer, or was silent for long. */
  begin(): void
  hear(event: ModelEvent): void
}

/** Asks the upstream for a chat. Never rejects. The call ends if the client leaves. */
export function callModel(
  { visit, services, upstream, request }: ResponseContext,
  body: Buffer,
  hearer: AnswerListener,
): Promise<ModelAnswer> {
  const { response } = visit
  if (response.destroyed) return Promise.resolve({ kind: 'left' })
  return new Promise((resolve) => {
    let tap: Tap | undefined
    let refused: { readonly status: number; readonly headers: Headers; readonly pieces: Buffer[] } | undefined
    /** Bytes that may still be a refusal, as long as they are few. */
    let first: Buffer[] | undefined
    let framing: Framing | undefined
    let timer: NodeJS.Timeout | undefined
    const begin = (): void => {
      clearTimeout(timer)
      if (first) hearer.begin()
      first = undefined
    }
    const over = (heard: ModelAnswer): void => {
      clearTimeout(timer)
      first = undefined
      resolve(heard)
    }
    const conclude = (heard: Tap): void => {
      const overflow = heard.hasFailed && first ? overflowInRefusal(Buffer.concat(first), framing) : undefined
      if (!overflow) begin()
      over(concluded(heard, overflow))
    }
    const tooLong = (): boolean => {
      over({ kind: 'failed', code: 'model_cut', refusal: answerTooLong })
      call.abort()
      return false
    }
    const headers = {
      ...forwardedHeaders(visit, upstream, 'openai'),
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'content-length': String(body.length),
    }
    const call = services.upstreamClient.call(
      { upstream, method: 'POST', path: '/v1/chat/completions', headers, body },
      {
        head: (status, received) => {
          if (status < 200 || status >= 300)
            return void (refused = { status, headers: refusalHeaders(received), pieces: [] })
          framing = framingOf(received, openAi, request.streams)
          first = []
          tap = createTap(openAi, framing, {
            hear: (event) => {
              begin()
              hearer.hear(event)
            },
          })
          // A client that receives nothing for long would leave.
          timer = setTimeout(begin, longestSilence)
        },
        data: (bytes) => {
          if (refused && refused.pieces.length < mostPieces) refused.pieces.push(bytes)
          first?.push(bytes)
          tap?.push(bytes)
          if (tap?.hasBegun || (first && sizeOf(first) > longestRefusal)) begin()
          if (tap?.isTooLong) return tooLong()
          if (tap?.isDone) conclude(tap)
          return !response.writableNeedDrain
        },
        end: () => {
          if (refused) {
            const said = Buffer.concat(refused.pieces)
            return over({ kind: 'refused', ...refused, body: said, overflow: overflowInRefusal(said, 'refused') })
          }
          tap?.end()
          if (tap) conclude(tap)
        },
        failed: (failure) => {
          services.metrics.upstreamFailed(failure.code)
          over({ kind: 'failed', code: tap ? 'model_cut' : 'model_unreachable', refusal: failure })
        },
      },
    )
    visit.hold.settle()
    response.on('drain', () => call.resume())
    response.on('close', () => {
      // An upstream may keep the connection after the end of its answer.
      call.abort()
      over({ kind: 'left' })
    })
  })
}

function refusalHeaders(received: IncomingHttpHeaders): Headers {
  const { 'content-length': _, ...headers } = clientHeaders(received)
  return headers
}

function concluded(tap: Tap, overflow: ContextOverflow | undefined): ModelAnswer {
  if (tap.hasFailed) return { kind: 'failed', code: 'model_error', refusal: midway, overflow }
  try {
    return { kind: 'answer', end: tap.answer() }
  } catch {
    return { kind: 'failed', code: 'model_cut', refusal: cutOff }
  }
}

/** What an upstream says about a refusal is short. */
const mostPieces = 64

const midway: Refusal = {
  status: 502,
  code: 'upstream_failed',
  problem: 'The upstream failed in the middle of its answer.',
  fix: 'Look into the log of the upstream, and ask again.',
}

/** Counts and logs a model call. */
export interface ObservedCall {
  hear(event: ModelEvent): void
  end(heard: ModelAnswer): void
}

export function observeCall(
  { visit: { request, caller }, services: { spans, metrics }, model, upstream }: ResponseContext,
  { relay, kept }: PlacedResponse,
): ObservedCall {
  const started = performance.now()
  const { traceparent } = request.headers
  const span = spans.model({
    model,
    upstream: upstream.url,
    protocol: 'openai',
    mode: relay.mode,
    predicted: relay.prediction.predicted,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    tenant: caller.tenant,
    thread: kept?.thread,
    turn: relay.question.id,
    messages: () => relay.messages,
  })
  let firstText: number | undefined
  return {
    hear: ({ type }) => {
      if (type !== 'text' || firstText !== undefined) return
      firstText = (performance.now() - started) / 1000
      span.firstText()
    },
    end: (heard) => {
      const { message, finish, usage } = heard.kind === 'answer' ? heard.end : {}
      const error =
        heard.kind === 'answer'
          ? undefined
          : heard.kind === 'failed'
            ? heard.code
            : heard.kind === 'left'
              ? 'cancelled'
              : 'model_refused'
      metrics.modelCalled({
        ok: error === undefined,
        seconds: (performance.now() - started) / 1000,
        firstText,
        prompt: usage?.prompt,
        completion: usage?.completion,
      })
      span.end({ error, finish, usage, message: () => message })
    },
  }
}

/** The chat that an upstream is asked for. */
export function chatBody(
  { model, request: { tools, chat, streams } }: ResponseContext,
  messages: readonly Message[],
): Buffer {
  return Buffer.from(
    JSON.stringify({
      model,
      messages: messages.map(withoutItems),
      ...(tools.length > 0 && { tools }),
      ...chat,
      stream: streams,
      ...(streams && { stream_options: { include_usage: true } }),
    }),
  )
}

/** A message that another upstream took as items is a message like others for a chat. */
function withoutItems(message: Message & { readonly items?: unknown }): Message {
  const { items, ...rest } = message
  return items === undefined ? message : rest
}

/** An answer whose calls all have their own ids: a client names them in its results. */
export function withCallIds(end: EndEvent, random: (bytes: number) => Uint8Array): EndEvent {
  const { tool_calls: calls } = end.message
  if (!Array.isArray(calls)) return end
  const taken = new Set<unknown>()
  const own = calls.map((call: unknown) => {
    const { id } = asObject(call)
    const isOwn = typeof id === 'string' && id !== '' && !taken.has(id)
    if (isOwn) taken.add(id)
    return isOwn ? call : { ...asObject(call), id: `call_${partOf(random(16))}` }
  })
  return { ...end, message: { ...end.message, tool_calls: own } }
}
