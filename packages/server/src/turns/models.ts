import { MinutebookError } from 'minutebook'
import { isSameModel } from 'minutebook/wire'
import type { ProtocolName } from '../config/settings.ts'
import { asObject } from '../http/json.ts'
import type { Services } from '../services.ts'
import { askJson, createCache, type Cache } from '../upstream/ask.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** A model, and where and how it is called. */
export interface ChosenModel {
  readonly model: string
  readonly upstream: Upstream
  readonly protocol: ProtocolName
}

/**
 * The model of a turn: the named one, else the default of the settings, else the only one that the upstreams have.
 * Throws `no_model` if none of these names one, and `unknown_model` if no upstream has it.
 */
export async function chooseModel(
  services: Pick<Services, 'config' | 'upstreams' | 'upstreamClient' | 'modelLists' | 'protocols'>,
  named: string | undefined,
): Promise<ChosenModel> {
  const { config, upstreams } = services
  const model = named ?? config.defaultModel ?? (await onlyModel(services))
  if (model === undefined)
    throw new MinutebookError(
      'no_model',
      'No model is specified.',
      'Name a model in the setup of the thread or with the turn, or set defaultModel.',
    )
  const upstream =
    upstreams.all.find(({ models }) => models?.some((name) => isSameModel(name, model))) ??
    upstreams.all.find(({ models }) => models === undefined)
  if (!upstream)
    throw new MinutebookError(
      'unknown_model',
      'No upstream has this model.',
      'Name a model that an upstream lists, or add this one to the models of an upstream.',
      { model },
    )
  return { model, upstream, protocol: upstream.protocol ?? (await spokenProtocol(services, upstream)) }
}

/**
 * The protocol in which an upstream without a setting is asked: Ollama's if it is an Ollama server, else OpenAI's if it
 * lists models. A server that does not answer now is asked in Ollama's, and then says what is wrong.
 */
async function spokenProtocol(
  { upstreamClient, protocols }: Pick<Services, 'upstreamClient' | 'protocols'>,
  upstream: Upstream,
): Promise<ProtocolName> {
  const found = await protocols.get(upstream.url, async () => {
    const { version } = asObject(await askJson(upstreamClient, upstream, '/api/version'))
    if (typeof version === 'string') return 'ollama'
    const { data } = asObject(await askJson(upstreamClient, upstream, '/v1/models'))
    return Array.isArray(data) ? 'openai' : undefined
  })
  return found ?? 'ollama'
}

export function createProtocols(): Cache<ProtocolName> {
  return createCache(Date.now, (protocol) => (protocol === undefined ? lives.untold : lives.told))
}

async function onlyModel(services: ModelSources): Promise<string | undefined> {
  const names = await listModels(services)
  return names.length === 1 ? names[0] : undefined
}

type ModelSources = Pick<Services, 'upstreams' | 'upstreamClient' | 'modelLists'>

/**
 * The names of the models that can be asked, in order. What the settings list for an upstream; if they list nothing,
 * what the upstream reports. An upstream that does not answer in time adds none.
 */
export async function listModels({ upstreams, upstreamClient, modelLists }: ModelSources): Promise<readonly string[]> {
  const listed = await modelLists.get('', async () => {
    const lists = await Promise.all(
      upstreams.all.map(
        async (upstream) => upstream.models ?? namesIn(await askJson(upstreamClient, upstream, '/v1/models')),
      ),
    )
    return [...new Set(lists.flat())].toSorted().slice(0, mostModels)
  })
  return listed ?? []
}

export function createModelLists(): Cache<readonly string[]> {
  return createCache(Date.now, () => listLife)
}

const mostModels = 2000
/** Milliseconds. */
const listLife = 10_000

function namesIn(answer: unknown): string[] {
  const { data } = asObject(answer)
  if (!Array.isArray(data)) return []
  return data
    .map((one) => asObject(one)['id'])
    .filter((id) => typeof id === 'string')
    .filter((id) => id !== '' && id.length <= longestName)
}

/** Of a model that a setup can name. */
const longestName = 200

/** Which weights a model's name means now, if its upstream says so: an Ollama server does. */
export function modelDigest(
  { upstreamClient, modelDigests }: Pick<Services, 'upstreamClient' | 'modelDigests'>,
  { upstream, model, protocol }: ChosenModel,
): Promise<string | undefined> {
  if (protocol !== 'ollama') return Promise.resolve(undefined)
  return modelDigests.get(`${upstream.url} ${model}`, async () =>
    digestIn(await askJson(upstreamClient, upstream, '/api/tags'), model),
  )
}

export function createModelDigests(): Cache<string> {
  return createCache(Date.now, (digest) => (digest === undefined ? lives.untold : lives.told))
}

/** Milliseconds. */
const lives = { told: 30_000, untold: 5000 }

function digestIn(answer: unknown, model: string): string | undefined {
  const { models } = asObject(answer)
  if (!Array.isArray(models)) return undefined
  const found = models
    .map((one) => asObject(one))
    .find(({ name, model: other }) =>
      [name, other].some((each) => typeof each === 'string' && isSameModel(each, model)),
    )
  return typeof found?.['digest'] === 'string' ? found['digest'] : undefined
}
