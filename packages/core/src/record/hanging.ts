import type { EntryFacts } from '../log/entry.ts'
import type { Kind } from '../log/kind.ts'
import type { Draft } from './draft.ts'

/** An entry of our own that hangs off the chain: a text, and what kind of entry says it. */
export function hanging(kind: Kind, content: string, facts: Omit<EntryFacts, 'kind'> = {}): Draft {
  return { message: { role: 'system', content }, facts: { ...facts, kind } }
}
