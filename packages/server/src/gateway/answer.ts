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
import { createNoteFilter } from './note-filter.ts'
import { answerTooLong, cutOff, notRecorded } from './refusals.ts'

/** Where an answer goes, and who writes it down. */
export interface AnswerTerms {
  readonly response: ServerResponse
  readonly protocol: Protocol
  readonly streams: boolean
  readonly headers: Readonly<Record<string, string>>
  /** Whether the client reads what stands behind a stream. */
  readonly readsTrailers: boolean
  /** Puts the whole answer on record, and gives headers that tell of it. Rejects where it cannot. */
  readonly keep: (end: EndEvent) => Promise<Readonly<Record<string, string>>>
  /** Puts on record that there was none. Never rejects. */
  readonly stop: (how: 'cancelled' | 'failed', shown: string, code: string) => Promise<void>
  /** Whether notes to self are kept from the client. */
  readonly hidesNotes: boolean
  /** Whether an answer that could not be put on record is given all the same. */
  readonly givesUnrecorded: boolean
  /**
   * Whether a refusal of a prompt that is too long is kept from the client at first: the prompt may be sent again in a
   * size that fits.
   */
  readonly refits: boolean
}

/** A refusal that the client has not seen. */
export interface Unseen {
  readonly told: ContextOverflow
  /** Passes it on to the client after all, and records that there was no answer. */
  pass(): Promise<void>
}

/** Takes an upstream's response, passes it on, and sees that it is on record before it looks whole to the client. */
export interface ChatAnswer extends AnswerSink {
  /** The client went away. */
  leave(): void
  /** Resolves when nothing is left to do, or with a refusal that the client has not seen. */
  readonly over: Promise<Unseen | undefined>
}

