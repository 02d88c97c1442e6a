import type { Entry } from '../log/entry.ts'
import type { NewRecord } from '../log/records.ts'
import { erasedBefore } from './erased.ts'
import { written } from './fence.ts'
import { hanging } from '../record/hanging.ts'
import type { LiveLog } from '../record/live-log.ts'
import { retryDraft } from '../record/retry-entry.ts'
import type { Placement } from '../incoming/placement.ts'
import { run } from './run.ts'
import type { Running } from './running.ts'
import type { TurnResult } from './turn.ts'

/** Puts what was said on record and answers it. `key`: under which it may have waited. `records`: written together with it. */
export async function say(running: Running, { after, drafts }: Placement, key: string | undefined, records: readonly NewRecord[] = []): Promise<TurnResult> {
  const { log, term, control } = running
  if (log.isErased(drafts, { after })) {
    await takeBack(running, key)
    throw erasedBefore()
  }
  log.checkRoom(drafts)
  const { length } = log
  const said = drafts.length + records.length > 0 ? await written(log.append(drafts, { term, after, records: () => records })) : []
  const asked = said.at(-1)
  if (asked) control.record(asked)
  if (asked && asked.seq >= length) return run(running)
  // It stands there already, under another key or none: what is wanted is another answer.
  const place = asked?.id ?? after
  const standing = log.entries.find(({ id }) => id === place)
  if (standing) control.record(standing)
  const revocations = waitingUnder(log, key).map(({ id }) => hanging('revocation', id))
  // These hang off the entry that stands for what waited, so that whoever waits for an answer finds it.
  if (revocations.length > 0) await written(log.append([retryDraft(log), ...revocations], { term, after: place }))
  log.checkout(place ?? undefined)
  return run(running, { again: true })
}

/** What waits under a key waits no longer. */
export async function takeBack({ log, term }: Pick<Running, 'log' | 'term'>, key: string | undefined): Promise<void> {
  for (const { id, parent } of waitingUnder(log, key)) {
    await log.reach(parent)
    await written(log.append([hanging('revocation', id)], { term, after: parent }))
  }
}

function waitingUnder({ entries }: Pick<LiveLog, 'entries'>, key: string | undefined): readonly Entry[] {
  return entries.filter((entry) => entry.kind === 'pending' && entry.key === key)
}
