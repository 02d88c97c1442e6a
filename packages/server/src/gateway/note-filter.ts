import { createNoteParser } from 'minutebook/wire'
import { parseObject } from '../http/json.ts'
import { createFilter } from '../protocol/filter.ts'
import { dataIn } from '../protocol/frames.ts'
import type { Protocol } from '../protocol/protocol.ts'
import { createTap, type Framing, type Tap } from '../protocol/tap.ts'

/**
 * A tap that removes the model's notes to self from what the client gets. No piece of a possible note is sent before it
 * is clear that it is not one. The recorded answer still has them.
 */
export function createNoteFilter(protocol: Protocol, framing: Framing): Tap {
  const heard = createTap(protocol, framing)
  const parser = createNoteParser()
  let shown = ''
  return createFilter(heard, { framing, change: quiet, shown: () => shown })

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
      const said = parser.push(text) + (isLast && !isCutShort() ? parser.end() : '')
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
