import { MinutebookError } from 'minutebook'
import type { Value } from 'minutebook/experiment'

/** Refuses a value that is too large to be kept with every step. What shares parts is counted as it is written: in full. */
export function checkSize(name: string, value: Value): void {
  let left = most
  const count = (part: Value, depth: number): void => {
    left -= typeof part === 'string' ? part.length + 1 : 1
    if (left < 0 || depth > deepest) throw new MinutebookError('expression_failed', `The variable ${name} grows too large: it may hold ${most} characters and items together, at most ${deepest} deep. Keep less in it.`, { variable: name })
    if (typeof part !== 'object' || part === null) return
    for (const [field, item] of Object.entries(part)) {
      left -= field.length
      count(item as Value, depth + 1)
    }
  }
  count(value, 0)
}

const most = 100_000
const deepest = 32
