import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { crowd, type Crowd, type Load } from '../gateway/load.ts'
import { clientAgent } from '../gateway/measured-stream.ts'
import { quantile } from '../median.ts'
import { connectionTime, processorTime } from '../postgres/processor-time.ts'
import { startServer } from '../postgres/server.ts'
import { makeThread } from '../team/crowd.ts'
import { nativeTurn, type NativeTurn } from '../team/native-turn.ts'
import { answerRounds } from './round.ts'
import { openServers } from './server-stage.ts'

// A side of `team.ts --against`: started by it, on the sources of one checkout.
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const count = options.quick ? 4 : 20
const paced = { deltas: options.quick ? 5 : 30, pace: 50 }
/** Clients that ask again as soon as everybody is answered. */
const hurried = { deltas: 10, pace: 0, turns: options.quick ? 1 : 5 }
/** Clients that ask the upstream itself while the others ask the instances. */
const bareStreams = 4

interface Client {
  readonly thread: string
  readonly url: string
  turns: number
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const postgres = await startServer(undefined)
const servers = await openServers()
try {
  await main()
} finally {
  clientAgent.destroy()
  agent.destroy()
  await servers.close()
  await postgres.cluster.stop()
}

async function main(): Promise<void> {
  const { url: database } = await postgres.database('team')
  const environment = { MINUTEBOOK_DATABASE: database, MINUTEBOOK_SLOTS: String(count), MINUTEBOOK_POOL_SIZE: '20' }
  const instances = [await servers.gateway('one', environment), await servers.gateway('two', environment)] as const
  const clients = Array.from({ length: count }, (_, number): Client => ({
    thread: `crowd-${number}`,
    url: instances[number % 2 === 0 ? 0 : 1],
    turns: 0,
  }))
  for (const { thread, url } of clients) await makeThread(url, thread, 'paced:1:0')
  const bare = crowd(servers.upstream, 'the upstream', { ...paced, streams: bareStreams, path: '/api/chat' })
  await answerRounds(async () => {
    // Connections to Postgres that were idle while other sides played are made again.
    await turnOf(clients, { deltas: 1, pace: 0 })
    const figures = {
      [`a delta every ${paced.pace} ms`]: await playPaced(clients, bare),
      'at full speed': await playHurried(clients),
    }
    return { figures, prompts: await servers.takePrompts() }
  })
}

/** What the instances add to the bare upstream in the same seconds, and the processor time of a turn. */
async function playPaced(clients: readonly Client[], bare: Crowd): Promise<Record<string, number>> {
  const work = watch()
  const [turns, streams] = await Promise.all([turnOf(clients, paced), bare.turn()])
  const added = (of: (turn: Pick<NativeTurn, 'first' | 'lags' | 'whole'>) => number | readonly number[]): number =>
    quantile(turns.flatMap(of), 0.5) - quantile(streams.flatMap(of), 0.5)
  return {
    'added to the first delta': added(({ first }) => first),
    'added to a delta': added(({ lags }) => lags),
    'added to the end': added(({ whole }) => whole),
    ...work(turns.length),
  }
}

/** One turn after the other, without any pause. */
async function playHurried(clients: readonly Client[]): Promise<Record<string, number>> {
  const work = watch()
  const began = performance.now()
  for (let turn = 0; turn < hurried.turns; turn++) await turnOf(clients, hurried)
  const turns = count * hurried.turns
  return { 'elapsed, a turn': ((performance.now() - began) * 1000) / turns, ...work(turns) }
}

/** Processor time of a turn, from now on. */
function watch(): (turns: number) => Record<string, number> {
  const inPostgres = (): ReturnType<typeof processorTime> => processorTime(postgres.cluster.pids(), [])
  const [worked, before] = [servers.worked(), inPostgres()]
  return (turns) => ({
    'processor of the instances, a turn': (servers.worked() - worked) / turns,
    'processor of Postgres, a turn': (connectionTime(before, inPostgres()) * 1e6) / turns,
  })
}

/** One turn of everybody: they begin one after the other while the first one lasts. */
function turnOf(clients: readonly Client[], { deltas, pace }: Pick<Load, 'deltas' | 'pace'>): Promise<NativeTurn[]> {
  return Promise.all(
    clients.map(async (client, number) => {
      await pause((deltas * pace * number) / count)
      const message = `Question ${++client.turns} of ${client.thread}: what does the ledger say?`
      const turn = { id: `${client.thread}/${client.turns}`, message, model: `paced:${deltas}:${pace}` }
      const outcome = await nativeTurn(agent, client.url, client.thread, turn)
      if (outcome.kind !== 'answered' || outcome.status !== 'complete')
        throw new Error(`${message} No whole answer came: the turn was ${outcome.kind}.`)
      return outcome
    }),
  )
}
