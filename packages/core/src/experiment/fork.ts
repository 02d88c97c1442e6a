import type { Book } from '../book/book.ts'
import { canonicalJson } from '../log/json.ts'
import { MinutebookError } from '../log/error.ts'
import { bare, type Begun, type Played, type Recorded, type RunEvent } from './event.ts'
import { isVain } from './move.ts'
import { participantThread } from './run-name.ts'

/** What a run did before a step, without what people wanted of it. Throws `unknown_step` where it did not come that far. */
export function eventsBefore(events: readonly Recorded[], step: number): readonly RunEvent[] {
  const last = events.findLastIndex((event) => event.type === 'stepped' && event.step === step - 1)
  if (!Number.isSafeInteger(step) || step < 1 || (step > 1 && last < 0)) throw new MinutebookError('unknown_step', `The run did not come to step ${step}; fork at a step that it began, or the one after its last.`, { step })
  return events.slice(1, last + 1).filter(({ type }) => type !== 'begun' && type !== 'paused' && type !== 'resumed' && type !== 'stopped' && type !== 'retried' && type !== 'ended').map(bare)
}

/**
 * How a run begins that did what another did, under other rules: as that one began, and where the rules name another value at the
 * beginning, the variable has it from here on.
 */
export function forkedEvents(source: Begun, begun: Begun, kept: readonly RunEvent[]): readonly RunEvent[] {
  if (kept.length === 0) return [begun]
  const changes = Object.fromEntries(Object.entries(begun.environment).filter(([name, value]) => canonicalJson(value) !== canonicalJson(source.environment[name] ?? value)))
  const first: Begun = { ...begun, environment: { ...begun.environment, ...source.environment } }
  return [first, ...kept, ...(Object.keys(changes).length > 0 ? [{ type: 'changed', changes, at: kept.length + 1 } as const] : [])]
}

/** Takes what each participant remembers of it along. */
export async function forkThreads(book: Book, { from, as }: { readonly from: string; readonly as: string }, participants: readonly string[], events: readonly RunEvent[]): Promise<void> {
  for (const name of participants) {
    const last = events.findLast((event): event is Played => event.type === 'played' && event.participant === name && !isVain(event))
    if (last) await book.thread(participantThread(from, name)).fork({ as: participantThread(as, name), at: last.head })
  }
}
