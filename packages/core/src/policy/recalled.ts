import type { Entry } from '../log/entry.ts'
import { argumentsText } from '../log/message.ts'
import { framing, quoted } from './framing.ts'
import { marked } from './marked.ts'

/** How a recalled entry stands in its block: place and speaker, then what it said and what it called. */
export function recalledLines(entry: Entry): string {
  const called = entry.calls.map((call) => framing.call(call.name) + quoted(argumentsText(call)))
  return [recalledHead(entry) + marked(entry.text, '> '), ...called].join('\n')
}

export function recalledHead(entry: Entry): string {
  return framing.recalled(entry.seq, entry.kind, entry.speaker ?? entry.answers?.name)
}
