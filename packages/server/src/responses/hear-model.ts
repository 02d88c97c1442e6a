import { Buffer } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { ModelEvent } from 'minutebook'
import type { ContextOverflow, EndEvent } from 'minutebook/wire'
import { answerTooLong, cutOff } from '../chat/chat-refusal.ts'
import { openAi } from '../chat/openai.ts'
import { longestSilence } from '../chat/chat-answer.ts'
import { longestRefusal, overflowSaid, sizeOf } from '../chat/overflow-said.ts'
import { createTap, framingOf, type Framing, type Tap } from '../chat/tap.ts'
import { clientHeaders, type Headers } from '../headers.ts'
import { forwardedHeaders } from '../pass.ts'
import type { Refusal } from '../refusal.ts'
import type { Asking } from './asking.ts'

/** What came of a model call. */
export type Heard =
  | { readonly kind: 'answer'; readonly end: EndEvent }
  /** The upstream refused it, in its own words. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly headers: Headers
      readonly body: Buffer
      readonly told: ContextOverflow | undefined
    }
  | {
      readonly kind: 'failed'
      readonly code: 'model_unreachable' | 'model_cut' | 'model_error'
      readonly refusal: Refusal
      readonly told?: ContextOverflow | undefined
    }
  /** The client went away. */
  | { readonly kind: 'left' }

/** Who is told of what comes while it comes. */
export interface Hearer {
  /** The upstream has begun to answer, or is silent for long. */
  begin(): void
  hear(event: ModelEvent): void
}

/** Asks the upstream for a chat. Never rejects. The client's leaving ends the call. */
export function hearModel(
  { visit, services, upstream, request }: Asking,
  body: Buffer,
  hearer: Hearer,
): Promise<Heard> {
  const { response } = visit
  if (response.destroyed) return Promise.resolve({ kind: 'left' })
  return new Promise((resolve) => {
    let tap: Tap | undefined
    let refused: { readonly status: number; readonly headers: Headers; readonly pieces: Buffer[] } | undefined
    /** What may still be a refusal, as long as it is short. */
    let first: Buffer[] | undefined
    let framing: Framing | undefined
    let timer: NodeJS.Timeout | undefined
    const begin = (): void => {
      clearTimeout(timer)
      if (first) hearer.begin()
      first = undefined
    }
    const over = (heard: Heard): void => {
      clearTimeout(timer)
      first = undefined
      resolve(heard)
    }
    const conclude = (heard: Tap): void => {
      const told = heard.hasFailed && first ? overflowSaid(Buffer.concat(first), framing) : undefined
      if (!told) begin()
      over(concluded(heard, told))
    }
    const tooLong = (): boolean => {
      over({ kind: 'failed', code: 'model_cut', refusal: answerTooLong })
      call.abort()
      return false
    }
    const headers = {
      ...forwardedHeaders(visit, upstream),
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'content-length': String(body.length),
    }
    const call = services.caller.call(
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
          // A client that hears nothing for long would go away.
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
            return over({ kind: 'refused', ...refused, body: said, told: overflowSaid(said, 'refused') })
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
      // An upstream that has said all may still hold on.
      call.abort()
      over({ kind: 'left' })
    })
  })
}

function refusalHeaders(received: IncomingHttpHeaders): Headers {
  const { 'content-length': _, ...headers } = clientHeaders(received)
  return headers
}

function concluded(tap: Tap, told: ContextOverflow | undefined): Heard {
  if (tap.hasFailed) return { kind: 'failed', code: 'model_error', refusal: midway, told }
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
