import { calibrated, type Store, type TokenCounter, type UsageSample } from 'minutebook'
import type { Config } from './config.ts'
import { loadCounter } from './counter.ts'

/** The counters of models, each scaled to what the upstream reports for that model. */
export interface Calibrations {
  /** Rejects where the counter that the settings name cannot be loaded. */
  counter(model: string): Promise<TokenCounter>
  /** One call of the model: what the uncalibrated counter predicted, and what was reported for the whole prompt. */
  learn(model: string, sample: UsageSample): Promise<void>
}

/** What is known of one model. */
interface Known {
  readonly base: TokenCounter
  counter: TokenCounter
  samples: readonly UsageSample[]
  /** How many there were, ever. */
  seen: number
  /** At how many the counter is calibrated again. */
  next: number
}

/**
 * A new factor ends the epochs of all threads that use it, so there are few: one when the first twenty calls are known,
 * then at twice as many each time, and at once where a prompt was larger than was thought. What was learnt is kept in the
 * store, for the next start and for other instances.
 */
export function createCalibrations(models: Config['models'], store: Pick<Store, 'records'>): Calibrations {
  const known = new Map<string, Promise<Known>>()
  const knownOf = (model: string): Promise<Known> => {
    const found = known.get(model) ?? load(model)
    known.set(model, found)
    found.catch(() => known.delete(model))
    return found
  }
  const load = async (model: string): Promise<Known> => {
    const base = await loadCounter(models[model]?.counter)
    // What cannot be read is learnt again.
    const kept = await store.records.find({ name: recordName, key: model, thread: null }).catch(() => [])
    const { samples, seen } = learntFrom(kept[0]?.value)
    const counter = seen < enough || isExact(base, samples) ? base : calibrated(base, samples)
    return { base, samples, seen, counter, next: nextAfter(seen) }
  }
  return {
    counter: async (model) => (await knownOf(model)).counter,
    learn: async (model, sample) => {
      const at = await knownOf(model)
      at.samples = [...at.samples, sample].slice(-most)
      at.seen++
      const isShort = sample.reported > scaledBy(at.counter, sample.predicted)
      if (at.seen < at.next && !isShort) return
      if (!isExact(at.base, at.samples)) at.counter = calibrated(at.base, at.samples)
      at.next = nextAfter(at.seen)
      await store.records.put(null, [{ name: recordName, key: model, value: { samples: at.samples, seen: at.seen } }]).catch(() => undefined)
    },
  }
}

const recordName = 'usage'
const enough = 20
/** As many as a calibration looks at. */
const most = 32

function nextAfter(seen: number): number {
  let next = enough
  while (next <= seen) next *= 2
  return next
}

/** Whether a counter counts as the model does, but for its template: it says so itself, and no report contradicts it. */
function isExact({ margin }: TokenCounter, samples: readonly UsageSample[]): boolean {
  return margin !== undefined && samples.every(({ predicted, reported }) => reported <= predicted * tolerated + 64)
}

const tolerated = 1.25

function scaledBy({ scales }: TokenCounter, count: number): number {
  return count * (scales?.factor ?? 1)
}

function learntFrom(value: unknown): Pick<Known, 'samples' | 'seen'> {
  const { samples, seen } = Object(value) as { samples?: unknown; seen?: unknown }
  return Array.isArray(samples) && typeof seen === 'number' ? { samples: samples as UsageSample[], seen } : { samples: [], seen: 0 }
}
