import { isSameModel } from 'minutebook/wire'
import { fieldsOf } from '../fields.ts'
import type { Services } from '../services.ts'
import type { UpstreamCaller } from '../upstream-call.ts'
import { askJson } from '../window/ask.ts'
import { createCache, type Cache } from '../window/cache.ts'
import type { ChosenModel } from './chosen-model.ts'

/** Which weights a model's name stands for now, where its upstream tells: an Ollama server does. */
export function modelDigest(
  { caller }: Pick<Services, 'caller'>,
  { upstream, model, protocol }: ChosenModel,
): Promise<string | undefined> {
  if (protocol !== 'ollama') return Promise.resolve(undefined)
  const known =
    caches.get(caller) ?? createCache<string>(Date.now, (digest) => (digest === undefined ? lives.untold : lives.told))
  caches.set(caller, known)
  return known.get(`${upstream.url} ${model}`, async () =>
    digestIn(await askJson(caller, upstream, '/api/tags'), model),
  )
}

/** Milliseconds. */
const lives = { told: 30_000, untold: 5000 }
const caches = new WeakMap<UpstreamCaller, Cache<string>>()

function digestIn(answer: unknown, model: string): string | undefined {
  const { models } = fieldsOf(answer)
  if (!Array.isArray(models)) return undefined
  const found = models
    .map((one) => fieldsOf(one))
    .find(({ name, model: other }) =>
      [name, other].some((each) => typeof each === 'string' && isSameModel(each, model)),
    )
  return typeof found?.['digest'] === 'string' ? found['digest'] : undefined
}
