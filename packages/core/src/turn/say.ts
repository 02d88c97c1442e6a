import { erasedBefore } from './erased.ts'
import { written } from './fence.ts'
import { hanging } from '../record/hanging.ts'
import type { Placement } from '../incoming/placement.ts'
import { run } from './run.ts'
import type { Running } from './running.ts'
import type { TurnResult } from './turn.ts'

/** Puts what was said on record and answers it. `key`: under which it may have waited. */
export async function say(running: Running, { after, drafts }: Placement, key: string | undefined): Promise<TurnResult> {
  const { log, term } = running
  if (log.isErased(drafts, { after })) {
    await takeBack(running, key)
    throw erasedBefore()
  }
  const { length } = log.entries
  const said = drafts.length ? await written(log.append(drafts, { term, after })) : []
  const asked = said.at(-1)
  if (asked && asked.seq >= length) return run(running)
  // It stands there already, under another key or none: what is wanted is another answer.
  await takeBack(running, key)
  log.checkout(asked?.id ?? after ?? undefined)
  return run(running, { again: true })
}

/** What waits under a key waits no longer. */
export async function takeBack({ log, term }: Pick<Running, 'log' | 'term'>, key: string | undefined): Promise<void> {
  for (const { id, parent } of log.entries.filter((entry) => entry.kind === 'pending' && entry.key === key)) {
    await written(log.append([hanging('revocation', id)], { term, after: parent }))
  }
}
