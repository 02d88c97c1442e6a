// What does a native turn cost beside the tap with one append? Four sides on one Postgres, in turns.
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gatewayProgram, type Child } from '../../tests/support/process/child.ts'
import { crowd as chatters } from '../gateway/load.ts'
import { quantile } from '../median.ts'
import { connectionTime, processorTime } from '../postgres/processor-time.ts'
import type { Server } from '../postgres/server.ts'
import { processorTimeOf } from '../processor-time.ts'
import { showProgress } from '../progress.ts'
import { costReport, type CostRound } from './cost-report.ts'
import { makeThread } from './crowd.ts'
import { nativeTurn } from './native-turn.ts'

export interface CostLoad {
  /** Turns at once. */
  readonly turns: number
  readonly deltas: number
  /** Milliseconds from one delta to the next, in the part with a pace. */
  readonly pace: number
  /** Turns of each client in the part without a pace. */
  readonly hurried: number
  readonly rounds: number
}

/** Starts a program, and ends it with the bench. */
export type Start = (
  name: string,
  program: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => Promise<Child>

/** A turn as its client sees it: to the first delta and all of it, in microseconds. */
interface Seen {
  readonly first: number
  readonly lags: readonly number[]
}

/** Who answers, and one turn of all clients there. */
interface Side {
  readonly name: string
  readonly pids: readonly (number | undefined)[]
  readonly turn: (pace: number) => Promise<Seen[]>
}

/** Measures and returns a report. `profiles`: a folder for profiles of the instances. */
export async function measureCost(server: Server, load: CostLoad, start: Start, profiles?: string): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  try {
    const sides = await startSides(server, load, start, agent, profiles)
    return costReport(await race(server, sides, load), load)
  } finally {
    agent.destroy()
  }
}

async function startSides(
  server: Server,
  load: CostLoad,
  start: Start,
  agent: Agent,
  profiles: string | undefined,
): Promise<Side[]> {
  const here = (name: string): string => join(import.meta.dirname, '../gateway', name)
  const upstream = await start('cost-upstream', [here('upstream-process.ts')])
  const common = { MINUTEBOOK_UPSTREAMS: upstream.url, MINUTEBOOK_POOL_SIZE: '20' }
  const { url: plain } = await server.database('cost_tap')
  const tap = await start('cost-tap', [here('tap-process.ts'), '--append'], { ...common, MINUTEBOOK_DATABASE: plain })
  const instance = async (name: string, database: string, slots: number): Promise<Child> =>
    start(
      name,
      [...(profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}/${name}`]), gatewayProgram],
      {
        ...common,
        MINUTEBOOK_DATABASE: database,
        MINUTEBOOK_SLOTS: String(slots),
        MINUTEBOOK_QUEUE_LIMIT: '100',
      },
    )
  const { url: own } = await server.database('cost_own')
  const alone = await instance('cost-own', own, load.turns)
  const { url: shared } = await server.database('cost_other')
  const busy = await instance('cost-other-asked', shared, 1)
  await occupy(agent, busy.url)
  const runner = await instance('cost-other-runs', shared, load.turns)
  return [
    chatSide('bare upstream', upstream, load),
    chatSide('tap with one append', tap, load),
    await nativeSide('native, followed on its instance', [alone], load, agent),
    await nativeSide('native, followed on another', [busy, runner], load, agent),
  ]
}

/** Takes the only slot of an instance for good, so that another one must run whatever it is asked. */
async function occupy(agent: Agent, url: string): Promise<void> {
  const model = `paced:2:${24 * 60 * 60 * 1000}`
  await makeThread(url, 'occupied', model)
  await new Promise<void>((resolve, reject) => {
    nativeTurn(agent, url, 'occupied', { id: 'occupied', message: 'Never mind.', model }, resolve).catch(reject)
  })
}

function chatSide(name: string, { url, process: { pid } }: Child, load: CostLoad): Side {
  const byPace = new Map(
    [load.pace, 0].map((pace) => [
      pace,
      chatters(url, `${name} ${pace}`, { streams: load.turns, deltas: load.deltas, pace, path: '/api/chat' }),
    ]),
  )
  return { name, pids: [pid], turn: (pace) => byPace.get(pace)!.turn() }
}

/** Clients talk to the first of the instances. */
async function nativeSide(name: string, instances: readonly Child[], load: CostLoad, agent: Agent): Promise<Side> {
  const { url } = instances[0]!
  const threads = Array.from({ length: load.turns }, (_, number) => `cost-${number}`)
  for (const thread of threads) await makeThread(url, thread, 'paced:1:0')
  let turns = 0
  return {
    name,
    pids: instances.map(({ process: { pid } }) => pid),
    turn: (pace) => {
      const turn = ++turns
      return Promise.all(
        threads.map(async (thread, number) => {
          await pause((load.deltas * pace * number) / load.turns)
          const message = `Question ${turn} of ${thread}: what does the ledger say?`
          const model = `paced:${load.deltas}:${pace}`
          const outcome = await nativeTurn(agent, url, thread, { id: `${thread}/${turn}`, message, model })
          if (outcome.kind !== 'answered' || outcome.status !== 'complete')
            throw new Error(`${name}, ${message} No whole answer came: the turn was ${outcome.kind}.`)
          return outcome
        }),
      )
    },
  }
}

/** By side and round. The first round warms up and does not count; the order changes from round to round. */
async function race(
  server: Server,
  sides: readonly Side[],
  load: CostLoad,
): Promise<(readonly [string, CostRound[]])[]> {
  const progress = showProgress((load.rounds + 1) * sides.length)
  const times = sides.map(({ name }) => [name, [] as CostRound[]] as const)
  for (let round = 0; round <= load.rounds; round++) {
    for (let place = 0; place < sides.length; place++) {
      const which = (place + round) % sides.length
      const played = await play(server, sides[which]!, load)
      if (round > 0) times[which]![1].push(played)
      progress.step(sides[which]!.name)
    }
  }
  progress.done()
  return times
}

async function play(server: Server, { name, pids, turn }: Side, load: CostLoad): Promise<CostRound> {
  const own = (): number => pids.reduce((sum: number, pid) => sum + processorTimeOf(pid), 0)
  const inPostgres = (): ReturnType<typeof processorTime> => processorTime(server.cluster.pids(), [])
  const [worked, before] = [own(), inPostgres()]
  const seen = await turn(load.pace)
  const [processor, postgres] = [own() - worked, connectionTime(before, inPostgres()) * 1e6]
  if (seen.some(({ lags }) => lags.length !== load.deltas)) throw new Error(`${name} lost a delta.`)
  const [hurriedFrom, began] = [own(), performance.now()]
  for (let each = 0; each < load.hurried; each++) await turn(0)
  const turns = load.turns * load.hurried
  return {
    first: quantile(
      seen.map(({ first }) => first),
      0.5,
    ),
    lag: quantile(
      seen.flatMap(({ lags }) => lags),
      0.5,
    ),
    processor: processor / load.turns,
    postgres: postgres / load.turns,
    hurried: (own() - hurriedFrom) / turns,
    rate: (turns * 1000) / (performance.now() - began),
  }
}
