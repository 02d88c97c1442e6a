import { printableLine, type LogOutput } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { anthropicModelsOf, modelsOf } from '../chat/conversation.ts'
import { type ReachedGateway, reachGateway } from '../connection/gateway.ts'
import type { Location } from '../connection/location.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Agent, AgentTarget } from './agents.ts'
import type { AgentArguments } from './arguments.ts'
import { firstOf, warningsFor } from './warnings.ts'

export interface AgentOptions extends Location {
  readonly model?: string
  /** Where the models are, if no gateway runs. */
  readonly upstream?: string
}

/** An agent, and what the user wants it to be called with. */
export interface AgentCall {
  readonly name: string
  readonly agent: Agent
  readonly args: AgentArguments
}

/**
 * The gateway that runs, or else a new one. A new one also records what codex sends with `store: false`, which is about
 * the server of the model; unless the settings say that nothing is recorded.
 */
export function gatewayFor(terminal: Terminal, options: AgentOptions, log: LogOutput): Promise<ReachedGateway> {
  return reachGateway(
    terminal,
    options,
    async ({ hostedRuns }) => hostedRuns.onlyAsked(),
    log,
    ({ record, ...config }) => ({ ...config, record: record === true ? 'always' : record }),
  )
}

/** What the agent is to use: the gateway, its key if it needs one, and a model. Tells the user what may not work. */
export async function targetOf(
  terminal: Terminal,
  { name, agent, args: { model: own, args } }: AgentCall,
  { address }: ReachedGateway,
  { key = terminal.environment['MINUTEBOOK_KEY'], model }: AgentOptions,
): Promise<AgentTarget> {
  const { url, token = '' } = address
  const given = key ?? token
  const named = own ?? model
  const [models, isKeyed] = await Promise.all([listed(terminal, { url, key: given }, agent, named), needsKey(url)])
  const { hasOwnModel } = agent
  // The login for their maker's models must not go to another server.
  if (named !== undefined && hasOwnModel?.(named) && models.length > 0 && !models.some(hasOwnModel))
    throw notListedError(named, models)
  for (const warning of await warningsFor(name, agent, { url, key: given, named, models }))
    terminal.remark(`${terminal.paintErrors.yellow('!')} ${warning}`)
  const isOwn = named === undefined && hasOwnModel !== undefined && (models.length === 0 || models.some(hasOwnModel))
  return {
    url,
    key: isKeyed ? given : undefined,
    model: isOwn ? undefined : (named ?? models[0]),
    models: named === undefined || models.includes(named) ? models : [named, ...models],
    args,
    environment: terminal.environment,
  }
}

function notListedError(model: string, models: readonly string[]): MinutebookError {
  return new MinutebookError(
    'unknown_model',
    `The gateway has no model ${printableLine(model)}.`,
    `Name one that it has: --model ${firstOf(models)}`,
  )
}

/** The models of the gateway. An upstream that does not list them is enough if one is named, or the agent has its own. */
async function listed(
  terminal: Terminal,
  gateway: Parameters<typeof modelsOf>[0],
  agent: Agent,
  named: string | undefined,
): Promise<readonly string[]> {
  try {
    const models = await modelsFor(terminal, gateway, agent)
    // Without names that could control the terminal.
    return models.filter((name) => printableLine(name) === name)
  } catch (error) {
    const isEnough = named !== undefined || agent.hasOwnModel !== undefined
    if (MinutebookError.isInstance(error) && error.code === 'models_unlisted' && isEnough) return []
    throw error
  }
}

async function modelsFor(
  terminal: Terminal,
  gateway: Parameters<typeof modelsOf>[0],
  { upstreamPath }: Agent,
): Promise<readonly string[]> {
  try {
    return (await modelsOf(gateway, terminal)).models
  } catch (error) {
    const isAnthropic = upstreamPath === '/v1/messages'
    if (isAnthropic && Object(error).code === 'no_upstream') return anthropicModelsOf(gateway, terminal)
    throw error
  }
}

/** Whether a gateway asks for a key. */
export async function needsKey(url: string): Promise<boolean> {
  const response = await fetch(`${url}/v1/models`, { redirect: 'error' }).catch(() => undefined)
  if (response?.status !== 401) return false
  const { error } = (await response.json().catch(() => ({}))) as { readonly error?: { readonly code?: unknown } }
  return error?.code === 'unauthorized'
}
