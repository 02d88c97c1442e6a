import { createAdmission } from './admission.ts'
import { createCalibrations } from './calibration.ts'
import type { Config } from './config.ts'
import { keyRecord, type KeyRecord } from './key-record.ts'
import { createKeyRing } from './key-ring.ts'
import { createLog, type LogOutput } from './log.ts'
import { createMetrics } from './metrics.ts'
import { openStores } from './open-store.ts'
import type { Services } from './services.ts'
import { openSpans } from './spans.ts'
import { createUpstreamCaller } from './upstream-call.ts'
import { upstreamsOf } from './upstream.ts'
import { createWindows } from './window.ts'

/** What a server has before it listens. */
export interface OpenedServices {
  readonly services: Services
  readonly record: KeyRecord
  close(): Promise<void>
}

/** Opens the record and makes all that handlers share. `closing` aborts when the server stops taking requests. */
export async function openServices(config: Config, { output, closing }: { readonly output: LogOutput | undefined; readonly closing: AbortSignal }): Promise<OpenedServices> {
  const log = createLog(output)
  const metrics = createMetrics()
  const stores = await openStores(config, { onError: (error) => log.unforeseen(error), onTakeOver: () => metrics.tookOver() })
  const { store } = stores.of('default')
  const caller = createUpstreamCaller(({ url }, failure) => log.upstreamFailed(url, failure))
  const record = keyRecord(store)
  const services: Services = {
    config,
    stores,
    caller,
    upstreams: upstreamsOf(config.upstreams),
    windows: createWindows(config.models, caller),
    calibrations: createCalibrations(config.models, store),
    metrics,
    log,
    spans: await openSpans(config.telemetry),
    admission: createAdmission(config, metrics),
    keyRing: createKeyRing(config.keys, record),
    closing,
  }
  metrics.read('waiting', () => services.admission.waiting)
  metrics.read('pool', () => stores.connections() ?? {})
  return {
    services,
    record,
    close: async () => {
      // A turn that is cut off here must find no record to put its failure in: it goes on elsewhere, or at the next start.
      await stores.close()
      await caller.close()
      await services.spans.close()
    },
  }
}
