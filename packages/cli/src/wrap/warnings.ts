import { printableLine } from '@minutebook/server'
import { isSameModel } from 'minutebook/wire'
import { aboutServer } from '../connection/remote-archive.ts'
import type { Agent } from './agents.ts'

/** What an agent is about to use. */
export interface AgentPlan {
  readonly url: string
  /** The key of the gateway. Empty if it needs none. */
  readonly key: string
  /** The model that the user names. */
  readonly named: string | undefined
  /** The models that the gateway lists. Empty if it lists none. */
  readonly models: readonly string[]
}

/**
 * What an agent would stumble on, each with what to do about it. It may work all the same: a list of models need not be
 * complete, for example.
 */
export async function warningsFor(name: string, agent: Agent, plan: AgentPlan): Promise<string[]> {
  const { named, models } = plan
  const isListed =
    named === undefined ||
    models.length === 0 ||
    agent.hasOwnModel?.(named) === true ||
    models.some((model) => isSameModel(model, named))
  return [
    ...(isListed ? [] : [`The gateway lists no model ${printableLine(named)}. It lists: ${firstOf(models)}`]),
    ...(await unrecorded(name, agent, plan)),
    ...(await missingPath(name, agent, plan)),
  ]
}

/** The first names of a list, as text. */
export function firstOf(models: readonly string[]): string {
  const most = 5
  return `${models.slice(0, most).join(', ')}${models.length > most ? ', …' : ''}`
}

/** Asks the gateway what it records. A key that may not read that setting gets no warning. */
async function unrecorded(name: string, { asksNotToStore }: Agent, { url, key }: AgentPlan): Promise<string[]> {
  const { record } = (await aboutServer({ url, token: key }).catch(() => undefined)) ?? {}
  if (record === false)
    return [
      `The gateway will not record the chats of ${name}, because its setting record is false. To record them, start it with: MINUTEBOOK_RECORD=always minutebook serve`,
    ]
  return record === true && asksNotToStore === true
    ? [
        `The gateway will not record the chats of ${name}, which sends store: false. To record them, start it with: MINUTEBOOK_RECORD=always minutebook serve`,
      ]
    : []
}

/** Asks with a body that a server refuses before it calls a model, and that the gateway does not record. */
async function missingPath(
  name: string,
  { upstreamPath: path, hasOwnModel }: Agent,
  { url, key, named, models }: AgentPlan,
): Promise<string[]> {
  if (path === undefined) return []
  const model = named ?? models.find((each) => hasOwnModel?.(each)) ?? models[0] ?? 'unknown'
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'minutebook-bypass': 'yes' },
    body: JSON.stringify({ model, max_tokens: 0, messages: [{}] }),
  }).catch(() => undefined)
  if (!response || response.ok) return []
  const { type, error } = Object(await response.json().catch(() => undefined)) as {
    readonly type?: unknown
    readonly error?: { readonly code?: unknown; readonly message?: unknown }
  }
  if (type !== 'error' && unserved.has(response.status))
    return [
      `The upstream does not serve ${path}, which ${name} needs (status ${response.status}). Use one that does, such as a new version of Ollama, llama.cpp, vLLM or LM Studio, or use another agent.`,
    ]
  // An upstream that serves the path may say with the same status that it does not know the model.
  return unspoken.has(error?.code)
    ? [`The gateway has no upstream for ${name}: ${printableLine(String(error?.message))}`]
    : []
}

/** Not found, method not allowed, not implemented. */
const unserved: ReadonlySet<number> = new Set([404, 405, 501])

/** The codes with which the gateway says that no upstream takes the request. */
const unspoken: ReadonlySet<unknown> = new Set(['no_upstream', 'model_not_found'])
