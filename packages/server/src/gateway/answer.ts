/*
 * The states of an answer, from the first byte of the upstream to the end that the client sees:
 *
 *     no head --head()--+-- framing 'whole' --> the tap holds every byte
 *        |              +-- refits -----------> withheld: the client sees nothing, until startResponse() at
 *        |              |                       tap.hasBegun, tap.isTooLong or longestSilence (2xx),
 *        |              |                       or after longestRefusal bytes (not 2xx, there is no tap)
 *        |              +-- otherwise --------> startResponse(): frames go out as they come, but the tap
 *        |              |                       holds the frame that ends the answer, and all after it
 *        +------+-------+
 *               | endOnce(): the first of tap.isDone, tap.isTooLong, end(), failed() and leave()
 *               v
 *           isEnding: what the tap holds goes out only after keep() or stop()
 *               |
 *               +-- a whole answer: await keep() ------------------------------> release()
 *               |       keep() rejects: givesUnrecorded -----------------------> release()
 *               |       keep() rejects otherwise ------------------------------> sendError(notRecorded)
 *               +-- refits, nothing sent, and the prompt was too long ---------> over: a WithheldRefusal
 *               +-- not 2xx, and unserved by the upstream: await stop() -------> sendError()
 *               +-- not 2xx: passRefusal(): await stop() ----------------------> over
 *               +-- an error of the upstream, or no whole answer: await stop() > release()
 *               +-- cut off, too long or unreachable: await stop() ------------> sendError()
 *               +-- leave(): await stop() -------------------------------------> over
 *
 *     release() --> isReleased: tap.held() goes out --upstreamEnded--> finish(): trailers, end, over
 */
import type { ContextOverflow, EndEvent } from 'minutebook/wire'
import { Buffer } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import { clientHeaders, type Headers } from '../http/headers.ts'
import { refuse, type Refusal } from '../http/reply.ts'
import { errorEvent, type Protocol } from '../protocol/protocol.ts'
import {
  createTap,
  framingOf,
  longestRefusal,
  overflowInRefusal,
  sizeOf,
  type Framing,
  type Tap,
} from '../protocol/tap.ts'
import type { AnswerSink } from '../upstream/call.ts'
import { answerTooLong, cutOff, notRecorded } from './refusals.ts'

/** Where an answer goes, and how it is recorded. */
export interface AnswerTerms {
  readonly response: ServerResponse
  readonly protocol: Protocol
  readonly streams: boolean
  readonly headers: Readonly<Record<string, string>>
  /** Whether the client reads trailers after a stream. */
  readonly readsTrailers: boolean
  /** Called when text of the answer comes, if it comes in pieces. */
  readonly heard: () => void
  /** Records the whole answer, and returns headers about it. Rejects if that fails. */
  readonly keep: (end: EndEvent) => Promise<Readonly<Record<string, string>>>
  /** Records that there was no answer. Never rejects. */
  readonly stop: (how: 'cancelled' | 'failed', shown: string, code: string) => Promise<void>
  /** A tap that changes what the client gets. Default: one that changes nothing. */
  readonly filter?: ((framing: Framing) => Tap) | undefined
  /** The last event of a stream that fails. Default: that of the protocol. */
  readonly failing?: ((refusal: Refusal) => string) | undefined
  /** Whether an answer that could not be recorded is sent anyway. */
  readonly givesUnrecorded: boolean
  /**
   * Whether a refusal of a prompt that is too long is withheld from the client at first: the prompt may be sent again
   * in a size that fits.
   */
  readonly refits: boolean
}

/** A refusal that the client has not seen. */
export interface WithheldRefusal {
  /** What it says about the length of the prompt. */
  readonly overflow: ContextOverflow
  /** Passes it on to the client after all, and records that there was no answer. */
  pass(): Promise<void>
}

