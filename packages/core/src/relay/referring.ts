import { identify, type Entry } from '../log/entry.ts'
import { readMessage, type Message } from '../log/message.ts'
import { createFinder, type Finder } from '../receipt/as-it-came.ts'
import { refer, type Reference } from '../receipt/form.ts'
import type { Draft } from '../record/draft.ts'
import { hanging } from '../record/hanging.ts'
import type { LiveLog } from '../record/live-log.ts'

/** A client's messages, by reference to what is on record. */
export interface Referred {
  readonly references: readonly Reference[]
  /** What must go on record with them: shapes of entries that it does not have yet. */
  readonly forms: readonly Draft[]
}

/** `entries`: for each message, the entry that it is. */
export function referTo(messages: readonly Message[], entries: readonly (Entry | undefined)[], find: Finder): Referred {
  const forms = new Map<string, Draft>()
  const references = messages.map((message, index) => {
    const { reference, form } = refer(message, entries[index], formId)
    if (form && typeof reference === 'object' && 'form' in reference && !find(reference.form)) {
      forms.set(reference.form, { ...hanging('form', form.text), off: form.entry })
    }
    return reference
  })
  return { references, forms: [...forms.values()] }
}

/** Finds the entries of a log that may be read anew. */
export function finderIn(log: LiveLog): () => Finder {
  let [entries, find] = [log.entries, createFinder(log.entries)]
  return () => {
    if (entries !== log.entries) [entries, find] = [log.entries, createFinder(log.entries)]
    return find
  }
}

function formId(entry: string, text: string): string {
  return identify(entry, { ...readMessage({ role: 'system', content: text }), kind: 'form' })
}
