import { parseArgs } from 'node:util'
import { crowd, type Crowd, type Load } from '../gateway/load.ts'
import { clientAgent, type MeasuredStream } from '../gateway/measured-stream.ts'
import { quantile } from '../median.ts'
import { answerRounds } from './round.ts'
import { openServers } from './server-stage.ts'

// A side of `gateway.ts --against`: started by it, on the sources of one checkout.
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const paths = ['/v1/chat/completions', '/api/chat', '/v1/messages'] as const
const paced = { streams: 16, deltas: options.quick ? 10 : 40, pace: 20 }
/** Clients that ask again as soon as everybody is answered. */
const hurried = { streams: 8, deltas: 10, pace: 0 }
const turns = options.quick ? 2 : 16
/** Clients that ask the upstream itself while the others ask the gateway. */
const bareStreams = 4

const servers = await openServers()
try {
  await main()
} finally {
  clientAgent.destroy()
  await servers.close()
}

async function main(): Promise<void> {
  const gateway = await servers.gateway('gateway')
  const crowds = paths.map((path) => ({
    path,
    chatting: crowd(gateway, 'the gateway', { ...paced, path }),
    bare: crowd(servers.upstream, 'the upstream', { ...paced, path, streams: bareStreams }),
  }))
  let rounds = 0
  await answerRounds(async () => {
    rounds++
    const figures: Record<string, Record<string, number>> = {}
    for (const { path, chatting, bare } of crowds)
      figures[`${path}, a delta every ${paced.pace} ms`] = await playPaced(chatting, bare)
    for (const path of paths)
      figures[`${path}, at full speed`] = await playHurried(
        crowd(gateway, `the gateway in round ${rounds}`, { ...hurried, path }),
      )
    return { figures, prompts: await servers.takePrompts() }
  })
}

/** What the gateway adds to the bare upstream in the same seconds, and its processor time of a request. */
async function playPaced(chatting: Crowd, bare: Crowd): Promise<Record<string, number>> {
  const began = servers.worked()
  const [chats, streams] = await Promise.all([chatting.turn(), bare.turn()])
  const processor = (servers.worked() - began) / chats.length
  check(chats, paced)
  const added = (of: (stream: MeasuredStream) => number | readonly number[]): number =>
    quantile(chats.flatMap(of), 0.5) - quantile(streams.flatMap(of), 0.5)
  return {
    'added to the first token': added(({ first }) => first),
    'added to a delta': added(({ lags }) => lags),
    'added to the end': added(({ end }) => end),
    'processor, a request': processor,
  }
}

/** One turn after the other, without any pause. */
async function playHurried(chatting: Crowd): Promise<Record<string, number>> {
  const [worked, began] = [servers.worked(), performance.now()]
  for (let turn = 0; turn < turns; turn++) check(await chatting.turn(), hurried)
  const requests = hurried.streams * turns
  return {
    'elapsed, a request': ((performance.now() - began) * 1000) / requests,
    'processor, a request': (servers.worked() - worked) / requests,
  }
}

function check(streams: readonly MeasuredStream[], { deltas }: Pick<Load, 'deltas'>): void {
  if (streams.some(({ lags }) => lags.length !== deltas)) throw new Error('The gateway lost a delta.')
}
