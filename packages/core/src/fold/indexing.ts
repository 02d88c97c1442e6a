import { traits } from '../log/kind.ts'
import { argumentsText } from '../log/message.ts'
import { appendStems } from '../recall/stem-index.ts'
import { at } from './column.ts'
import type { View } from './columns.ts'

/** Indexes the entries before `count` that are not indexed yet. */
export function bringUpToDate({ columns }: View, count: number): void {
  const { index, entries } = columns
  for (let next = index.tokens.length; next < count; next++) {
    const entry = at(entries, next)
    const { pinned, chained } = traits[entry.kind]
    const called = entry.calls.map((call) => `${call.name} ${argumentsText(call)}`)
    appendStems(index, pinned || !chained ? '' : [entry.text, ...called].join(' '), at(columns.text, next))
  }
}