export function chatAnswer(terms: AnswerTerms): ChatAnswer {
  const { response, protocol, stop } = terms
  let resolve: (unseen?: Unseen) => void = () => undefined
  const over = new Promise<Unseen | undefined>((done) => void (resolve = done))
  let head: Head | undefined
  let tap: Tap | undefined
  /** Only the first end counts: an upstream may break off, or the client leave, while an answer is put on record. */
  let isEnding = false
  let isReleased = false
  let hasEnded = false
  let trailers: Readonly<Record<string, string>> = {}
  /** What may still be a refusal that the client does not see. */
  let unseen: Buffer[] | undefined
  let timer: NodeJS.Timeout | undefined

  return {
    over,
    head: (status, received) => {
      const isRefused = status < 200 || status >= 300
      const framing = isRefused ? 'refused' : framingOf(received, protocol, terms.streams)
      head = { status, framing, headers: { ...clientHeaders(received), ...terms.headers } }
      if (framing !== 'refused')
        tap = terms.hidesNotes ? createNoteFilter(protocol, framing) : createTap(protocol, framing)
      // An error may still be added to a stream, and a note be taken out of anything.
      if (tap && (framing !== 'whole' || terms.hidesNotes)) delete head.headers['content-length']
      if (framing === 'whole') return
      if (!terms.refits) return begin()
      unseen = []
      // A client that hears nothing for long would go away.
      if (tap) timer = setTimeout(begin, longestSilence)
    },
    data: (bytes) => {
      if (!tap && unseen && sizeOf(unseen) + bytes.length <= longestRefusal) return unseen.push(bytes) > 0
      if (!tap) begin()
      if (!tap || isReleased) return response.write(bytes)
      const out = tap.push(bytes)
      if (unseen && !tap.hasBegun && !tap.isTooLong && !tap.isDone) return out === undefined || unseen.push(out) > 0
      if (tap.hasBegun || tap.isTooLong) begin()
      if (out && unseen) unseen.push(out)
      if (tap.isTooLong) {
        end(() => fail(answerTooLong, 'model_cut'))
        return false
      }
      if (tap.isDone) end(() => conclude(tap!))
      return out === undefined || unseen !== undefined || response.write(out)
    },
    end: () => {
      hasEnded = true
      const out = tap?.end()
      if (out && unseen) unseen.push(out)
      else if (out) response.write(out)
      if (isReleased) return finish()
      end(() => (tap ? conclude(tap) : refused()))
    },
    failed: (failure) => {
      hasEnded = true
      if (isReleased) return finish()
      end(() => fail(failure, head ? 'model_cut' : 'model_unreachable'))
    },
    leave: () => {
      clearTimeout(timer)
      if (isReleased) return resolve()
      end(() => stop('cancelled', tap?.shown ?? '', 'cancelled').then(() => resolve()))
    },
  }

  /** From here on the client sees what comes. */
  function begin(): void {
    clearTimeout(timer)
    const before = unseen
    unseen = undefined
    if (!head || head.framing === 'whole' || response.headersSent || response.destroyed) return
    response.writeHead(head.status, { ...head.headers, ...(tap && terms.readsTrailers && { trailer: trailerNames }) })
    for (const bytes of before ?? []) response.write(bytes)
    // The head and the beginning of the body mostly come together, and then go out together.
    setImmediate(() => response.flushHeaders())
  }

  /**
   * What an upstream said about the length of the prompt, if the client has seen nothing yet and the prompt can be sent
   * again.
   */
  function refusal(said: Buffer, pass: () => Promise<void>): Unseen | undefined {
    const told =
      terms.refits && !response.headersSent && !response.destroyed ? overflowInRefusal(said, head?.framing) : undefined
    clearTimeout(timer)
    return told && { told, pass }
  }

  function end(ending: () => Promise<void>): void {
    if (isEnding) return
    isEnding = true
    void ending()
  }

  /** Puts on record what came of the call, and only then lets the client see that it is over. */
  async function conclude(heard: Tap): Promise<void> {
    const whole = heard.hasFailed ? undefined : wholeIn(heard)
    if (whole) {
      try {
        trailers = await terms.keep(whole)
      } catch {
        if (!terms.givesUnrecorded) return say(notRecorded)
      }
      return release(heard)
    }
    const refused = heard.hasFailed
      ? refusal(Buffer.concat([...(unseen ?? []), heard.held()]), () => stopped(heard))
      : undefined
    if (refused) return resolve(refused)
    // What the upstream itself says goes to the client as it is; only a silent end does not.
    if (!heard.hasFailed && !heard.isDone && head?.framing !== 'whole') return fail(cutOff, 'model_cut')
    await stopped(heard)
  }

  async function stopped(heard: Tap): Promise<void> {
    await stop('failed', heard.shown, heard.hasFailed ? 'model_error' : 'model_cut')
    release(heard)
  }

  function release(heard: Tap): void {
    isReleased = true
    if (response.destroyed) return resolve()
    begin()
    if (head?.framing === 'whole') response.writeHead(head.status, { ...head.headers, ...trailers })
    const held = heard.held()
    if (held.length > 0) response.write(held)
    if (hasEnded) finish()
  }

  function finish(): void {
    if (terms.readsTrailers && head?.framing !== 'whole') response.addTrailers(trailers)
    response.end()
    resolve()
  }

  async function refused(): Promise<void> {
    const kept = refusal(Buffer.concat(unseen ?? []), passRefusal)
    return kept ? resolve(kept) : passRefusal()
  }

  async function passRefusal(): Promise<void> {
    begin()
    response.end()
    await stop('failed', '', (head?.status ?? 0) < 500 ? 'model_refused' : 'model_error')
    resolve()
  }

  async function fail(refusal: Refusal, code: string): Promise<void> {
    await stop('failed', tap?.shown ?? '', code)
    say(refusal)
  }

  /** In place of the end that the client waits for. */
  function say(refusal: Refusal): void {
    clearTimeout(timer)
    if (response.destroyed) return resolve()
    if (!tap || !response.headersSent)
      refuse(response, { ...refusal, headers: { ...terms.headers, ...refusal.headers } }, protocol.name)
    else response.end(errorEvent(refusal, protocol))
    resolve()
  }
}

/** How a response began. `refused`: it is no answer, and passes as it is. */
interface Head {
  readonly status: number
  readonly framing: Framing | 'refused'
  readonly headers: Headers
}

/** Milliseconds for which a stream is kept from the client before a part of the answer has come. */
export const longestSilence: number = 10_000

const trailerNames = 'minutebook-receipt, minutebook-tokens'

function wholeIn(tap: Tap): EndEvent | undefined {
  try {
    return tap.answer()
  } catch {
    return undefined
  }
}
