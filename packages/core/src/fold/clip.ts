import { wellFormed } from '../log/well-formed.ts'
import type { Entry } from '../log/entry.ts'
import { framing } from '../policy/framing.ts'

/** The head and tail of a text with a line between that says what is missing. */
export interface Clip {
  readonly text: string
  readonly tokens: number
}

/** What a text costs where the entry stands. */
export type Price = (text: string) => number

/**
 * The entry's text in at most `room` tokens, or its smallest clip where not even that fits.
 * Only pieces are counted: `tokens` is what the whole text costs.
 */
export function clip(entry: Entry, tokens: number, room: number, price: Price): Clip {
  const smallest = smallestClip(entry, tokens, price)
  const average = entry.text.length / Math.max(1, tokens)
  let kept = Math.floor((room - smallest.tokens) * average)
  for (; kept > 16; kept = Math.floor(kept * 0.8)) {
    const candidate = clipTo(entry, tokens, kept, price)
    if (candidate.tokens <= room) return candidate
  }
  return smallest
}

/** The first word and the line that says what is missing. */
export function smallestClip(entry: Entry, tokens: number, price: Price): Clip {
  const text = `${firstWord(entry.text)} ${framing.clip(tokens, entry.seq, entry.id)}`
  return { text, tokens: price(text) }
}

function clipTo(entry: Entry, tokens: number, kept: number, price: Price): Clip {
  const { text } = entry
  const tailLength = Math.floor(kept / 3)
  const head = wellFormed(text.slice(0, toBlank(text, kept - tailLength)))
  const from = text.length - tailLength
  const tail = isLowSurrogate(text.charCodeAt(from)) ? text.slice(from + 1) : text.slice(from)
  const missing = Math.max(1, Math.round(tokens * (1 - (head.length + tail.length) / text.length)))
  const clipped = `${head}\n${framing.clip(missing, entry.seq, entry.id)}\n${tail}`
  return { text: clipped, tokens: price(clipped) }
}

/** A little less than `length`, so that the cut is between words where one is near. */
function toBlank(text: string, length: number): number {
  const blank = text.lastIndexOf(' ', length)
  return blank > length - 32 && blank > 0 ? blank : length
}

function firstWord(text: string): string {
  const start = text.trimStart().slice(0, 24)
  const blanks = [' ', '\n', '\t'].map((blank) => start.indexOf(blank)).filter((index) => index > 0)
  return wellFormed(start.slice(0, Math.min(start.length, ...blanks)))
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
