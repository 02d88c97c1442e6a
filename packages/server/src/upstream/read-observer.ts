import type { ReadObserver, WindowSource } from 'minutebook/wire'
import type { Metrics } from '../telemetry/metrics.ts'
import type { EvidenceTrust, ReadCurves } from '../truncation/truncation.ts'
import type { Calibrations } from './counter.ts'
import { toldWindow, type Window, type WindowQuestion } from './window.ts'

/** Whose call it is, and of which server. */
export interface ReadingPlace extends Pick<WindowQuestion, 'tenant' | 'owner' | 'upstream' | 'model' | 'protocol'> {
  readonly thread: string
  readonly window: Window
  /** Whether the key may instruct models. Default: true. */
  readonly instructs?: boolean | undefined
}

/** The services that learn from a call. */
export interface ReadingServices {
  readonly readings: ReadCurves
  readonly calibrations: Calibrations
  readonly metrics: Metrics
  /** Whether keys are in use. */
  readonly hasKeys: () => boolean
}

/**
 * Adds calls to the curve of their key, upstream and model, counts what it shows, and lets the calibration of the key
 * learn from counts that cannot come from cut prompts.
 */
export function readObserver(
  { readings, calibrations, metrics, hasKeys }: ReadingServices,
  { tenant, owner, thread, upstream, model, protocol, window, instructs = true }: ReadingPlace,
): ReadObserver {
  const { window: size, source } = toldWindow(window)
  const told = source === 'assumed' ? undefined : size
  return (call) => {
    const reading = readings.note(
      { tenant, owner, upstream: upstream.url, model },
      {
        ...call,
        thread,
        told,
        trust: trustIn(owner, instructs, hasKeys()),
        // Ollama counts what it has evaluated, in either protocol. Other servers may count what they were sent.
        countsRead: protocol === 'ollama' || engines.has(source),
        countsWhole: protocol !== 'ollama',
      },
    )
    metrics.truncated(reading.truncated)
    for (const sample of reading.clean) void calibrations.learn({ tenant, owner, model }, sample).catch(() => undefined)
    return reading.truncated
  }
}

/** Without keys there is only the user of this machine. With keys, calls without a name are of nobody known. */
function trustIn(owner: string, instructs: boolean, hasKeys: boolean): EvidenceTrust {
  if (!instructs || (hasKeys && owner === '')) return 'none'
  return hasKeys ? 'shared' : 'alone'
}

/** Only a server that runs the model itself reports these. */
const engines: ReadonlySet<WindowSource> = new Set(['/api/ps', 'model file', '/props'])
