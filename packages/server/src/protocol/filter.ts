import { Buffer } from 'node:buffer'
import { frameEnd } from './frames.ts'
import type { Framing, Tap } from './tap.ts'

/** How a filter changes an answer. Functions without a value: as the tap says it. */
export interface FilterOptions {
  readonly framing: Framing
  /** Returns what the client gets instead of a line or an event, or instead of a whole answer. */
  readonly change: (frame: string) => string
  /** The text that the client has got so far. */
  readonly shown?: (() => string) | undefined
  readonly hasBegun?: (() => boolean) | undefined
}

/**
 * A tap that changes what the client gets, frame by frame. What is recorded is what came.
 *
 * @example
 * createFilter(createTap(openAi, 'events'), { framing: 'events', change: (frame) => frame.toUpperCase() })
 */
export function createFilter(heard: Tap, { framing, change, shown, hasBegun }: FilterOptions): Tap {
  let [kept, read] = ['', 0]

  return {
    push: (bytes) => changed(heard.push(bytes)),
    end: () => changed(heard.end()),
    held: () => {
      const all = heard.held()
      if (all.length > read) kept += changed(all.subarray(read))?.toString() ?? ''
      read = all.length
      return Buffer.from(kept)
    },
    get isDone() {
      return heard.isDone
    },
    get isTooLong() {
      return heard.isTooLong
    },
    get hasBegun() {
      return hasBegun?.() ?? heard.hasBegun
    },
    get hasText() {
      return heard.hasText
    },
    get hasFailed() {
      return heard.hasFailed
    },
    get shown() {
      return shown?.() ?? heard.shown
    },
    answer: () => heard.answer(),
  }

  /** A tap lets only whole frames pass. What is held may end without the end of its last frame. */
  function changed(bytes: Buffer | undefined): Buffer | undefined {
    if (!bytes) return undefined
    const endOf = framing === 'whole' ? () => 0 : frameEnd(framing)
    let [from, out] = [0, '']
    for (let end = endOf(bytes, 0); end > 0; end = endOf(bytes, end)) {
      out += change(bytes.toString('utf8', from, end))
      from = end
    }
    if (from < bytes.length) out += change(bytes.toString('utf8', from))
    return out === '' ? undefined : Buffer.from(out)
  }
}
