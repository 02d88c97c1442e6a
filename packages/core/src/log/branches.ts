import { headOf } from './log.ts'
import type { Entry } from './entry.ts'
import { wellFormed } from './json.ts'
import { traits } from './kind.ts'
import { searchText } from './visible.ts'

/** One branch of a thread, as a list of branches shows it. */
export interface Branch {
  /** Its last entry. Pass it as `head` to read the branch. */
  readonly head: string
  /** The last entry that it has in common with the newest branch. Null for the newest branch, and if they share none. */
  readonly from: string | null
  /** When its last entry was written. */
  readonly time?: string
  /** The first words of what only this branch has. Empty if people see no words there. */
  readonly text: string
}

/** Which branches does a log have? The newest branch comes first, then the others by the age of their last entry. */
export function branchesOf(log: readonly Entry[]): Branch[] {
  const chain = new Map(log.filter(({ kind }) => traits[kind].chained).map((entry) => [entry.id, entry]))
  const newest = headOf(log)
  const onNewest = new Set<string>()
  for (let id = newest; id !== null; id = chain.get(id)?.parent ?? null) onNewest.add(id)
  /** By entry: the last one on its way that the newest branch has, too. */
  const shared = new Map<string | null, string | null>()
  const followers = new Map<string | null, number>()
  for (const { id, parent } of chain.values()) {
    shared.set(id, onNewest.has(id) ? id : (shared.get(parent) ?? null))
    followers.set(parent, (followers.get(parent) ?? 0) + 1)
  }
  /** The entries that no other branch has. */
  const ownOf = (end: Entry): Entry[] => {
    const own = [end]
    for (let { parent } = end; parent !== null && followers.get(parent) === 1; { parent } = own.at(-1)!)
      own.push(chain.get(parent)!)
    return own.reverse()
  }
  return [...chain.values()]
    .filter(({ id }) => !followers.has(id))
    .toSorted((one, other) => Number(other.id === newest) - Number(one.id === newest) || other.seq - one.seq)
    .map((end) => ({
      head: end.id,
      from: end.id === newest ? null : (shared.get(end.id) ?? null),
      ...(end.time !== undefined && { time: end.time }),
      text: firstWords(ownOf(end)),
    }))
}

/** The first words that a person or the model says. */
function firstWords(entries: readonly Entry[]): string {
  for (const entry of entries) {
    if (entry.kind !== 'user' && entry.kind !== 'assistant') continue
    const text = searchText(entry)
      .slice(0, 4 * mostWords)
      .replace(/\s+/g, ' ')
      .trim()
    if (text !== '') return text.length > mostWords ? `${wellFormed(text.slice(0, mostWords - 1))}…` : text
  }
  return ''
}

/** In characters: a line of a menu. */
const mostWords = 80
