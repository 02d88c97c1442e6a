import { unknownEntry } from '../log/log.ts'
import { sideEntry, type EntryDraft } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import { pinnable, pinsIn } from '../log/pins.ts'
import { appendOrThrowFenced } from './fence.ts'
import type { ThreadHandle } from './turn-run.ts'

type Pinning = Pick<ThreadHandle, 'log' | 'refresh'>

/** How is a message pinned? With an entry that hangs off it. Returns false if it was pinned already. */
export async function pin({ log, refresh }: Pinning, id: string): Promise<boolean> {
  await refresh({ whole: true })
  pinnable(log.entries, id)
  if (pinsOf(log, id).length > 0) return false
  // It names the newest entry, so that a message can be pinned again after it was unpinned.
  await appendTo(log, id, [sideEntry('pin', JSON.stringify({ upto: log.entries.at(-1)?.id }))])
  return true
}

/** Revokes what pins a message. Two processes may have pinned it at once. Returns false if nothing does. */
export async function unpin({ log, refresh }: Pinning, id: string): Promise<boolean> {
  await refresh({ whole: true })
  if (!log.entries.some((entry) => entry.id === id)) throw unknownEntry(id)
  const pins = pinsOf(log, id)
  if (pins.length === 0) return false
  await appendTo(
    log,
    id,
    pins.map((each) => sideEntry('revocation', each.id)),
  )
  return true
}

/** Takes a note or a journal entry out of all later prompts. */
export async function revoke({ log, refresh }: Pinning, id: string): Promise<void> {
  await refresh({ whole: true })
  const revoked = log.entries.find((known) => known.id === id)
  if (!revoked || traits[revoked.kind].chained || !traits[revoked.kind].prompted)
    throw new MinutebookError(
      'not_revocable',
      'Only a note or journal entry of this thread can be revoked.',
      'Pass the id of one.',
    )
  // Next to the entry that it revokes: a branch or fork that contains the one then contains the other.
  await appendTo(log, revoked.parent, [sideEntry('revocation', id)])
}

function pinsOf({ entries }: Pinning['log'], id: string): ReturnType<typeof pinsIn> {
  return pinsIn(entries).filter(({ parent }) => parent === id)
}

async function appendTo(log: Pinning['log'], after: string | null, drafts: readonly EntryDraft[]): Promise<void> {
  await appendOrThrowFenced(log.append(drafts, { after }))
}
