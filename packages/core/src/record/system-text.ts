import type { Entry } from '../log/entry.ts'
import type { Draft } from './draft.ts'

/** The key of the entries that say a thread's own system text. */
const key = 'system'

export function systemDraft(text: string): Draft {
  return { message: { role: 'system', content: text }, facts: { key } }
}

export function isSystemText(entry: Entry): boolean {
  return entry.kind === 'system' && entry.key === key
}

/** The branch with the thread's newest system text where its first one stood, and no other: what it said before no longer holds. */
export function withNewestSystemText<E extends Entry>(branch: readonly E[]): readonly E[] {
  const texts = branch.filter(isSystemText)
  const [first, newest] = [texts[0], texts.at(-1)]
  if (first === newest) return branch
  return branch.filter((entry) => entry === first || !isSystemText(entry)).map((entry) => (entry === first ? newest! : entry))
}
