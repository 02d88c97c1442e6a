import { root } from '../../tests/support/workshop.ts'
import { checkOut } from '../checkout.ts'
import { median } from '../median.ts'
import type { Progress } from '../progress.ts'
import type { Round } from './round.ts'
import { programIn, startSide, type Side } from './side.ts'

export interface Plan {
  readonly program: string
  readonly args?: readonly string[]
  /** Rounds that count, in each process; one more comes first and does not. */
  readonly rounds: number
  /**
   * How often new processes of all sides are started: two processes of the same code do not run equally fast either.
   */
  readonly processes: number
  readonly progress: Progress
}

/**
 * Rounds of the commit, of what is here, and of the commit again; those of one place in the lists were played one after
 * the other.
 */
export interface Compared {
  readonly before: readonly Round[]
  readonly now: readonly Round[]
  readonly again: readonly Round[]
  /** Whether both sides ran the program that is here: the commit has none of its own. */
  readonly isSameProgram: boolean
}

/** The steps of progress that a plan reports. */
export function stepsOf({ rounds, processes }: Pick<Plan, 'rounds' | 'processes'>, sides: number): number {
  return (rounds + 1) * processes * sides
}

/** Interleaves this checkout with a commit, and that commit with itself. */
export async function compareWith(commit: string, plan: Plan): Promise<Compared> {
  const other = await checkOut(commit)
  try {
    const [before = [], now = [], again = []] = await playRounds([other.folder, root, other.folder], plan)
    return {
      before: before.map((round) => withRowNames(round, now[0])),
      now,
      again: again.map((round) => withRowNames(round, now[0])),
      isSameProgram: programIn(other.folder, plan.program) === programIn(root, plan.program),
    }
  } finally {
    other.remove()
  }
}

/** The same figures under the row names of this checkout. An older commit may call its rows otherwise, in the same order. */
function withRowNames(round: Round, here: Round | undefined): Round {
  const rows = Object.keys(here?.figures ?? {})
  const columns = Object.values(round.figures)
  if (rows.length !== columns.length)
    throw new Error(`The commit measures ${columns.length} rows, this checkout ${rows.length}.`)
  return { ...round, figures: Object.fromEntries(rows.map((row, place) => [row, columns[place] ?? {}])) }
}

/** Plays rounds on several checkouts in turn, each time in another order; answers by checkout. */
export async function playRounds(
  checkouts: readonly string[],
  { program, args = [], rounds, processes, progress }: Plan,
): Promise<Round[][]> {
  const played: Round[][] = checkouts.map(() => [])
  for (let process = 0; process < processes; process++) {
    const sides: Side[] = []
    try {
      for (const checkout of checkouts) sides.push(await startSide(checkout, program, args))
      for (let round = 0; round <= rounds; round++) {
        for (const place of checkouts.keys()) {
          const turn = (round + place) % checkouts.length
          const result = await sides[turn]?.round()
          progress.step(`process ${process + 1} of ${processes}, round ${round} of ${rounds}`)
          if (round > 0 && result) played[turn]?.push(result)
        }
      }
    } finally {
      await Promise.all(sides.map((side) => side.stop()))
    }
  }
  progress.done()
  return played
}

/** A ratio as its rounds have it: the middle one, and the range of the middle four fifths. */
export interface Ratio {
  readonly middle: number
  readonly low: number
  readonly high: number
}

/** The figure of one side divided by that of another, round by round. */
export function ratioOf(rounds: readonly Round[], others: readonly Round[], row: string, column: string): Ratio {
  const ratios = rounds
    .map((round, index) => figureIn(round, row, column) / figureIn(others[index], row, column))
    .toSorted((one, other) => one - other)
  const tenth = Math.floor(ratios.length / 10)
  return { middle: median(ratios), low: ratios[tenth] ?? NaN, high: ratios.at(-1 - tenth) ?? NaN }
}

/** The median of the rounds. */
export function figureOf(rounds: readonly Round[], row: string, column: string): number {
  return median(rounds.map((round) => figureIn(round, row, column)))
}

/**
 * Whether what is here takes longer than the commit may take beside itself, whichever of its two processes was the
 * slower one. Undefined if the rounds cannot tell: there were too few rounds, this machine does not have the figure, or the
 * commit is so far from itself that even something twice as slow would not show.
 */
export function isSlower({ before, now, again }: Compared, row: string, column: string): boolean | undefined {
  if (now.length < fewest) return undefined
  const { low, high } = ratioOf(again, before, row, column)
  const { middle } = ratioOf(now, before, row, column)
  // What a server adds is a difference, which may be less than nothing on a busy machine.
  const most = low > 0 ? Math.max(high, 1 / low) : NaN
  return Number.isNaN(middle) || !(most <= widest) ? undefined : middle > most
}

/** Rounds from which on a difference is told from noise. */
const fewest = 6

/** How far a commit may be from itself for a difference to be told from noise. */
const widest = 2

/** Whether both made the same prompts, byte for byte. */
export function hasSamePrompts({ before, now }: Compared): boolean {
  return before.every(({ prompts }, index) => prompts === now[index]?.prompts)
}

function figureIn(round: Round | undefined, row: string, column: string): number {
  return round?.figures[row]?.[column] ?? NaN
}
