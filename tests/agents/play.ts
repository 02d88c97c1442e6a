import { spawn } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaults, serve } from '@minutebook/server'
import type { StrictUpstream } from '@minutebook/testing/server'
import { agents, type Agent, type Start } from './agents.ts'
import type { SessionMode } from './session.ts'
import { scriptedUpstream, type Sight } from './upstream.ts'

/** What came of one session of an agent. */
export interface Session extends Sight {
  /** Refusals that the agent saw. */
  readonly refused: number
  /** Prompts that the model server refused because of their length, also if the agent did not see that. */
  readonly tooLong: number
  /** What else it refused, for example a call without its result. */
  readonly illegal: readonly string[]
  readonly rewritten: number
  readonly seconds: number
  /** The end of what the agent printed. */
  readonly said: string
}

const [index, wanted, window, mode] = process.argv.slice(2)
if (Object.values(networkInterfaces()).some((each) => each?.some(({ internal }) => !internal)))
  throw new Error('Agents talk to their makers. Start this in a network namespace of its own: see run.ts.')
const came = await play(agents[Number(index)]!, Number(wanted), Number(window), mode as SessionMode)
process.stdout.write(JSON.stringify(came))
process.exit(0)

/** Plays a session, through the gateway or directly. */
async function play(agent: Agent, calls: number, tokens: number, mode: SessionMode): Promise<Session> {
  const isRelayed = mode !== 'direct'
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-agents-'))
  const [home, work] = ['home', 'work'].map((name) => join(folder, name)) as [string, string]
  for (const each of [home, work]) mkdirSync(each)
  const { server, sight } = await scriptedUpstream(tokens, calls, mode !== 'gateway')
  const lines: { readonly status?: number; readonly mode?: string }[] = []
  const log = { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }
  const config = { ...defaults({}), port: 0, data: join(folder, 'data'), upstreams: [{ url: server.url }] }
  const running = isRelayed ? await serve(config, { log }) : undefined
  const url = running?.url ?? server.url
  try {
    const [asked, logged] = [server.requests.length, lines.length]
    const began = performance.now()
    const said = await run(agent.prepare(home, url), home, work)
    const { tooLong, illegal } = refusalsIn(server.requests.slice(asked))
    const refused = lines.slice(logged).filter(({ status = 0 }) => status >= 400).length
    return {
      ...sight,
      refused: isRelayed ? refused : tooLong + illegal.length,
      tooLong,
      illegal,
      rewritten: lines.filter((line) => line.mode === 'rewritten').length,
      seconds: Math.round((performance.now() - began) / 1000),
      said: said.slice(-400),
    }
  } finally {
    await running?.close({ patience: 1000 })
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function refusalsIn(requests: StrictUpstream['requests']): Pick<Session, 'tooLong' | 'illegal'> {
  // With an empty request the gateway asks whether a path is served.
  const reasons = requests.flatMap(({ refusal, text }) => (text === '{}' ? [] : (refusal ?? [])))
  const isLong = (reason: string): boolean => /too long|exceeds the context length/.test(reason)
  return { tooLong: reasons.filter(isLong).length, illegal: reasons.filter((reason) => !isLong(reason)) }
}

/** Resolves with what the program printed. */
function run({ program, words, environment }: Start, home: string, work: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { PATH = '' } = process.env
    const child = spawn(program, words, {
      cwd: work,
      env: { HOME: home, PATH, TERM: 'dumb', NO_COLOR: '1', CI: '1', ...environment },
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
