import { traits } from '../log/kind.ts'
import { argumentsText } from '../log/message.ts'
import { atOnce, itemWork, type Steps } from '../log/steps.ts'
import { appendStems } from '../recall/stem-index.ts'
import { scannedCharacters } from '../recall/stems.ts'
import { at } from './column.ts'
import type { View } from './columns.ts'

/** Indexes the entries before `count` that are not indexed yet. */
export function bringUpToDate(view: View, count: number): void {
  atOnce(indexing(view, count))
}

/** The same, step by step. */
export function* indexing({ columns }: View, count: number): Steps<void> {
  const { index, entries } = columns
  // Others may go on with it in between.
  while (index.tokens.length < count) {
    const next = index.tokens.length
    const entry = at(entries, next)
    const { pinned, chained } = traits[entry.kind]
    const called = entry.calls.map((call) => `${call.name} ${argumentsText(call)}`)
    appendStems(index, pinned || !chained ? '' : [entry.text, ...called].join(' '), at(columns.text, next))
    yield itemWork + Math.min(entry.text.length, scannedCharacters)
  }
}
