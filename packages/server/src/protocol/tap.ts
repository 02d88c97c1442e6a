import type { ModelEvent } from 'minutebook'
import { overflowIn, type ContextOverflow, type EndEvent } from 'minutebook/wire'
import { Buffer } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { heapShares } from '../config/settings.ts'
import { parseObject } from '../http/json.ts'
import { dataIn, frameEnd } from './frames.ts'
import type { Protocol } from './protocol.ts'

/**
 * Listens to an upstream's answer while its bytes go to the client. Whole lines or events pass as they come. The one
 * that ends the answer, and everything after it, is held until the answer is recorded.
 */
export interface Tap {
  /** Takes bytes of the upstream, and returns those that may go to the client now. */
  push(bytes: Buffer): Buffer | undefined
  /** The upstream has ended. Returns what is left and may go out. An event that was cut off never goes out. */
  end(): Buffer | undefined
  /** What is held back. */
  held(): Buffer
  /** Whether the upstream has said that it is done. */
  readonly isDone: boolean
  /** Whether more has come than the server keeps of one answer. */
  readonly isTooLong: boolean
  /** Whether a part of an answer has come. */
  readonly hasBegun: boolean
  /** Whether text of the answer or of its reasoning has come. */
  readonly hasText: boolean
  /** Whether the upstream has said that it failed. */
  readonly hasFailed: boolean
  /** The text that has come so far. */
  readonly shown: string
  /** The whole answer. Throws if there is no whole answer. */
  answer(): EndEvent
}

export type Framing = Protocol['framing'] | 'whole'

/**
 * How a response is framed: by its headers, else as requested. A response that is whole, or cannot be read, is held
 * completely.
 */
export function framingOf(headers: IncomingHttpHeaders, protocol: Protocol, streams: boolean): Framing {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
  if (encoding !== 'identity') return 'whole'
  if (type.startsWith('text/event-stream')) return 'events'
  if (type.startsWith('application/x-ndjson')) return 'lines'
  return streams && protocol.framing === 'lines' ? 'lines' : 'whole'
}

export interface TapOptions {
  /** Called with each piece of the answer as it comes. */
  readonly hear?: ((event: ModelEvent) => void) | undefined
  /** Bytes of an answer that may be kept. Default: a part of the heap. */
  readonly limit?: number | undefined
}

/** Approximate bytes that are kept of a frame of an answer: for a few words hardly more than the words. */
function frameSize(json: string): number {
  return 64 + Math.max(0, json.length - 400)
}

/** To ask for the size of the heap takes longer than to read a part of an answer. */
const longestAnswer = heapShares().answer

/**
 * @example
 * const tap = createTap(openAi, 'events')
 * for await (const bytes of upstream) response.write(tap.push(bytes) ?? '')
 */
export function createTap(protocol: Protocol, framing: Framing, { hear, limit = longestAnswer }: TapOptions = {}): Tap {
  const reply = protocol.reply()
  const endOf = framing === 'whole' ? () => 0 : frameEnd(framing)
  /** The beginning of a frame whose end has not come yet. */
  let rest: Buffer[] = []
  let kept: Buffer[] = []
  let isHolding = framing === 'whole'
  let [isDone, hasBegun, hasText, hasFailed] = [false, false, false, false]
  let shown = ''
  /** Approximate bytes of everything that is kept of the answer. */
  let size = 0

  return {
    push: (bytes) => {
      const wasHolding = isHolding
      if (wasHolding) kept.push(bytes)
      let [from, passed] = [0, 0]
      for (let end = endOf(bytes, 0); end > 0; end = endOf(bytes, end)) {
        const isSplit = from === 0 && rest.length > 0
        read(isSplit ? Buffer.concat([...rest, bytes.subarray(0, end)]).toString() : bytes.toString('utf8', from, end))
        if (!isHolding) passed = end
        from = end
      }
      if (wasHolding || from === 0) size += bytes.length
      const before = rest
      if (from > 0) rest = []
      if (from < bytes.length) rest.push(from === 0 ? bytes : bytes.subarray(from))
      if (wasHolding) return undefined
      if (isHolding) kept.push(...(passed === 0 ? before : []), bytes.subarray(passed))
      if (passed === 0) return undefined
      const out = passed === bytes.length ? bytes : bytes.subarray(0, passed)
      return before.length > 0 ? Buffer.concat([...before, out]) : out
    },
    end: () => {
      const left = rest
      rest = []
      if (left.length === 0) return undefined
      const bytes = left.length === 1 && left[0] ? left[0] : Buffer.concat(left)
      const wasHolding = isHolding
      const isRead = read(bytes.toString())
      if (wasHolding || !isRead) return undefined
      if (!isHolding) return bytes
      kept.push(bytes)
      return undefined
    },
    held: () => (kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept)),
    get isDone() {
      return isDone
    },
    get isTooLong() {
      return size > limit
    },
    get hasBegun() {
      return hasBegun
    },
    get hasText() {
      return hasText
    },
    get hasFailed() {
      return hasFailed
    },
    get shown() {
      return shown
    },
    answer: () => reply.end(),
  }

  /** Returns false if a part of it cannot be read: it may have been cut off. */
  function read(text: string): boolean {
    // Trimmed, since a stream may begin with a byte order mark.
    if (framing !== 'events') return text.trim() === '' || take(text.trim())
    let isRead = true
    for (const data of dataIn(text)) {
      if (data.trim() === '[DONE]') isHolding = isDone = true
      else if (!take(data)) isRead = false
    }
    return isRead
  }

  function take(json: string): boolean {
    const chunk = parseObject(json)
    if (chunk === undefined) return false
    size += frameSize(json)
    // What comes after the end is ignored.
    if (isDone) return true
    try {
      for (const event of reply.push(chunk)) {
        if (event.type === 'text') {
          shown += event.text
          size += event.text.length
        }
        hasText = true
        hear?.(event)
      }
      hasBegun = true
    } catch {
      hasFailed = true
    }
    if (protocol.isEnding(chunk)) isHolding = true
    if (isHolding && !(framing === 'events' && protocol.endsWithDone)) isDone = reply.done
    return true
  }
}

/** Bytes of a refusal that are withheld from the client at first. */
export const longestRefusal: number = 64 << 10

/** What a refusal says about the length of the prompt, in whatever framing it came. */
export function overflowInRefusal(
  bytes: Buffer,
  framing: Framing | 'refused' | undefined,
): ContextOverflow | undefined {
  const text = bytes.toString('utf8', 0, longestRefusal)
  for (const said of framing === 'events' ? dataIn(text) : framing === 'lines' ? text.split('\n') : [text]) {
    const fields = parseObject(said)
    const told = overflowIn(fields?.['response'] ?? fields ?? said)
    if (told) return told
  }
  return undefined
}

/** Bytes of all pieces together. */
export function sizeOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}
