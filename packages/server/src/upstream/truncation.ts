import type { ReadCurves, ReadObserver, WindowSource } from 'minutebook/wire'
import type { ProtocolName } from '../config/settings.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Calibrations } from './counter.ts'
import type { Upstream } from './upstream.ts'
import { toldWindow, type Window } from './window.ts'

/** Whose call it is, and of which server. */
export interface ReadingPlace {
  readonly tenant: string
  /** The name of the key; '' for turns that the server runs. */
  readonly owner: string
  readonly thread: string
  readonly upstream: Upstream
  readonly model: string
  readonly protocol: ProtocolName
  readonly window: Window
}

/** The services that learn from a call. */
export interface ReadingServices {
  readonly readings: ReadCurves
  readonly calibrations: Calibrations
  readonly metrics: Metrics
}

/**
 * Adds calls to the curve of their tenant, upstream and model, counts what it shows, and lets the calibration learn
 * from counts that cannot come from cut prompts.
 */
export function readObserver(
  { readings, calibrations, metrics }: ReadingServices,
  { tenant, owner, thread, upstream, model, protocol, window }: ReadingPlace,
): ReadObserver {
  const { window: size, source } = toldWindow(window)
  const told = source === 'assumed' ? undefined : size
  return (call) => {
    const reading = readings.note(
      { tenant, upstream: upstream.url, model },
      {
        ...call,
        thread,
        owner,
        told,
        // Ollama counts what it has evaluated, in either protocol. Other servers may count what they were sent.
        countsRead: protocol === 'ollama' || engines.has(source),
        countsWhole: protocol !== 'ollama',
      },
    )
    metrics.truncated(reading.truncated)
    for (const { owner: by, ...sample } of reading.clean)
      void calibrations.learn({ tenant, owner: by, model }, sample).catch(() => undefined)
    return reading
  }
}

/** Only a server that runs the model itself reports these. */
const engines: ReadonlySet<WindowSource> = new Set(['/api/ps', 'model file', '/props'])
