import type { Store } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import { fieldsFrom } from '../fields.ts'
import type { FoundResponse } from './find-response.ts'
import { senderId } from '../sender-id.ts'
import { recordsOf, responsesIn } from './kept-response.ts'

/**
 * Erases what a response brought into its thread: its input and its answer, with what was kept of it. What another
 * response shares with it stays, and so does what was said after it.
 */
export async function deleteResponse(store: Store, { thread, begun, ending }: FoundResponse): Promise<void> {
  const { id, question, inputs, terms } = begun
  const [log, all] = await Promise.all([store.read(thread), responsesIn(store, thread)])
  const others = all.filter((other) => other.id !== id)
  const answer = ending?.answer?.id
  const entries = [
    ...(others.some((other) => other.question === question) ? [] : broughtWith(log, question, inputs)),
    ...(answer === undefined || log.some((each) => isOfOther(each, answer, id)) ? [] : [answer]),
  ]
  await store.erase(thread, entries, { records: recordsOf(begun, !others.some((other) => other.terms === terms)) })
}

/** Whether an entry is the receipt of another response with the same answer. */
function isOfOther({ kind, status, parent, text }: StoredEntry, answer: string, id: string): boolean {
  return (
    kind === 'receipt' &&
    status !== 'erased' &&
    parent === answer &&
    fieldsFrom(text)?.['key'] !== senderId('response', id)
  )
}

/** A question, and what was put on record together with it: those have numbers in a row. */
function broughtWith(log: readonly StoredEntry[], question: string, inputs: number): string[] {
  const at = log.findIndex(({ id }) => id === question)
  const ids: string[] = []
  let left = inputs
  for (let [place, next] = [at, log[at]]; next; [place, next] = [place - 1, log[place - 1]]) {
    const isTogether = place === at || log[place + 1]?.parent === next.id
    const isOurs = next.kind === 'system' && next.key === 'system'
    if (!isTogether || !said.has(next.kind) || next.origin === 'model' || (left === 0 && !isOurs)) break
    ids.push(next.id)
    if (!isOurs) left--
  }
  return ids
}

const said: ReadonlySet<string> = new Set(['user', 'tool', 'system', 'assistant'])
