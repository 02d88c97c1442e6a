import { spawn } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaults, serve } from '@minutebook/server'
import { agents } from './agents.ts'
import { scriptedUpstream, type Sight } from './upstream.ts'

/** What came of one session of an agent. */
export interface Session extends Sight {
  /** Refusals that the agent saw. */
  readonly refused: number
  /** Prompts that the model server refused, also if the agent did not see that. */
  readonly refusedUpstream: number
  readonly rewritten: number
  readonly seconds: number
  /** The end of what the agent printed. */
  readonly said: string
}

const chats = '/v1/chat/completions'
const [index, wanted, window, mode] = process.argv.slice(2)
if (Object.values(networkInterfaces()).some((each) => each?.some(({ internal }) => !internal)))
  throw new Error('Agents talk to their makers. Start this in a network namespace of its own: see run.ts.')
process.stdout.write(JSON.stringify(await play(Number(index), Number(wanted), Number(window), mode === 'gateway')))
process.exit(0)

/** Plays a session, through the gateway or directly. */
async function play(agent: number, calls: number, tokens: number, isRelayed: boolean): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-agents-'))
  const [home, work] = ['home', 'work'].map((name) => join(folder, name)) as [string, string]
  for (const each of [home, work]) mkdirSync(each)
  const { server, sight } = await scriptedUpstream(tokens, calls)
  const lines: { readonly status?: number; readonly mode?: string }[] = []
  const log = { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }
  const config = { ...defaults({}), port: 0, data: join(folder, 'data'), upstreams: [{ url: server.url }] }
  const running = isRelayed ? await serve(config, { log }) : undefined
  const began = performance.now()
  const said = await run(agents[agent]!.prepare(home, running?.url ?? server.url), home, work)
  await running?.close({ patience: 1000 })
  await server.close()
  rmSync(folder, { recursive: true, force: true })
  const refusals = server.requests.filter(({ path, status }) => path === chats && status >= 400).length
  return {
    ...sight,
    refused: isRelayed ? lines.filter(({ status = 0 }) => status >= 400).length : refusals,
    refusedUpstream: refusals,
    rewritten: lines.filter((line) => line.mode === 'rewritten').length,
    seconds: Math.round((performance.now() - began) / 1000),
    said: said.slice(-400),
  }
}

/** Resolves with what the program printed. */
function run([program, ...words]: readonly [string, ...string[]], home: string, work: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { PATH = '' } = process.env
    const child = spawn(program, words, {
      cwd: work,
      env: { HOME: home, PATH, TERM: 'dumb', NO_COLOR: '1', CI: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 600_000,
      killSignal: 'SIGKILL',
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (text += piece.toString()))
    child.on('error', reject)
    child.on('close', () => resolve(text))
  })
}
