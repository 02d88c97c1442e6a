import { Buffer } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { EndEvent, ModelEvent } from 'minutebook'
import { answerTooLong, cutOff } from '../chat/chat-refusal.ts'
import { openAi } from '../chat/openai.ts'
import { createTap, framingOf, type Tap } from '../chat/tap.ts'
import { clientHeaders, type Headers } from '../headers.ts'
import { forwardedHeaders } from '../pass.ts'
import type { Refusal } from '../refusal.ts'
import type { Asking } from './asking.ts'

/** What came of a model call. */
export type Heard =
  | { readonly kind: 'answer'; readonly end: EndEvent }
  /** The upstream refused it, in its own words. */
  | { readonly kind: 'refused'; readonly status: number; readonly headers: Headers; readonly body: Buffer }
  | { readonly kind: 'failed'; readonly code: 'model_unreachable' | 'model_cut' | 'model_error'; readonly refusal: Refusal }
  /** The client went away. */
  | { readonly kind: 'left' }

/** Who is told of what comes while it comes. */
export interface Hearer {
  /** The upstream has begun to answer. */
  begin(): void
  hear(event: ModelEvent): void
}

/** Asks the upstream for a chat. Never rejects. The client's leaving ends the call. */
export function hearModel({ visit, services, upstream, request }: Asking, body: Buffer, hearer: Hearer): Promise<Heard> {
  const { response } = visit
  if (response.destroyed) return Promise.resolve({ kind: 'left' })
  return new Promise((resolve) => {
    let tap: Tap | undefined
    let refused: { readonly status: number; readonly headers: Headers; readonly pieces: Buffer[] } | undefined
    const conclude = (heard: Tap): void => resolve(concluded(heard))
    const tooLong = (): boolean => {
      resolve({ kind: 'failed', code: 'model_cut', refusal: answerTooLong })
      call.abort()
      return false
    }
    const headers = { ...forwardedHeaders(visit, upstream), 'content-type': 'application/json', 'accept-encoding': 'identity', 'content-length': String(body.length) }
    const call = services.caller.call({ upstream, method: 'POST', path: '/v1/chat/completions', headers, body }, {
      head: (status, received) => {
        if (status < 200 || status >= 300) return void (refused = { status, headers: refusalHeaders(received), pieces: [] })
        tap = createTap(openAi, framingOf(received, openAi, request.streams), { hear: (event) => hearer.hear(event) })
        hearer.begin()
      },
      data: (bytes) => {
        if (refused && refused.pieces.length < mostPieces) refused.pieces.push(bytes)
        tap?.push(bytes)
        if (tap?.isTooLong) return tooLong()
        if (tap?.isDone) conclude(tap)
        return !response.writableNeedDrain
      },
      end: () => {
        if (refused) return resolve({ kind: 'refused', ...refused, body: Buffer.concat(refused.pieces) })
        tap?.end()
        if (tap) conclude(tap)
      },
      failed: (failure) => {
        services.metrics.upstreamFailed(failure.code)
        resolve({ kind: 'failed', code: tap ? 'model_cut' : 'model_unreachable', refusal: failure })
      },
    })
    visit.hold.settle()
    response.on('drain', () => call.resume())
    response.on('close', () => {
      // An upstream that has said all may still hold on.
      call.abort()
      resolve({ kind: 'left' })
    })
  })
}

function refusalHeaders(received: IncomingHttpHeaders): Headers {
  const { 'content-length': _, ...headers } = clientHeaders(received)
  return headers
}

function concluded(tap: Tap): Heard {
  if (tap.hasFailed) return { kind: 'failed', code: 'model_error', refusal: midway }
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
  message: 'The upstream failed in the middle of its answer. Look into its log, and ask again.',
}
