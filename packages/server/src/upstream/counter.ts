import { LRUCache } from 'lru-cache'
import { calibrated, estimator, MinutebookError, type Store, type TokenCounter, type UsageSample } from 'minutebook'
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Config } from '../config/config.ts'

/**
 * The counter that a model's settings name: `estimate`, `o200k` or the path of a tokenizer.json. The caller keeps it,
 * so it is loaded once. Throws if a package or the file is missing, and says what to do.
 *
 * @example
 * const counter = await loadCounter(config.models['gpt-oss:20b']?.counter)
 */
export async function loadCounter(setting = 'estimate'): Promise<TokenCounter> {
  if (setting === 'estimate') return estimator
  try {
    return (await loaders.get(setting)?.()) ?? (await fromFile(setting))
  } catch (error) {
    const [why, fix] = reason(error)
    const counter = basename(setting)
    throw new MinutebookError('no_counter', `The counter ${counter} cannot be loaded: ${why}.`, fix, { counter })
  }
}

const loaders: ReadonlyMap<string, () => Promise<TokenCounter>> = new Map([
  ['o200k', async () => (await import('minutebook/gpt-tokenizer')).gptTokenizer()],
])

async function fromFile(path: string): Promise<TokenCounter> {
  const json: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (typeof json !== 'object' || json === null) throw new SyntaxError()
  const { huggingFaceTokenizer } = await import('minutebook/huggingface')
  return huggingFaceTokenizer(json, { name: basename(dirname(path)) || 'huggingface' })
}

function reason(error: unknown): [why: string, fix: string] {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ERR_MODULE_NOT_FOUND')
    return [
      'its package is not installed',
      'Install gpt-tokenizer@4 (o200k) or @huggingface/tokenizers (a tokenizer.json) next to Minutebook.',
    ]
  const fix = 'Correct counter in the settings of the model.'
  return [code === 'ENOENT' ? 'there is no such file' : 'it is not a tokenizer.json', fix]
}

/** The caller of a model: what one tenant learns, another never sees. */
export interface CalibrationPlace {
  readonly tenant: string
  /** The name of the key; '' for turns that the server runs. */
  readonly owner: string
  readonly model: string
}

/** The counters of models, each scaled to what the upstream reports for that model. */
export interface Calibrations {
  /** Rejects if the counter that the settings name cannot be loaded. */
  counter(place: CalibrationPlace): Promise<TokenCounter>
  /** One call of the model: what the uncalibrated counter predicted, and what was reported for the whole prompt. */
  learn(place: CalibrationPlace, sample: UsageSample): Promise<void>
}

/** What is known of one model in one tenant. */
interface Known {
  readonly base: TokenCounter
  /** By the name of the key. */
  readonly owners: Map<string, Learnt>
}

/** What one key has learnt. */
interface Learnt {
  counter: TokenCounter
  samples: readonly UsageSample[]
  /** How many there were, ever. */
  seen: number
  /** The number of samples at which the counter is calibrated again. */
  next: number
}

/**
 * A new factor ends the epochs of all threads that use it, so there are few: one when the first twenty calls are known,
 * then at twice as many each time, and at once if a prompt was larger than expected. What was learnt is kept in the
 * store of the tenant, for the next start and for other instances.
 *
 * Each key has a counter of its own. What other keys of the tenant learnt counts too, except for what is far above the
 * rest: a key that sends odd prompts does not change how prompts of others are counted.
 */
