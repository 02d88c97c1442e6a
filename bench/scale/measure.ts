import type { Progress } from '../progress.ts'
import type { Keeper, KeptSnapshots } from './keepers.ts'
import type { KeptIn } from './kept-in.ts'
import type { Figures } from './play-process.ts'
import { NoAnswer, startPlayer, type Player } from './player.ts'
import { plays, type Place } from './plays.ts'

/** How much is measured. */
export interface Plan {
  /** From small to large. */
  readonly sizes: readonly number[]
  /** How often each play is measured at each size, at most. */
  readonly rounds: number
  /** Whether each play has a process of its own at each size, so that its memory is its own, too. */
  readonly isApart: boolean
  /** How often a process plays on another thread before it is measured, so that its code is compiled as in a server. */
  readonly warmings: number
  /** The entries of that thread. If it has few, recall finds nothing there, and is compiled while it is measured. */
  readonly warmOn: number
  /** Milliseconds that one play may take. */
  readonly limit: number
  /** Milliseconds after which a play is not repeated at this size. */
  readonly budget: number
  /** The most entries that are imported for a size, if one thread has less. Many plays then have a thread of their own. */
  readonly most: number
}

/** What was measured on one store. */
export interface Measured {
  readonly name: KeptIn['name']
  /** By size: what all imports took, and how many entries there were. */
  readonly imports: ReadonlyMap<number, Figures & { readonly entries: number }>
  /** By play and size. No figures: that would have taken too long. */
  readonly cells: ReadonlyMap<string, ReadonlyMap<number, readonly Figures[]>>
  /** By size: what is kept next to the logs in the end. */
  readonly snapshots: ReadonlyMap<number, KeptSnapshots>
}

/** The steps of progress that `measure` reports, at most. */
export function stepsOf({ sizes, rounds }: Plan): number {
  return names.length * sizes.length * rounds
}

/**
 * Imports logs of all sizes and plays on them. The sizes of one play take turns, so that the noise of the machine falls
 * on all of them. A size is left out if its first turn would take longer than the limit: all other plays need at least
 * one turn, too.
 */
export async function measure(keeper: Keeper, plan: Plan, progress: Progress): Promise<Measured> {
  const stores = new Map<number, KeptIn>()
  const imports = new Map<number, Figures & { entries: number }>()
  const players = new Map<number, Player>()
  const open = async (size: number): Promise<KeptIn> => {
    const keptIn = stores.get(size) ?? (await keeper.create(size))
    if (stores.has(size)) return keptIn
    stores.set(size, keptIn)
    const places = placesOf(size, plan)
    const importer = startPlayer(keptIn)
    const before = keeper.serverTime()
    const figures = await importer.ask({ tell: 'import', places: [...places, warmPlace(plan)] })
    const processor = figures.processor + (keeper.serverTime() - before) / 1000
    if (plan.isApart) await importer.stop()
    else players.set(size, importer)
    imports.set(size, { ...figures, processor, entries: places.length * size + plan.warmOn })
    await keeper.imported(keptIn)
    return keptIn
  }
  const cells = new Map<string, ReadonlyMap<number, readonly Figures[]>>()
  const stopAll = async (): Promise<void> => {
    await Promise.all([...players.values()].map((player) => player.stop()))
    players.clear()
  }
  let sizes = plan.sizes
  try {
    for (const play of names) {
      const measured = await playRounds(play, { ...plan, sizes }, { keeper, open, players, progress })
      cells.set(play, measured)
      // Only the first play may find that a size is too large for all.
      if (cells.size === 1) sizes = sizes.filter((size) => (measured.get(size)?.length ?? 0) > 0)
      if (plan.isApart) await stopAll()
    }
  } finally {
    await stopAll()
  }
  const snapshots = new Map<number, KeptSnapshots>()
  for (const [size, keptIn] of stores) snapshots.set(size, await keeper.snapshots(keptIn))
  return { name: keeper.name, imports, cells, snapshots }
}

