import type { Entry } from '../log/entry.ts'
import { argumentsText } from '../log/message.ts'
import { framing, quoted } from './framing.ts'

/** How a recalled entry stands in its block: place and speaker, then what it said. */
export function recalledLine(entry: Entry): string {
  return recalledHead(entry) + quoted(recalledText(entry))
}

export function recalledText(entry: Entry): string {
  const called = entry.calls.map((call) => framing.call(call.name, argumentsText(call)))
  return [entry.text, ...called].filter(Boolean).join('\n')
}

export function recalledHead(entry: Entry): string {
  return framing.recalled(entry.seq, entry.speaker ?? entry.answers?.name ?? entry.kind)
}
