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
  /** The name of the key; '' without keys. */
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

/** What one key has learnt of one model. */
interface Learnt {
  readonly base: TokenCounter
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
 * store of the tenant, for the next start and for other instances: of each key the models that were kept last.
 *
 * Each key has a counter of its own: what one key sends does not change how prompts of others are counted.
 */
export function createCalibrations(
  models: Config['models'],
  storeOf: (tenant: string) => Pick<Store, 'records'>,
): Calibrations {
  const known = new LRUCache<string, Learnt>({ max: mostPlaces })
  /** What was read of models that report nothing, or have not yet. Names that come with requests push out only these. */
  const readLately = new LRUCache<string, Learnt>({ max: mostPlaces, ttl: asksAgain })
  const bases = new Map<string | undefined, Promise<TokenCounter>>()
  const baseOf = (model: string): Promise<TokenCounter> => {
    const setting = Object.hasOwn(models, model) ? models[model]?.counter : undefined
    const base = bases.get(setting) ?? loadCounter(setting)
    bases.set(setting, base)
    base.catch(() => bases.delete(setting))
    return base
  }
  const learntOf = async (place: CalibrationPlace): Promise<Learnt> => {
    const name = nameOf(place)
    const found = known.get(name) ?? readLately.get(name)
    if (found) return found
    const base = await baseOf(place.model)
    // What cannot be read is learnt again.
    const [kept] = await storeOf(place.tenant)
      .records.find({ name: recordName(place), key: place.model, thread: null })
      .catch(() => [])
    // Another caller may have asked for it meanwhile.
    const read = known.get(name) ?? readLately.get(name) ?? learntFrom(kept?.value, base)
    readLately.set(name, read)
    return read
  }
  return {
    counter: async (place) => (await learntOf(place)).counter,
    learn: async (place, sample) => {
      const own = await learntOf(place)
      // Only models for which an upstream has answered: names that come with requests take no room.
      known.set(nameOf(place), own)
      own.samples = [...own.samples, sample].slice(-mostSamples)
      own.seen++
      const isShort = sample.reported > scaledBy(own.counter, sample.predicted)
      if (own.seen < own.next && !isShort) return
      own.counter = calibratedBy(own.base, own.samples)
      own.next = nextAfter(own.seen)
      const value = { samples: own.samples, seen: own.seen }
      await keep(storeOf(place.tenant), place, value).catch(() => undefined)
    },
  }
}

/** Keeps what one key has learnt of a model. If the key has too many records, the oldest are removed. */
async function keep({ records }: Pick<Store, 'records'>, place: CalibrationPlace, value: unknown): Promise<void> {
  const name = recordName(place)
  await records.put(null, [{ name, key: place.model, value }])
  const kept = await records.find({ name, thread: null })
  for (const { key } of kept.slice(mostKept)) await records.remove(null, name, key)
}

/** Each key has records of its own, so that they can be counted. */
function recordName({ owner }: CalibrationPlace): string {
  return `usage ${owner}`
}

const enough = 20
/** As many as a calibration looks at. */
const mostSamples = 32
/** Of all keys and models, those that were used last. */
const mostPlaces = 2048
/** How many models of a key are kept in the store. */
const mostKept = 64
/** Milliseconds after which the store is read again: another instance may have learnt more. */
const asksAgain = 30_000

function nameOf({ tenant, owner, model }: CalibrationPlace): string {
  return JSON.stringify([tenant, owner, model])
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

function learntFrom(value: unknown, base: TokenCounter): Learnt {
  const { samples, seen } = Object(value) as { samples?: unknown; seen?: unknown }
  if (!Array.isArray(samples) || typeof seen !== 'number')
    return { base, counter: base, samples: [], seen: 0, next: enough }
  const own = samples as readonly UsageSample[]
  return { base, counter: seen < enough ? base : calibratedBy(base, own), samples: own, seen, next: nextAfter(seen) }
}
