import { MinutebookError } from 'minutebook'
import { isSameModel } from 'minutebook/wire'
import { fieldsOf } from '../fields.ts'
import type { ProtocolName } from '../protocol-name.ts'
import type { Services } from '../services.ts'
import type { Upstream, Upstreams } from '../upstream.ts'
import { askJson } from '../window/ask.ts'
import { createCache, type Cache } from '../window/cache.ts'

/** A model, and where and how it is asked. */
export interface ChosenModel {
  readonly model: string
  readonly upstream: Upstream
  readonly protocol: ProtocolName
}

/**
 * The model of a turn: the one that is named, else the default of the settings, else the only one that the upstreams
 * have. Throws `no_model` where there is none, and `unknown_model` where no upstream has it.
 */
export async function chosenModel(
  { config, upstreams, caller }: Pick<Services, 'config' | 'upstreams' | 'caller'>,
  named: string | undefined,
): Promise<ChosenModel> {
  const model = named ?? config.defaultModel ?? (await onlyModel({ upstreams, caller }))
  if (model === undefined)
    throw new MinutebookError(
      'no_model',
      'Nobody said which model is to answer.',
      'Name one in the setup of the thread or with the turn, or set defaultModel.',
    )
  const upstream =
    upstreams.all.find(({ models }) => models?.some((name) => isSameModel(name, model))) ??
    upstreams.all.find(({ models }) => models === undefined)
  if (!upstream)
    throw new MinutebookError(
      'unknown_model',
      'No upstream has this model.',
      'Name one that an upstream lists, or add it to the models of an upstream.',
      { model },
    )
  return { model, upstream, protocol: upstream.protocol ?? 'ollama' }
}

/** What the settings list, or where they list nothing what the upstreams say. */
function onlyModel(services: Pick<Services, 'upstreams' | 'caller'>): Promise<string | undefined> {
  const known = lists.get(services.upstreams) ?? createCache<string>(Date.now, () => listLife)
  lists.set(services.upstreams, known)
  return known.get('', () => askedModel(services))
}

async function askedModel({ upstreams, caller }: Pick<Services, 'upstreams' | 'caller'>): Promise<string | undefined> {
  const listed = await Promise.all(
    upstreams.all.map(async (upstream) => upstream.models ?? namesIn(await askJson(caller, upstream, '/v1/models'))),
  )
  const names = new Set(listed.flat())
  return names.size === 1 ? [...names][0] : undefined
}

/** Milliseconds. */
const listLife = 10_000
const lists = new WeakMap<Upstreams, Cache<string>>()

function namesIn(answer: unknown): string[] {
  const { data } = fieldsOf(answer)
  return Array.isArray(data) ? data.map((one) => fieldsOf(one)['id']).filter((id) => typeof id === 'string') : []
}
