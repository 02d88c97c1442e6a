import { compile, defaultPolicy } from 'minutebook'
import { advance, createFold } from 'minutebook/fold'
import { messageAt } from './growing-log.ts'
import { words } from './tokens.ts'
import type { Recall } from './warm.ts'

export interface Recount {
  readonly entries: number
  readonly compiles: number
  /** Entries whose full text was passed to the counter more than once, alone or inside a larger text. */
  readonly countedTwice: number
  /** Calls of the counter with a text, of an entry or derived, that it had counted before. */
  readonly repeatedCalls: number
  readonly calls: number
}

/**
 * Grows a log entry by entry, compiling at each user message, and watches every text that is counted. Entries are
 * longer than a digest may be: else a digest would hold, and rightly count, an entry's whole text.
 */
export function findRecounts(size: number, recall: Recall): Recount {
  const texts = Array.from({ length: size }, (_, index) => `entry${index}: ${longText(index)} end${index}`)
  const counts = new Uint32Array(size)
  const seen = new Set<string>()
  let calls = 0
  const counter = {
    name: 'watched words',
    overhead: words.overhead,
    count: (text: string): number => {
      calls++
      seen.add(text)
      for (const { 1: digits, index } of text.matchAll(/entry(\d+): /g)) {
        const entry = Number(digits)
        if (text.startsWith(texts[entry] ?? '\0', index)) counts[entry] = (counts[entry] ?? 0) + 1
      }
      return words.count(text)
    },
  }
  const options = { ...watchedBudget, counter, policy: defaultPolicy({ recall }) }
  let fold = createFold(options)
  let compiles = 0
  for (const [index, content] of texts.entries()) {
    const role = index % 2 === 0 ? 'user' : 'assistant'
    fold = advance(fold, { role, content })
    if (role === 'assistant') continue
    compile(fold)
    compiles++
  }
  return {
    entries: size,
    compiles,
    countedTwice: counts.filter((times) => times > 1).length,
    repeatedCalls: calls - seen.size,
    calls,
  }
}

const watchedBudget = { window: 4096, reserve: 512 }

function longText(index: number): string {
  return Array.from({ length: 8 }, (_, part) => messageAt(8 * index + part).text).join(' ')
}
