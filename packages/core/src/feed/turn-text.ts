import type { Entry } from '../log/entry.ts'

/** The text of a turn as far as it is on record: what its answers say, one after the other. */
export function turnText(turn: readonly Entry[]): string {
  return turn.flatMap(({ kind, text }) => (kind === 'assistant' ? [text] : [])).join('')
}
