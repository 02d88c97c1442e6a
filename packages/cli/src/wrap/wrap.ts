import { printableLine } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { ReachedGateway } from '../connection/gateway.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { AgentTarget } from './agents.ts'
import { withAgentKey } from './key.ts'
import { announcePresence, type Presence, untilAlone } from './sharing.ts'
import { findProgram, runAgent, withFolder } from './start.ts'
import { type AgentCall, type AgentOptions, gatewayFor, targetOf } from './target.ts'

/** Runs an agent that uses the gateway, and returns its exit code. A gateway that did not run before ends with it. */
export async function wrapAgent(terminal: Terminal, call: AgentCall, options: AgentOptions): Promise<number> {
  const { name, agent } = call
  const program = findProgram(name, terminal.environment)
  if (program === undefined)
    throw new MinutebookError('no_agent', `${name} is not installed.`, `Install it with: ${agent.install}`)
  // A request that asks whether the upstream serves the path is in the log, too.
  const seen = { chats: agent.upstreamPath === undefined ? 0 : -1, recorded: 0 }
  const gateway = await gatewayFor(terminal, options, { write: (line) => note(seen, line) })
  const presence = announcePresence(gateway.config.data)
  try {
    const target = await targetOf(terminal, call, gateway, options)
    terminal.remark(paintedStart(terminal, name, target))
    return await withAgentKey(terminal, target, async (key) => {
      const code = await withFolder((folder) =>
        runAgent(program, agent.setup({ ...target, key }, folder), { folder, terminal }),
      )
      terminal.remark(farewell(terminal, name, gateway.own ? seen : undefined))
      return code
    })
  } finally {
    await leave(terminal, gateway, presence)
  }
}

/** The own gateway ends with the last agent that uses it. */
async function leave(terminal: Terminal, { own }: ReachedGateway, presence: Presence): Promise<void> {
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, stop)
  if (own && presence.others().length > 0) {
    terminal.remark('Another agent uses this gateway, so it runs until that one ends. To stop it now: Ctrl-C.')
    await untilAlone(presence, stopped.signal)
  }
  presence.end()
  await own?.close({ patience: 2000 })
  for (const signal of signals) process.off(signal, stop)
}

/** What went through the own gateway. */
interface Seen {
  chats: number
  recorded: number
}

/** Counts a line of the gateway's log. */
function note(seen: Seen, text: string): void {
  const { method, thread } = JSON.parse(text) as { readonly method?: string; readonly thread?: string }
  if (method === 'POST') seen.chats++
  if (thread !== undefined) seen.recorded++
}

function paintedStart({ paintErrors: paint }: Terminal, name: string, { url, model }: AgentTarget): string {
  const asked = model === undefined ? '' : ` · ${printableLine(model)}`
  return `${paint.green('●')} ${paint.bold(`${name} through Minutebook`)} ${paint.dim(`${url}${asked}`)}`
}

/** Where the record of the run is. `seen`: undefined if it is not known. */
function farewell({ command }: Terminal, name: string, seen: Seen | undefined): string {
  if (seen?.chats === 0) return `${name} sent no chat to the gateway. Do its own settings name another address?`
  if (seen?.recorded === 0) return `${name} used the gateway, but nothing was recorded (record, or store: false).`
  // Other clients use a gateway that ran before, too.
  const shown = seen === undefined ? 'What the model saw in the newest chat of the gateway' : 'What the model saw'
  return `${shown}: ${command('explain')}. All chats: ${command('threads')}`
}
