import { isSameModel, type Upstream } from '../upstream.ts'
import type { UpstreamCaller } from '../upstream-call.ts'
import { askJson } from './ask.ts'
import { createCache } from './cache.ts'

/** What an upstream says about the window of a model. */
export interface Found {
  /** Of the model as it is loaded now. */
  readonly loaded?: number | undefined
  /** Set in the model file. */
  readonly file?: number | undefined
  /** What the model was made for: never more. */
  readonly limit?: number | undefined
  /** Of a llama.cpp server. */
  readonly props?: number | undefined
}

export interface Probe {
  /** `limitOnly`: the window itself is known. */
  find(upstream: Upstream, model: string, limitOnly: boolean): Promise<Found>
}

/** A loaded model may be loaded anew in another size at any time; a model file changes rarely. */
const lives = { loaded: 5_000, absent: 1_000, file: 60_000, failed: 10_000 }

export function createProbe(caller: UpstreamCaller, now: () => number): Probe {
  const loaded = createCache<number>(now, (tokens) => (tokens === undefined ? lives.absent : lives.loaded))
  const shown = createCache<Found>(now, (found) => (found === undefined ? lives.failed : lives.file))
  const props = createCache<number>(now, (tokens) => (tokens === undefined ? lives.failed : lives.file))
  return {
    find: async (upstream, model, limitOnly) => {
      const speaksOllama = upstream.protocol !== 'openai'
      const name = `${upstream.url} ${model}`
      const [now, file] = speaksOllama
        ? await Promise.all([
          limitOnly ? undefined : loaded.get(name, async () => loadedIn(await askJson(caller, upstream, '/api/ps'), model)),
          shown.get(name, async () => fileOf(await askJson(caller, upstream, '/api/show', { model }))),
        ])
        : []
      if (limitOnly || now !== undefined || file !== undefined) return { loaded: now, ...file }
      return { props: await props.get(upstream.url, async () => propsOf(await askJson(caller, upstream, '/props'))) }
    },
  }
}

export function loadedIn(answer: unknown, model: string): number | undefined {
  const models = field(answer, 'models')
  if (!Array.isArray(models)) return undefined
  const found: unknown = models.find((one) => [field(one, 'name'), field(one, 'model')].some((name) => typeof name === 'string' && isSameModel(name, model)))
  return size(field(found, 'context_length'))
}

/** Undefined where the upstream does not know the question. */
export function fileOf(answer: unknown): Found | undefined {
  const info = field(answer, 'model_info')
  const parameters = field(answer, 'parameters')
  if (info === undefined && parameters === undefined) return undefined
  const architecture = field(info, 'general.architecture')
  return { file: numCtxIn(parameters), limit: typeof architecture === 'string' ? size(field(info, `${architecture}.context_length`)) : undefined }
}

/** One parameter a line: its name, blanks, its value. */
function numCtxIn(parameters: unknown): number | undefined {
  if (typeof parameters !== 'string') return undefined
  for (const line of parameters.split('\n')) {
    const [name, value] = line.trim().split(/\s+/)
    if (name === 'num_ctx') return size(Number(value))
  }
  return undefined
}

export function propsOf(answer: unknown): number | undefined {
  return size(field(field(answer, 'default_generation_settings'), 'n_ctx')) ?? size(field(answer, 'n_ctx'))
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

function size(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