export function createCalibrations(
  models: Config['models'],
  storeOf: (tenant: string) => Pick<Store, 'records'>,
): Calibrations {
  const known = new LRUCache<string, Known>({ max: mostModels })
  /** What was read of models that report nothing, or have not yet. Names that come with requests push out only these. */
  const readLately = new LRUCache<string, Known>({ max: mostModels, ttl: asksAgain })
  const bases = new Map<string | undefined, Promise<TokenCounter>>()
  const baseOf = (model: string): Promise<TokenCounter> => {
    const setting = Object.hasOwn(models, model) ? models[model]?.counter : undefined
    const base = bases.get(setting) ?? loadCounter(setting)
    bases.set(setting, base)
    base.catch(() => bases.delete(setting))
    return base
  }
  const knownOf = async ({ tenant, model }: CalibrationPlace): Promise<Known> => {
    const name = JSON.stringify([tenant, model])
    const found = known.peek(name) ?? readLately.get(name)
    if (found) return found
    const base = await baseOf(model)
    // What cannot be read is learnt again.
    const [kept] = await storeOf(tenant)
      .records.find({ name: recordName, key: model, thread: null })
      .catch(() => [])
    // Another caller may have asked for it meanwhile.
    const read = known.peek(name) ?? readLately.get(name) ?? { base, owners: ownersFrom(kept?.value, base) }
    readLately.set(name, read)
    return read
  }
  /** Only models for which an upstream has answered: names that come with requests take no room. */
  const keep = ({ tenant, model }: CalibrationPlace, at: Known): void => {
    known.set(JSON.stringify([tenant, model]), at)
  }
  return {
    counter: async (place) => {
      const at = await knownOf(place)
      return at.owners.get(place.owner)?.counter ?? counterFor(at, place.owner)
    },
    learn: async (place, sample) => {
      const at = await knownOf(place)
      keep(place, at)
      const { owner, tenant, model } = place
      const own: Learnt = at.owners.get(owner) ?? { counter: counterFor(at, owner), samples: [], seen: 0, next: enough }
      at.owners.delete(owner)
      at.owners.set(owner, own)
      for (const oldest of at.owners.keys()) if (at.owners.size > mostOwners) at.owners.delete(oldest)
      own.samples = [...own.samples, sample].slice(-mostSamples)
      own.seen++
      const isShort = sample.reported > scaledBy(own.counter, sample.predicted)
      if (own.seen < own.next && !isShort) return
      own.counter = calibratedBy(at.base, [...foreign(at, owner), ...own.samples])
      own.next = nextAfter(own.seen)
      const value = Object.fromEntries([...at.owners].map(([name, { samples, seen }]) => [name, { samples, seen }]))
      await storeOf(tenant)
        .records.put(null, [{ name: recordName, key: model, value }])
        .catch(() => undefined)
    },
  }
}

const recordName = 'usage'
const enough = 20
/** As many as a calibration looks at. */
const mostSamples = 32
/** For one model in one tenant, those that learnt last. */
const mostOwners = 16
/** Of all tenants, those that learnt last. */
const mostModels = 256
/** Milliseconds after which the store is read again: another instance may have learnt more. */
const asksAgain = 30_000
/** Of each other key. */
const mostForeign = 8

/** The counter of a key that has learnt nothing yet. */
function counterFor(at: Known, owner: string): TokenCounter {
  const samples = foreign(at, owner)
  return samples.length < enough ? at.base : calibratedBy(at.base, samples)
}

/** What other keys learnt, without values far above the median. */
function foreign({ owners }: Known, owner: string): readonly UsageSample[] {
  const samples = [...owners].flatMap(([name, { samples: learnt }]) =>
    name === owner ? [] : learnt.slice(-mostForeign),
  )
  const ratios = samples.map(({ predicted, reported }) => reported / predicted).toSorted((one, other) => one - other)
  const middle = ratios[Math.floor((ratios.length - 1) / 2)] ?? 0
  return samples.filter(({ predicted, reported }) => reported <= predicted * middle * tolerated)
}

function calibratedBy(base: TokenCounter, samples: readonly UsageSample[]): TokenCounter {
  return isExact(base, samples) ? base : calibrated(base, samples)
}

function nextAfter(seen: number): number {
  let next = enough
  while (next <= seen) next *= 2
  return next
}

/**
 * Whether a counter counts as the model does, except for its template: it says so itself, and no report contradicts it.
 */
function isExact({ margin }: TokenCounter, samples: readonly UsageSample[]): boolean {
  return margin !== undefined && samples.every(({ predicted, reported }) => reported <= predicted * tolerated + 64)
}

const tolerated = 1.25

function scaledBy({ scales }: TokenCounter, count: number): number {
  return count * (scales?.factor ?? 1)
}

function ownersFrom(value: unknown, base: TokenCounter): Map<string, Learnt> {
  if (typeof value !== 'object' || value === null) return new Map()
  return new Map(
    Object.entries(value)
      .slice(-mostOwners)
      .flatMap(([owner, learnt]): [string, Learnt][] => {
        const { samples, seen } = Object(learnt) as { samples?: unknown; seen?: unknown }
        if (!Array.isArray(samples) || typeof seen !== 'number') return []
        const own = samples as readonly UsageSample[]
        return [
          [
            owner,
            { samples: own, seen, next: nextAfter(seen), counter: seen < enough ? base : calibratedBy(base, own) },
          ],
        ]
      }),
  )
}
