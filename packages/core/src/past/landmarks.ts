import { sha256 } from '#sha256'
import { identify, isSystem, isSystemText, type Entry } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import type { Content } from '../log/message.ts'

/**
 * What must be known of the entries before a position, so that a client's history can be placed without reading them?
 * Only what cannot be found by going back from the position for a while. Plain data, of bounded size.
 */
export interface Landmarks {
  /**
   * The messages that open conversations, on all branches of the log: the seq of each, or of the first system entry
   * before it, and a hash of what it says.
   */
  readonly openings: readonly (readonly [seq: number, hash: string])[]
  /** The seqs of the newest system entries on the branch, and whether these are all. */
  readonly systems: readonly number[]
  readonly allSystems: boolean
  /** The seq of the newest system text with each key, on the branch. */
  readonly texts: readonly (readonly [key: string, seq: number])[]
  /** The hashes of the newest settings on the branch, each with the seq of an entry, and whether these are all. */
  readonly settings: readonly (readonly [hash: string, seq: number])[]
  readonly allSettings: boolean
}

/** How many of each are kept. With more openings or texts, a log has no landmarks. */
const most = { openings: 256, texts: 16, settings: 16 }

/** A system message at the beginning of a client's history is compared with this many system entries of the branch. */
export const mostSystems = 32

/**
 * The landmarks of a branch. `log`: the loaded entries before the position. `branch`: those of the branch. `start`: the
 * landmarks before them, at the entry `head`. Undefined if they cannot be known, or are too many.
 */
export function landmarksOf(
  log: readonly Entry[],
  branch: readonly Entry[],
  start: { readonly head: string; readonly landmarks?: Landmarks | undefined } | undefined,
): Landmarks | undefined {
  // What follows the system entries at the root opens another conversation, so the position must be after that.
  const isOpened = branch.some((entry) => traits[entry.kind].chained && !isSystem(entry))
  const before = start ? start.landmarks : isOpened ? noLandmarks : undefined
  const opened = openingsIn(log, start?.head)
  if (!before || !opened) return undefined
  const openings = [...before.openings, ...opened]
  const systems = [...before.systems, ...branch.filter(isChainedSystem).map(({ seq }) => seq)]
  const texts = new Map([...before.texts, ...branch.filter(isSystemText).map(({ key, seq }) => [key!, seq] as const)])
  const own = branch.filter(({ kind }) => kind === 'settings').map(({ text, seq }) => [sha256(text), seq] as const)
  const settings = [...new Map([...before.settings, ...own].toReversed())].toReversed()
  if (openings.length > most.openings || texts.size > most.texts) return undefined
  return {
    openings,
    systems: systems.slice(-mostSystems),
    allSystems: before.allSystems && systems.length <= mostSystems,
    texts: [...texts],
    settings: settings.slice(-most.settings),
    allSettings: before.allSettings && settings.length <= most.settings,
  }
}

function isChainedSystem(entry: Entry): boolean {
  return traits[entry.kind].chained && isSystem(entry)
}

const noLandmarks: Landmarks = {
  openings: [],
  systems: [],
  allSystems: true,
  texts: [],
  settings: [],
  allSettings: true,
}

/** Undefined if it is not known whether an entry opens a conversation, or if what it said was erased. */
function openingsIn(log: readonly Entry[], root: string | undefined): Landmarks['openings'] | undefined {
  const found: (readonly [number, string])[] = []
  /** For each of the system entries that come before any conversation, the seq of the first. For others, -1. */
  const roots = new Map<string, number>(root === undefined ? [] : [[root, -1]])
  for (const entry of log) {
    if (!traits[entry.kind].chained) continue
    const first = entry.parent === null ? entry.seq : roots.get(entry.parent)
    if (first === undefined) return undefined
    roots.set(entry.id, isSystem(entry) ? first : -1)
    if (first < 0 || isSystem(entry)) continue
    if (entry.status === 'erased') return undefined
    found.push([first, sayingHash(entry)])
  }
  return found
}

/** A short hash of what a message says, without white space around it. */
export function sayingHash(said: Content): string {
  const { kind, text, calls, ...rest } = said
  return identify(null, { ...rest, kind, text: text.trim(), calls }).slice(0, 16)
}
