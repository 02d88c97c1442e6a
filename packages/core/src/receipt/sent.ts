import { canonicalJson } from '../log/canonical.ts'
import type { Reference } from './form.ts'

/**
 * The messages of a call, by reference: `before`, then `keep` of those of an earlier call from `drop` on, then `after`. So a
 * client that sends everything every time costs only what is new.
 */
export interface Sent {
  /** The receipt of the earlier call; null where there is none. */
  readonly base: string | null
  readonly before: readonly Reference[]
  readonly drop: number
  readonly keep: number
  readonly after: readonly Reference[]
}

/** Of an earlier call. */
export interface Base {
  readonly id: string
  readonly references: readonly Reference[]
}

/** The longest stretch that both have is kept: what a client puts before it, leaves off its front, or adds, is said anew. */
export function sentAfter(references: readonly Reference[], base: Base | undefined): Sent {
  const stretch = base && longestCommon(base.references.map(canonicalJson), references.map(canonicalJson))
  if (!base || !stretch || stretch.length === 0) return { base: null, before: [], drop: 0, keep: 0, after: references }
  const { from, at, length } = stretch
  return { base: base.id, before: references.slice(0, at), drop: from, keep: length, after: references.slice(at + length) }
}

/** The references of a call, from its `sent` and those that it builds on; undefined where one of them is not there. Takes as long as there are calls and references. */
export function referencesOf(sent: Sent, find: (receipt: string) => Sent | undefined): readonly Reference[] | undefined {
  const front: Reference[] = []
  const back: (readonly Reference[])[] = []
  let [from, to] = [0, sent.before.length + sent.keep + sent.after.length]
  for (let next: Sent | undefined = sent; from < to; ) {
    if (!next) return undefined
    const { before, drop, keep, after, base }: Sent = next
    front.push(...before.slice(from, to))
    back.push(after.slice(Math.max(0, from - before.length - keep), Math.max(0, to - before.length - keep)))
    from = drop + Math.max(0, from - before.length)
    to = drop + Math.min(keep, to - before.length)
    next = base === null ? undefined : find(base)
  }
  return [...front, ...back.reverse().flat()]
}

/** The heaviest stretch that stands in both, by the length of its texts. Entries stand in a list once, so that each text need be looked for in one place only. */
function longestCommon(base: readonly string[], list: readonly string[]): { from: number; at: number; length: number } {
  const places = new Map(base.map((text, index) => [text, index]))
  let best = { from: 0, at: 0, length: 0, weight: 0 }
  let run = best
  for (const [at, text] of list.entries()) {
    const goesOn = run.length > 0 && base[run.from + run.length] === text
    const from = goesOn ? run.from : places.get(text)
    if (from === undefined) run = { from: 0, at: 0, length: 0, weight: 0 }
    else run = goesOn ? { ...run, length: run.length + 1, weight: run.weight + text.length } : { from, at, length: 1, weight: text.length }
    if (run.weight > best.weight) best = run
  }
  return best
}
