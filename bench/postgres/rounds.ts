import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { table } from '../markdown.ts'
import { median } from '../median.ts'
import type { Progress } from '../progress.ts'
import { targets, type Operation } from './operation.ts'
import { machineTime } from './processor-time.ts'
import type { Played, Round, Side } from './side.ts'

export interface RoundsOptions {
  readonly sides: readonly Side[]
  readonly operation: Operation
  readonly clients: readonly number[]
  readonly rounds: number
  readonly warmSeconds: number
  readonly seconds: number
  /** How many seconds a round may wait for a quiet machine. */
  readonly patience: number
  readonly progress: Progress
}

/** What the sides did with so many clients, by side and round. */
export interface Race {
  readonly clients: number
  readonly played: readonly (readonly Played[])[]
}

/** All sides take turns, each round beginning with another, so that the machine's noise falls on all alike. */
export async function race({
  sides,
  operation,
  clients,
  rounds,
  warmSeconds,
  seconds,
  patience,
  progress,
}: RoundsOptions): Promise<Race[]> {
  const races: Race[] = []
  for (const count of clients) {
    const played: Played[][] = sides.map(() => [])
    for (let round = 0; round < rounds; round++) {
      for (let place = 0; place < sides.length; place++) {
        const side = (place + round) % sides.length
        const order: Round = { operation, clients: count, warmSeconds, seconds }
        played[side]!.push(await undisturbed(sides[side]!, order, patience))
        progress.step(`${operation}, ${count} clients, ${sides[side]!.name}`)
      }
    }
    races.push({ clients: count, played })
  }
  return races
}

/**
 * Waits until other programs leave the machine alone, and plays a round again in which they did not: what it would show
 * is them.
 */
async function undisturbed(side: Side, round: Round, patience: number): Promise<Played> {
  const until = performance.now() + patience * 1000
  await quiet(until)
  let best = await side.play(round)
  while (best.othersShare > disturbing && performance.now() < until) {
    await quiet(until)
    const again = await side.play(round)
    if (again.othersShare < best.othersShare) best = again
  }
  return best
}

const disturbing = 0.1

async function quiet(until: number): Promise<void> {
  while (performance.now() < until) {
    const before = machineTime()
    await pause(500)
    if ((machineTime() - before) / (0.5 * availableParallelism()) < disturbing) return
  }
}

/** The first side is ours; each other is what it is compared with. Ratios are of rounds, then their median. */
export function raceTable(operation: Operation, sides: readonly Side[], races: readonly Race[]): string {
  const target = targets[operation]
  const rows = races.flatMap(({ clients, played }) =>
    sides.map(({ name }, side) => {
      const figure = (of: (each: Played) => number): number => median(played[side]!.map(of))
      const share = median(played[0]!.map(({ rate }, round) => rate / played[side]![round]!.rate))
      const verdict = side === 1 && target !== undefined ? ` (≥ ${target}: ${share >= target ? 'yes' : 'no'})` : ''
      return [
        name,
        String(clients),
        Math.round(figure(({ rate }) => rate)).toLocaleString('en'),
        side === 0 ? '' : `${share.toFixed(2)}${verdict}`,
        `${Math.round(figure(({ serverTime }) => serverTime))} µs`,
        `${Math.round(figure(({ clientTime }) => clientTime))} µs`,
        `${Math.round(100 * figure((each) => each.othersShare))}%`,
      ]
    }),
  )
  return table(
    [
      'side',
      'clients',
      `${operation}s a second`,
      'our rate to its',
      'server’s time each',
      'own time each',
      'others’ share',
    ],
    rows,
  )
}
