import { history, visible, type Branch, type VisibleEntry } from 'minutebook'
import { numbersOf } from 'minutebook/inspect'
import { branchesOf, outputOf, parsedCall, shownAttached, traits, type StoredEntry } from 'minutebook/store'
import { isFrom } from '../stores/setup.ts'
import type { ShownEntry, ShownThread, ShowOptions } from './archive.ts'

/** A branch of a log as people see it, with the places where other branches leave it. */
export function showThread(
  thread: string,
  log: readonly StoredEntry[],
  { head, hidden = false }: ShowOptions = {},
): ShownThread {
  const chain = log.filter(({ kind }) => traits[kind].chained)
  const branch = history(log, { ...(head !== undefined && { head }) })
  const seen = visible(branch)
  const seenOf = new Map(seen.map((entry) => [entry.id, entry]))
  const shown = hidden ? branch.map((entry) => plain(entry, seenOf.get(entry.id))) : seen
  const turns = new Map(branch.filter(({ kind }) => kind === 'user').map(({ id }, index) => [id, index + 1]))
  const numbers = numbersOf(branch)
  const branches = branchesOf(log)
  const elsewhere = otherHeads(chain, branch, branches)
  const ours = saidInConsole(branch)
  return {
    thread,
    head: branch.findLast(({ kind }) => traits[kind].chained)?.id ?? '',
    branches,
    hidden: branch.length - shown.length,
    entries: shown.map((entry): ShownEntry => {
      const turn = turns.get(entry.id)
      const number = numbers.get(entry.id)
      const others = elsewhere.get(entry.id)
      return {
        ...entry,
        ...shownAttached(entry),
        ...(number !== undefined && { number }),
        ...(turn !== undefined && { turn }),
        ...(others && { elsewhere: others }),
        ...(ours.has(entry.id) && { console: true }),
      }
    }),
  }
}

/** An entry with its content, and without how it arrived. */
function plain(entry: StoredEntry, seen: VisibleEntry | undefined): VisibleEntry {
  const { id, parent, seq, kind, origin, status, text, calls, images, attachments, answers, speaker, time } = entry
  return {
    id,
    parent,
    seq,
    kind,
    origin,
    status,
    text,
    calls: calls.map(parsedCall),
    images,
    ...(attachments.length > 0 && { attachments }),
    ...(kind === 'tool' && { output: outputOf(text) }),
    ...(answers && { answers }),
    ...(speaker !== undefined && { speaker }),
    ...(time !== undefined && { time }),
    ...(seen?.pinned && { pinned: true as const }),
    ...(seen?.feedback && { feedback: seen.feedback }),
  }
}

/** What was said in the console, and the answers to it. */
function saidInConsole(branch: readonly StoredEntry[]): ReadonlySet<string> {
  return new Set(
    branch.flatMap(({ id, kind, key, parent, status, text }) => {
      if (kind === 'receipt' && parent !== null && status !== 'erased')
        return isFrom('console', keyIn(text)) ? [parent] : []
      return isFrom('console', key) ? [id] : []
    }),
  )
}

function keyIn(receipt: string): string {
  const { key } = JSON.parse(receipt) as { readonly key?: string }
  return key ?? ''
}

/** For each entry of the branch: the heads that its siblings lead to. */
function otherHeads(
  chain: readonly StoredEntry[],
  branch: readonly StoredEntry[],
  branches: readonly Branch[],
): Map<string, string[]> {
  const own = new Set(branch.map(({ id }) => id))
  const nextOf = new Map(branch.filter(({ kind }) => traits[kind].chained).map(({ id, parent }) => [parent, id]))
  const parentOf = new Map(chain.map(({ id, parent }) => [id, parent]))
  const others = new Map<string, string[]>()
  // Where the line of a head leaves the branch; each entry is visited once.
  const leaves = new Map<string, string | undefined>()
  for (const { head } of branches) {
    const walked: string[] = []
    let at: string | null = head
    while (at !== null && !own.has(at) && !leaves.has(at)) {
      walked.push(at)
      at = parentOf.get(at) ?? null
    }
    if (walked.length === 0) continue
    const isOfAnother = at !== null && leaves.has(at)
    const place: string | undefined = isOfAnother ? leaves.get(at!) : nextOf.get(at)
    for (const id of walked) leaves.set(id, place)
    // If several branches part again later, only the newest is listed.
    if (place !== undefined && !isOfAnother) others.set(place, [...(others.get(place) ?? []), head])
  }
  return others
}