interface Surroundings {
  readonly keeper: Keeper
  readonly open: (size: number) => Promise<KeptIn>
  readonly players: Map<number, Player>
  readonly progress: Progress
}

async function playRounds(
  play: string,
  plan: Plan,
  { keeper, open, players, progress }: Surroundings,
): Promise<ReadonlyMap<number, readonly Figures[]>> {
  const { sizes, rounds, limit, budget } = plan
  const figures = new Map<number, Figures[]>(sizes.map((size) => [size, []]))
  const playOnce = async (size: number, round: number): Promise<void> => {
    progress.step(`${keeper.name}, ${size.toLocaleString('en')} entries: ${play}`)
    const place = placeOf(play, size, round, plan)
    const before = keeper.serverTime()
    const played = place && (await answered(players.get(size)?.ask({ tell: 'play', play, place }, limit)))
    if (place && !played) players.delete(size)
    const processor = (keeper.serverTime() - before) / 1000
    if (played) figures.get(size)?.push({ ...played, processor: played.processor + processor })
  }
  for (const [index, size] of sizes.entries()) {
    if (isTooSlow(figures.get(sizes[index - 1] ?? NaN), size / (sizes[index - 1] ?? size), limit, index)) break
    const keptIn = await open(size)
    players.set(size, await warm(play, players.get(size) ?? startPlayer(keptIn), plan))
    await playOnce(size, 0)
  }
  for (let round = 1; round < rounds; round++) {
    for (const place of sizes.keys()) {
      const size = sizes[(round + place) % sizes.length]!
      const spent = figures.get(size)?.reduce((sum, { elapsed }) => sum + elapsed, 0) ?? 0
      if (players.has(size) && spent < budget) await playOnce(size, round)
    }
  }
  return figures
}

/** Undefined if the process took too long, or more memory than there is. */
async function answered<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof NoAnswer) return undefined
    throw error
  }
}

/** Whether a play would take longer than the limit if its time grew as the log does. */
function isTooSlow(before: readonly Figures[] | undefined, ratio: number, limit: number, index: number): boolean {
  if (index === 0) return false
  const [first] = before ?? []
  return first === undefined || first.processor * ratio > limit
}

async function warm(play: string, player: Player, plan: Plan): Promise<Player> {
  const place = warmPlace(plan)
  for (let warming = 0; warming < plan.warmings; warming++) await player.ask({ tell: 'play', play, place })
  return player
}

/** Every process warms up on the same log, whatever size it is measured on. */
function warmPlace({ warmOn }: Plan): Place {
  return { thread: 'warm', size: warmOn }
}

/** The threads that are imported: one for each play and round if they are short. */
function placesOf(size: number, { rounds, most }: Pick<Plan, 'rounds' | 'most'>): Place[] {
  const count = Math.max(1, Math.min(names.length * rounds, Math.floor(most / size)))
  return Array.from({ length: count }, (_, index) => ({ thread: `log ${index}`, size }))
}

/**
 * The thread of a play. The first turn and the first relay are the first ones of their thread: undefined if none is
 * left. A fresh book plays on their threads, so that its turns and relays are never the first.
 */
export function placeOf(
  play: string,
  size: number,
  round: number,
  plan: Pick<Plan, 'rounds' | 'most'>,
): Place | undefined {
  const places = placesOf(size, plan)
  if (isFirst(play) && round >= places.length) return undefined
  const number = names.indexOf(firstOf[play] ?? play)
  // A thread that is held is the same in all rounds.
  return places[(number * plan.rounds + (play.endsWith('thread object') ? 0 : round)) % places.length]
}

export function isFirst(play: string): boolean {
  return play.startsWith('first ')
}

const names = Object.keys(plays)
const firstOf: Readonly<Record<string, string>> = {
  'turn by a fresh book': 'first turn after an import',
  'relay by a fresh book': 'first relay after turns',
}
