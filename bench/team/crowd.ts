import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { measureStream } from '../gateway/measured-stream.ts'
import { nativeTurn, type Outcome } from './native-turn.ts'

export interface Load {
  /** Turns at once. */
  readonly turns: number
  readonly deltas: number
  /** Milliseconds from one delta to the next. */
  readonly pace: number
  readonly seconds: number
}

/** One turn of somebody. */
export interface Said {
  readonly thread: string
  readonly message: string
  readonly outcome: Outcome
}

export interface Told {
  readonly said: readonly Said[]
  /**
   * Streams of the bare upstream, in the same minutes: to the first delta, of each delta, and to the end, in
   * microseconds.
   */
  readonly bare: { readonly first: number[]; readonly lags: number[]; readonly whole: number[] }
  /** Requests that broke or failed. */
  readonly broken: readonly string[]
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/**
 * Everybody holds a conversation with one of the instances, a turn after the other, while a few ask the upstream
 * itself.
 */
export async function crowd(
  instances: readonly string[],
  upstream: string,
  load: Load,
  onTurn: (done: number) => void,
): Promise<Told> {
  const until = performance.now() + load.seconds * 1000
  const said: Said[] = []
  const broken: string[] = []
  const bare = { first: [] as number[], lags: [] as number[], whole: [] as number[] }
  const model = `paced:${load.deltas}:${load.pace}`
  const talk = async (number: number): Promise<void> => {
    const thread = `crowd-${number}`
    const url = instances[number % instances.length]!
    await makeThread(url, thread, model)
    // They begin one after the other while the first turn lasts.
    await pause((load.deltas * load.pace * number) / load.turns)
    for (let turn = 1; performance.now() < until; turn++) {
      const message = `Question ${turn} of ${thread}: what does the ledger say?`
      try {
        said.push({
          thread,
          message,
          outcome: await nativeTurn(agent, url, thread, { id: `${thread}/${turn}`, message, model }),
        })
      } catch (error) {
        broken.push(`${thread}: ${String(error)}`)
      }
      onTurn(said.length)
    }
  }
  const ask = async (number: number): Promise<void> => {
    await pause((load.deltas * load.pace * number) / bareStreams)
    while (performance.now() < until) {
      const { first, lags, whole } = await measureStream(
        upstream,
        '/api/chat',
        JSON.stringify({ model, messages: [{ role: 'user', content: 'What does the ledger say?' }], stream: true }),
      )
      bare.first.push(first)
      bare.lags.push(...lags)
      bare.whole.push(whole)
    }
  }
  await Promise.all([
    ...Array.from({ length: load.turns }, (_, number) => talk(number)),
    ...Array.from({ length: bareStreams }, (_, number) => ask(number)),
  ])
  return { said, bare, broken }
}

const bareStreams = 8

export async function makeThread(url: string, thread: string, model: string): Promise<void> {
  const response = await fetch(`${url}/minutebook/v1/threads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ thread, setup: { model } }),
  })
  if (!response.ok) throw new Error(`${thread} could not be made: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

/** So many turns at the same moment, each in a thread of its own. */
export async function burst(instances: readonly string[], count: number, model: string): Promise<readonly Said[]> {
  const threads = Array.from({ length: count }, (_, number) => `burst-${number}`)
  for (const [number, thread] of threads.entries())
    await makeThread(instances[number % instances.length]!, thread, model)
  return Promise.all(
    threads.map(async (thread, number) => {
      const message = `Question of ${thread}`
      return {
        thread,
        message,
        outcome: await nativeTurn(agent, instances[number % instances.length]!, thread, { id: thread, message, model }),
      }
    }),
  )
}

export function hangUp(): void {
  agent.destroy()
}
