import type { Entry } from '../log/entry.ts'
import { argumentsText } from '../log/message.ts'
import { searchText, visible } from '../log/visible.ts'
import { stemLimit } from './rank-entries.ts'
import { stems, wordsByStem } from './stem-index.ts'

/** The words by which recall compares a question with an older entry. */
export interface RecallWords {
  /** The words of the question that count, in lower case. */
  readonly words: readonly string[]
  /** Those of them that people see in the entry, in any of their forms. */
  readonly shared: readonly string[]
}

/**
 * Which words does recall look for, and which of them does an entry have? Both entries as the log has them: a prompt may
 * have a system text of a client as a user entry, and people do not see it.
 *
 * @example
 * recallWords(question, entry) // { words: ['steps', 'wheelchair'], shared: ['wheelchair'] }
 */
export function recallWords(question: Entry, entry: Entry): RecallWords {
  const [seen] = visible([entry])
  const said = [seen?.text ?? '', ...(seen?.calls ?? []).map((call) => `${call.name} ${argumentsText(call)}`)]
  const own = new Set(stems(said.join(' ')))
  const asked = [...wordsByStem(searchText(question))].slice(0, stemLimit)
  return {
    words: asked.map(([, word]) => word),
    shared: asked.filter(([stem]) => own.has(stem)).map(([, word]) => word),
  }
}