/** Takes an upstream's response, passes it on, and records it before it looks whole to the client. */
export interface ChatAnswer extends AnswerSink {
  /** The client went away. */
  leave(): void
  /** Resolves when nothing is left to do, or with a refusal that the client has not seen. */
  readonly over: Promise<WithheldRefusal | undefined>
}

export function chatAnswer(terms: AnswerTerms): ChatAnswer {
  const { response, protocol, stop } = terms
  let resolveOver: (refusal?: WithheldRefusal) => void = () => undefined
  const over = new Promise<WithheldRefusal | undefined>((done) => void (resolveOver = done))
  let head: Head | undefined
  let tap: Tap | undefined
  /** Only the first end counts: while an answer is recorded, the upstream may break off or the client leave. */
  let isEnding = false
  let isReleased = false
  let upstreamEnded = false
  let trailers: Readonly<Record<string, string>> = {}
  /** Bytes that the client does not see yet: they may be a refusal after which the prompt is sent again. */
  let withheld: Buffer[] | undefined
  let timer: NodeJS.Timeout | undefined

  return {
    over,
    head: (status, received) => {
      const isRefused = status < 200 || status >= 300
      const framing = isRefused ? 'refused' : framingOf(received, protocol, terms.streams)
      head = { status, framing, headers: { ...clientHeaders(received), ...terms.headers } }
      if (framing !== 'refused') tap = terms.filter?.(framing) ?? createTap(protocol, framing)
      // An error may still be added to a stream, and a filter changes any answer.
      if (tap && (framing !== 'whole' || terms.filter)) delete head.headers['content-length']
      if (framing === 'whole') return
      if (!terms.refits) return startResponse()
      withheld = []
      // A client that receives nothing for long would leave.
      if (tap) timer = setTimeout(startResponse, longestSilence)
    },
    data: (bytes) => {
      if (!tap && withheld && sizeOf(withheld) + bytes.length <= longestRefusal) return withheld.push(bytes) > 0
      if (!tap) startResponse()
      if (!tap || isReleased) return response.write(bytes)
      const out = tap.push(bytes)
      if (tap.hasText) terms.heard()
      if (withheld && !tap.hasBegun && !tap.isTooLong && !tap.isDone) return out === undefined || withheld.push(out) > 0
      if (tap.hasBegun || tap.isTooLong) startResponse()
      if (out && withheld) withheld.push(out)
      if (tap.isTooLong) {
        endOnce(() => fail(answerTooLong, 'model_cut'))
        return false
      }
      if (tap.isDone) endOnce(() => conclude(tap!))
      return out === undefined || withheld !== undefined || response.write(out)
    },
    end: () => {
      upstreamEnded = true
      const out = tap?.end()
      if (out && withheld) withheld.push(out)
      else if (out) response.write(out)
      if (isReleased) return finish()
      endOnce(() => (tap ? conclude(tap) : endRefusal()))
    },
    failed: (failure) => {
      upstreamEnded = true
      if (isReleased) return finish()
      endOnce(() => fail(failure, head ? 'model_cut' : 'model_unreachable'))
    },
    leave: () => {
      clearTimeout(timer)
      if (isReleased) return resolveOver()
      endOnce(() => stop('cancelled', tap?.shown ?? '', 'cancelled').then(() => resolveOver()))
    },
  }

  /** From here on the client sees what comes. */
  function startResponse(): void {
    clearTimeout(timer)
    const before = withheld
    withheld = undefined
    if (!head || head.framing === 'whole' || response.headersSent || response.destroyed) return
    response.writeHead(head.status, { ...head.headers, ...(tap && terms.readsTrailers && { trailer: trailerNames }) })
    for (const bytes of before ?? []) response.write(bytes)
    // The head and the beginning of the body mostly come together, and then go out together.
    setImmediate(() => response.flushHeaders())
  }

  /**
   * Returns what an upstream said about the length of the prompt, if the client has seen nothing yet and the prompt can
   * be sent again.
   */
  function withheldRefusal(bytes: Buffer, pass: () => Promise<void>): WithheldRefusal | undefined {
    const overflow =
      terms.refits && !response.headersSent && !response.destroyed ? overflowInRefusal(bytes, head?.framing) : undefined
    clearTimeout(timer)
    return overflow && { overflow, pass }
  }

  function endOnce(ending: () => Promise<void>): void {
    if (isEnding) return
    isEnding = true
    void ending()
  }

  /** Records the result of the call, and only then lets the client see that it is over. */
  async function conclude(finalTap: Tap): Promise<void> {
    const whole = finalTap.hasFailed ? undefined : wholeIn(finalTap)
    if (whole) {
      try {
        trailers = await terms.keep(whole)
      } catch {
        if (!terms.givesUnrecorded) return sendError(notRecorded)
      }
      return release(finalTap)
    }
    const refusal = finalTap.hasFailed
      ? withheldRefusal(Buffer.concat([...(withheld ?? []), finalTap.held()]), () => passHeld(finalTap))
      : undefined
    if (refusal) return resolveOver(refusal)
    // An error of the upstream itself goes to the client unchanged; a silent end does not.
    if (!finalTap.hasFailed && !finalTap.isDone && head?.framing !== 'whole') return fail(cutOff, 'model_cut')
    await stopAndRelease(finalTap)
  }

  /** Sends a refusal that was withheld. The call of the upstream is over by then: its end may never have come. */
  function passHeld(finalTap: Tap): Promise<void> {
    upstreamEnded = true
    return stopAndRelease(finalTap)
  }

  async function stopAndRelease(finalTap: Tap): Promise<void> {
    await stop('failed', finalTap.shown, finalTap.hasFailed ? 'model_error' : 'model_cut')
    release(finalTap)
  }

  function release(finalTap: Tap): void {
    isReleased = true
    if (response.destroyed) return resolveOver()
    startResponse()
    if (head?.framing === 'whole') response.writeHead(head.status, { ...head.headers, ...trailers })
    const held = finalTap.held()
    if (held.length > 0) response.write(held)
    if (upstreamEnded) finish()
  }

  function finish(): void {
    if (terms.readsTrailers && head?.framing !== 'whole') response.addTrailers(trailers)
    response.end()
    resolveOver()
  }

  async function endRefusal(): Promise<void> {
    const said = Buffer.concat(withheld ?? [])
    const refusal = withheldRefusal(said, passRefusal)
    if (refusal) return resolveOver(refusal)
    const unserved = response.headersSent ? undefined : protocol.unserved?.(head?.status ?? 0, said)
    return unserved ? fail(unserved, 'model_refused') : passRefusal()
  }

  async function passRefusal(): Promise<void> {
    startResponse()
    await stop('failed', '', (head?.status ?? 0) < 500 ? 'model_refused' : 'model_error')
    response.end()
    resolveOver()
  }

  async function fail(refusal: Refusal, code: string): Promise<void> {
    await stop('failed', tap?.shown ?? '', code)
    sendError(refusal)
  }

  /** Sent instead of the end that the client waits for. */
  function sendError(refusal: Refusal): void {
    clearTimeout(timer)
    if (response.destroyed) return resolveOver()
    if (!tap || !response.headersSent)
      refuse(response, { ...refusal, headers: { ...terms.headers, ...refusal.headers } }, protocol.name)
    else response.end(terms.failing?.(refusal) ?? errorEvent(refusal, protocol))
    resolveOver()
  }
}

/** How a response began. `refused`: it is not an answer, and passes unchanged. */
interface Head {
  readonly status: number
  readonly framing: Framing | 'refused'
  readonly headers: Headers
}

/** Milliseconds for which a stream is withheld from the client while no part of the answer has come. */
export const longestSilence: number = 10_000

const trailerNames = 'minutebook-receipt, minutebook-tokens, minutebook-cache'

function wholeIn(tap: Tap): EndEvent | undefined {
  try {
    return tap.answer()
  } catch {
    return undefined
  }
}
