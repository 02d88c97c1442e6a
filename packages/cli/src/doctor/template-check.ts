import type { ModelConfig, Upstream } from '@minutebook/server'
import { probeProfile, type Profile } from 'minutebook'
import { askUpstream, type UpstreamLook } from './upstream-look.ts'
import { ok, warn, type Check } from './check.ts'

type Render = Parameters<typeof probeProfile>[0]
type Messages = Parameters<Render>[0]
/** Renders with the upstream's template. Null: the template refuses. Undefined: the upstream cannot render. */
type RemoteRender = (messages: Messages) => Promise<string | null | undefined>

/** What a model's template requires, if the upstream can render it, and whether the configuration says so. */
export async function templateCheck(
  upstream: Upstream,
  { kind }: UpstreamLook,
  model: string,
  { profile = {} }: ModelConfig,
): Promise<Check> {
  const asks = kind === 'Ollama' ? byOllama(upstream, model) : kind === 'llama.cpp' ? byLlama(upstream) : undefined
  const found = asks && (await probed(asks))
  if (!found) return ok('template', `${model}: cannot be tested here; the upstream will report what it refuses`)
  const { normalized: _, argumentsAs: _as, ...demands } = found
  const missing = Object.entries(demands).filter(([name, value]) => profile[name as keyof Profile] !== value)
  const names = Object.keys(demands)
  const says = `${model}: ${names.length === 0 ? 'requires nothing' : `requires ${names.join(', ')}`}`
  if (missing.length === 0) return ok('template', says)
  const lines = missing.map(([name, value]) => `${name}: ${String(value)}`).join(', ')
  return warn(
    'template',
    says,
    `Write into minutebook.yaml, so that prompts of the gateway are not refused: models.${model}.profile: { ${lines} }`,
  )
}

/**
 * Probes a template that only the upstream can render. The probes run again and again, each time with more known
 * renderings, until none is missing.
 */
export async function probed(ask: RemoteRender): Promise<Profile | undefined> {
  const known = new Map<string, string | null>()
  for (let round = 0; round < mostRounds; round++) {
    const missing: Messages[] = []
    const profile = attempt((messages) => {
      const text = known.get(JSON.stringify(messages))
      if (text === undefined) missing.push(messages)
      if (typeof text !== 'string') throw new Error('refused')
      return text
    })
    if (missing.length === 0) return profile
    for (const messages of missing) {
      const text = await ask(messages)
      if (text === undefined) return undefined
      known.set(JSON.stringify(messages), text)
    }
  }
  return undefined
}

const mostRounds = 40
const patience = 60_000

/** Undefined if not even a plain chat can be rendered. */
function attempt(render: Render): Profile | undefined {
  try {
    return probeProfile(render)
  } catch {
    return undefined
  }
}

function byOllama(upstream: Upstream, model: string): RemoteRender {
  return async (messages) => {
    // A version that does not support `_debug_render_only` generates an answer instead, so limit it to one token.
    const body = {
      model,
      messages: messages.map(asOllama),
      stream: false,
      _debug_render_only: true,
      options: { num_predict: 1 },
    }
    const { ok: isOk, status, json } = await askUpstream(upstream, '/api/chat', patience, body)
    if (!isOk) return status !== undefined && status !== 404 ? null : undefined
    const { _debug_info: info } = json as { readonly _debug_info?: { readonly rendered_template?: unknown } }
    return typeof info?.rendered_template === 'string' ? info.rendered_template : undefined
  }
}

function byLlama(upstream: Upstream): RemoteRender {
  return async (messages) => {
    const { ok: isOk, status, json } = await askUpstream(upstream, '/apply-template', patience, { messages })
    if (!isOk) return status !== undefined && status !== 404 ? null : undefined
    const { prompt } = json as { readonly prompt?: unknown }
    return typeof prompt === 'string' ? prompt : undefined
  }
}

/** Ollama accepts the arguments of a call only as an object. */
function asOllama(message: Messages[number]): object {
  const { tool_calls: calls, ...rest } = message
  if (!calls) return rest
  return {
    ...rest,
    tool_calls: calls.map(({ function: { name, arguments: given } }) => ({
      function: { name, arguments: typeof given === 'string' ? (JSON.parse(given) as object) : given },
    })),
  }
}
