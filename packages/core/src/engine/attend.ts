import type { StoredEntry } from '../log/store.ts'
import { hanging } from '../record/hanging.ts'
import { ends } from '../record/head.ts'
import { isUnfinished } from '../record/next.ts'
import { failureOf } from '../turn/drive.ts'
import { erasedBefore } from '../turn/erased.ts'
import { fenced } from '../turn/fence.ts'
import { createLimit } from '../turn/limit.ts'
import { resultOf } from '../turn/result.ts'
import { takenBack } from '../turn/send.ts'
import type { TurnControl, TurnResult } from '../turn/turn.ts'
import { cancelTurn } from './cancel-turn.ts'
import { eventsOf } from './entry-events.ts'
import { glances } from './glances.ts'
import type { Hosted } from './hosted.ts'
import { observe, type Observing } from './observe.ts'

/** What a sender waits for: a turn, or that a message that waits is admitted. */
export type Awaited = Asked | { readonly pending: StoredEntry }

interface Asked extends Pick<Observing, 'asked' | 'since'> {
  /** Whether another answer is waited for, to a question that may have one. */
  readonly again?: boolean
}

/** Follows a turn on behalf of its sender, as if it ran here, and cancels it where the sender wants that. */
export async function attend(hosted: Hosted, control: TurnControl, awaited: Awaited): Promise<TurnResult> {
  control.record('pending' in awaited ? awaited.pending : awaited.asked)
  const turn = 'pending' in awaited ? await admission(hosted, control.signal, awaited.pending) : awaited
  if ('status' in turn) return turn
  const { asked, since, again = false } = turn
  const cancel = (): void => void cancelTurn(hosted, asked).catch(() => undefined)
  control.signal.addEventListener('abort', cancel, { once: true })
  if (control.signal.aborted) cancel()
  const entries = await observe(hosted, { asked, since }, {
    show: (shown) => control.emit(shown.type === 'text' ? { type: 'text', text: shown.text } : { type: 'reset' }),
    entry: (entry, all) => eventsOf(entry, all).forEach((event) => control.emit(event)),
  }, new AbortController().signal)
  control.signal.removeEventListener('abort', cancel)
  const isOvertaken = !entries || isUnfinished(entries) || (again && !entries.some(({ kind, seq }) => ends.has(kind) && seq > since))
  return isOvertaken ? failureOf(fenced('overtaken')) : resultOf(entries)
}

/** Waits until the message is said, or taken back: by its sender, or because its words were erased where it would stand. */
async function admission(hosted: Hosted, signal: AbortSignal, pending: StoredEntry): Promise<Asked | TurnResult> {
  for await (const _ of glances(hosted, signal)) {
    if (!hosted.log.has(pending.id)) await hosted.log.whole()
    const settled = settledIn(hosted, pending)
    if (settled) return settled
  }
  await hosted.log.reach(pending.parent)
  await hosted.log.append([hanging('revocation', pending.id)], { after: pending.parent })
  const settled = settledIn(hosted, pending) ?? takenBack
  if (settled === takenBack) void cancelLate(hosted, pending).catch(() => undefined)
  return settled
}

/** A runner that had read the log just before may still say what was taken back. */
async function cancelLate(hosted: Hosted, pending: StoredEntry): Promise<void> {
  const limit = createLimit(new AbortController().signal, hosted.clock, 1000)
  try {
    for await (const _ of glances(hosted, limit.signal)) {
      const settled = settledIn(hosted, pending)
      if (settled && 'asked' in settled) return await cancelTurn(hosted, settled.asked)
    }
  } finally {
    limit.release()
  }
}

function settledIn({ log }: Hosted, pending: StoredEntry): Asked | TurnResult | undefined {
  const since = log.since(pending.seq)
  if (since[0]?.status === 'erased') return takenBack
  // Also from before: two that are sent at once under one id may be on record in any order.
  const asked = log.entries.findLast(({ kind, key }) => kind === 'user' && key === pending.key)
  if (asked) return { asked, since: asked.seq }
  const revocation = since.find(({ kind, text }) => kind === 'revocation' && text === pending.id)
  if (!revocation) return undefined
  // What takes a message back hangs off the entry that stands for it, where one does.
  const standIn = revocation.parent === pending.parent ? undefined : log.entries.find(({ id, kind }) => id === revocation.parent && kind === 'user')
  if (standIn) return { asked: standIn, since: revocation.seq, again: true }
  const { raw, key } = pending
  return log.isErased([{ message: raw, facts: { ...(key !== undefined && { key }) } }]) ? failureOf(erasedBefore()) : takenBack
}
