import { createNoteParser } from 'minutebook/wire'
import { Buffer } from 'node:buffer'
import { parseObject } from '../http/json.ts'
import { dataIn, frameEnd } from '../protocol/frames.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { createTap, type Framing, type Tap } from '../protocol/tap.ts'

/**
 * A tap that removes the model's notes to self from what the client gets. No piece of a possible note is sent before it
 * is clear that it is not one. The recorded answer still has them.
 */
export function createNoteFilter(protocol: Protocol, framing: Framing): Tap {
  const heard = createTap(protocol, framing)
  const parser = createNoteParser()
  const endOf = framing === 'whole' ? () => 0 : frameEnd(framing)
  const kept: string[] = []
  let rest: Buffer[] = []
  let shown = ''

  return {
    push: (bytes) => {
      let [from, out] = [0, '']
      for (let end = endOf(bytes, 0); end > 0; end = endOf(bytes, end)) {
        out += pass(Buffer.concat([...rest, bytes.subarray(from, end)]))
        rest = []
        from = end
      }
      if (from < bytes.length) rest.push(bytes.subarray(from))
      return out === '' ? undefined : Buffer.from(out)
    },
    end: () => {
      const left = Buffer.concat(rest)
      rest = []
      const out = left.length === 0 ? '' : pass(left)
      return out === '' ? undefined : Buffer.from(out)
    },
    held: () => Buffer.from(kept.join('')),
    get isDone() {
      return heard.isDone
    },
    get isTooLong() {
      return heard.isTooLong
    },
    get hasBegun() {
      return heard.hasBegun
    },
    get hasFailed() {
      return heard.hasFailed
    },
    get shown() {
      return shown
    },
    answer: () => heard.answer(),
  }

  function pass(frame: Buffer): string {
    // Adds an end, so that a frame without one is read too.
    const goes = [heard.push(frame), heard.end()].some((out) => out !== undefined)
    const text = quiet(frame.toString())
    if (goes) return text
    if (heard.held().length > 0) kept.push(text)
    return ''
  }

  function quiet(text: string): string {
    if (framing !== 'events') return reworded(text) + (text.endsWith('\n') ? '\n' : '')
    const data = dataIn(text)
    return data.length === 0
      ? text
      : data.map((json) => `data: ${json.trim() === '[DONE]' ? json : reworded(json)}\n\n`).join('')
  }

  function reworded(json: string): string {
    const chunk = parseObject(json.trim())
    if (chunk === undefined) return ''
    const isLast = protocol.isEnding(chunk)
    const changed = protocol.reworded(chunk, (text) => {
      const said = parser.push(text) + (isLast && !isCutShort() ? parser.end().text : '')
      shown += said
      return said
    })
    return JSON.stringify(changed ?? chunk)
  }

  /** A note that was cut off in the middle is still a note. */
  function isCutShort(): boolean {
    try {
      return heard.answer().finish === 'length'
    } catch {
      return false
    }
  }
}
