import { turnEndKinds } from './log.ts'
import type { Entry } from './entry.ts'
import { traits } from './kind.ts'
import { isRelayReceipt, tailLength, waitingIn } from './next.ts'

/**
 * Which threads may need work? A process that starts must find them among a million others without reading their logs.
 * So a store keeps a number next to each log, and computes it again with each append, in the same transaction: 0 if
 * nothing is left to do, plus `openTurn` if the newest turn may be unfinished, plus `waitingMessage` if a message
 * waits. The number may be too high, because only the new entries are looked at, but never too low: whatever
 * `needsWork` finds in the log has a number that is not 0.
 */
export type WorkLeft = 0 | 1 | 2 | 3

const openTurn = 1
const waitingMessage = 2

/**
 * The number after an append. `before`: the number until then. `added`: the entries that are new in the log.
 * `readTail`: reads the end of the log, with the new entries. It is called only if a message waits.
 *
 * @example
 * const left = workLeft(thread.unfinished, fresh, (last) => lines.read(thread, { last }))
 */
export function workLeft(
  before: WorkLeft,
  added: readonly Entry[],
  readTail: (last: number) => readonly Entry[],
): WorkLeft {
  const hasTurn = leavesTurn(added) ?? (before & openTurn) > 0
  const hasMessage =
    added.some(({ kind }) => kind === 'pending') ||
    ((before & waitingMessage) > 0 && (!added.some(settlesMessage) || waitingIn(readTail(tailLength)).length > 0))
  return ((hasTurn ? openTurn : 0) + (hasMessage ? waitingMessage : 0)) as WorkLeft
}

/** The number after single entries were erased: one of them may have said that a turn is over, or a message settled. */
export const workLeftErased: WorkLeft = 3

/** Whether the newest turn may be unfinished after these entries. Undefined if they do not change that. */
function leavesTurn(added: readonly Entry[]): boolean | undefined {
  const last = added.findLast(({ kind }) => traits[kind].chained || turnEndKinds.has(kind))
  if (!last) return undefined
  if (last.kind === 'stop') return false
  if (last.kind === 'retry') return true
  const byId = new Map(added.map((entry) => [entry.id, entry]))
  const parentOf = ({ parent }: Entry): Entry | undefined => byId.get(parent ?? '')
  let spoken = traits[last.kind].chained ? last : parentOf(last)
  while (spoken?.kind === 'system') {
    if (spoken.parent === null) return false
    spoken = parentOf(spoken)
  }
  // What was said is in the log already, perhaps on another branch.
  if (spoken?.kind !== 'assistant') return true
  const { id, calls, origin } = spoken
  return calls.length > 0 && origin === 'model' && !added.some((entry) => entry.parent === id && isRelayReceipt(entry))
}

/** True if a message that waited may not wait any more. */
function settlesMessage({ kind }: Entry): boolean {
  return kind === 'user' || kind === 'revocation'
}
