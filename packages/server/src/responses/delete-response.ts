import type { Store, StoredEntry } from 'minutebook'
import { fieldsFrom } from '../fields.ts'
import type { FoundResponse } from './find-response.ts'
import { keptIn, termsKey } from './kept-response.ts'
import { signKey } from './sign-of-life.ts'

/**
 * Erases what a response brought into its thread: its input and its answer, with what was kept of it. What another response
 * shares with it stays, and so does what was said after it.
 */
export async function deleteResponse(store: Store, { thread, begun: { id, question, inputs }, entry, ending }: FoundResponse): Promise<void> {
  const log = await store.read(thread)
  const others = log.flatMap((each) => keptIn(each) ?? []).filter((other) => other.id !== id)
  const terms = termsKey(keptIn(entry)?.terms ?? '')
  const answer = ending?.answer?.id
  await store.erase(thread, [
    entry.id,
    ...log.filter(({ key }) => key === signKey(id)).map((each) => each.id),
    ...log.filter(({ key }) => key === terms && !others.some((other) => termsKey(other.terms) === terms)).map((each) => each.id),
    ...(others.some((other) => other.question === question) ? [] : broughtWith(log, question, inputs)),
    ...(answer === undefined || log.some((each) => isOfOther(each, answer, id)) ? [] : [answer]),
  ])
}

/** Whether an entry is the receipt of another response with the same answer. */
function isOfOther({ kind, status, parent, text }: StoredEntry, answer: string, id: string): boolean {
  return kind === 'receipt' && status !== 'erased' && parent === answer && fieldsFrom(text)?.['key'] !== id
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
