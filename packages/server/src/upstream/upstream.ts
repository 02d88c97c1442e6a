import { isSameModel } from 'minutebook/wire'
import type { UpstreamConfig } from '../config/config.ts'
import type { ProtocolName } from '../config/settings.ts'
import type { Refusal } from '../http/reply.ts'

/** A server that has models. */
export interface Upstream extends UpstreamConfig {
  /** Scheme, host and port. */
  readonly origin: string
  /** The part of its paths before `/api/` and `/v1/`; mostly ''. */
  readonly base: string
}

/** Which upstream gets a request. */
export interface Upstreams {
  readonly all: readonly Upstream[]
  /**
   * The first that speaks the protocol and lists the model, else the first that has no list and so takes any model.
   * Without a model: the first that speaks the protocol.
   */
  choose(protocol: ProtocolName, model?: string): Upstream | undefined
  /** Whether more than one speaks the protocol, so that the model must be known. */
  areSeveral(protocol: ProtocolName): boolean
  /** The refusal if no upstream fits. */
  missing(protocol: ProtocolName, model?: string): Refusal
}

/**
 * @example
 * const upstream = upstreamsOf(config.upstreams).choose('ollama', 'gemma3:4b')
 */
export function upstreamsOf(configured: readonly UpstreamConfig[]): Upstreams {
  const all = configured.map(upstreamOf)
  const speaking = (protocol: ProtocolName): Upstream[] =>
    all.filter((upstream) => upstream.protocol === undefined || upstream.protocol === protocol)
  return {
    all,
    choose: (protocol, model) => {
      const candidates = speaking(protocol)
      if (model === undefined) return candidates[0]
      return (
        candidates.find(({ models }) => models?.some((name) => isSameModel(name, model))) ??
        candidates.find(({ models }) => models === undefined)
      )
    },
    areSeveral: (protocol) => speaking(protocol).length > 1,
    missing: (protocol, model) =>
      missing(
        protocol,
        model,
        speaking(protocol).flatMap(({ models = [] }) => models),
      ),
  }
}

function upstreamOf(configured: UpstreamConfig): Upstream {
  const { origin, pathname } = new URL(configured.url)
  const path = withoutSlashes(pathname)
  // Clients of OpenAI's protocol often use an address with this ending, which the paths of requests already contain.
  const base = path.endsWith('/v1') ? withoutSlashes(path.slice(0, -'/v1'.length)) : path
  return { ...configured, origin, base }
}

function withoutSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

function missing(protocol: ProtocolName, model: string | undefined, models: readonly string[]): Refusal {
  if (model === undefined || models.length === 0)
    return {
      // For a chat not 404: then Claude Code says that there is no such model, and hides the message.
      status: model === undefined ? 404 : 400,
      code: 'no_upstream',
      problem: 'No upstream speaks this protocol.',
      fix: `Add an upstream with protocol: ${protocol} to upstreams, or leave out the protocol of one that speaks several.`,
    }
  return {
    status: 404,
    code: 'model_not_found',
    problem: `model '${model}' not found. The upstreams list: ${[...new Set(models)].join(', ')}.`,
    fix: 'Use one of these, or add the model to the models of an upstream.',
  }
}
