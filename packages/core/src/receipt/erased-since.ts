import type { Entry } from '../log/entry.ts'
import { createLine } from '../record/line.ts'
import type { Receipt } from './receipt.ts'

/** Whether something that the prompt of a call was made of, or may have been made of, was erased since. */
export type ErasedSince = (receipt: Receipt) => boolean

export function createErasedSince(log: readonly Entry[]): ErasedSince {
  const first = log.findIndex(isErased)
  if (first < 0) return () => false
  const places = new Map(log.map(({ id }, index) => [id, index]))
  const line = createLine(log)
  return ({ head, upto, sent }) => {
    const length = (places.get(upto) ?? log.length) + 1
    if (first >= length) return false
    // What went as it came may name entries of other branches, too.
    return sent !== undefined || line(head, length).some(isErased)
  }
}

function isErased({ status }: Entry): boolean {
  return status === 'erased'
}
