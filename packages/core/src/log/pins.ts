import { unknownEntry } from './log.ts'
import type { Entry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { matchCall } from './exchange.ts'
import { traits } from './kind.ts'
import { noCalls } from './unanswered-calls.ts'

/**
 * Which entries must every later prompt have? Those that a pin hangs off, until the pin is revoked. Returns their ids.
 * Pass a log, or a branch of it.
 */
export function pinnedIn(log: readonly Entry[]): ReadonlySet<string> {
  return new Set(pinsIn(log).map(({ parent }) => parent!))
}

/** The pins that count: neither revoked nor erased. */
export function pinsIn<E extends Entry>(log: readonly E[]): readonly E[] {
  const pins = log.filter(({ kind, status, parent }) => kind === 'pin' && status !== 'erased' && parent !== null)
  if (pins.length === 0) return pins
  const revoked = new Set(log.flatMap(({ kind, text }) => (kind === 'revocation' ? [text] : [])))
  return pins.filter(({ id }) => !revoked.has(id))
}

/** The same as `pinnedIn`, with the call of each pinned result. All results of a pinned call belong to it. */
export function pinnedSteps(branch: readonly Entry[]): ReadonlySet<string> {
  const pinned = pinnedIn(branch)
  if (pinned.size === 0) return pinned
  const all = new Set(pinned)
  let open = noCalls
  let first: string | undefined
  for (const entry of branch) {
    if (entry.status === 'erased' || !traits[entry.kind].chained) continue
    const place = matchCall(entry, open)
    open = place.open
    if (place.startsStep) first = entry.id
    if (first !== undefined && pinned.has(entry.id)) all.add(first)
  }
  return all
}

/** Returns the entry with this id. Throws if the log has none, or if it cannot be pinned. */
export function pinnable<E extends Entry>(log: readonly E[], id: string): E {
  const entry = log.find((known) => known.id === id)
  if (!entry) throw unknownEntry(id)
  const { chained, pinned, label } = traits[entry.kind]
  if (!chained || pinned) throw notPinnableError(`is of the kind ${entry.kind}`, fixes[label] ?? fixes.other)
  if (entry.status === 'erased') throw notPinnableError('is erased', 'Pin another entry: what it said is gone.')
  return entry
}

const fixes: Readonly<Record<string, string>> & { readonly other: string } = {
  SYSTEM: 'Every prompt has the system messages: they need no pin.',
  PENDING: 'Pin the message after it was admitted.',
  other: 'Pin a message of a user, a model or a tool.',
}

function notPinnableError(why: string, fix: string): MinutebookError {
  return new MinutebookError('not_pinnable', `The entry cannot be pinned: it ${why}.`, fix)
}
