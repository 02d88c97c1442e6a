import { createReadCurves } from 'minutebook/wire'
import { createAdmission } from './admission.ts'
import { createCalibrations } from './calibration.ts'
import type { Config } from './config.ts'
import { keyRecord, type KeyRecord } from './key-record.ts'
import { createKeyRing } from './key-ring.ts'
import { createLog, type Log, type LogOutput } from './log.ts'
import { createMemory } from './memory/memory.ts'
import { createMetrics } from './metrics.ts'
import { openStores, type Stores } from './open-store.ts'
import type { Services } from './services.ts'
import { roleProblem, tenantsUnguarded } from './store/database-role.ts'
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
export async function openServices(
  config: Config,
  { output, closing }: { readonly output: LogOutput | undefined; readonly closing: AbortSignal },
): Promise<OpenedServices> {
  const log = createLog(output)
  const metrics = createMetrics()
  const stores = await openStores(config, {
    onError: (error) => log.unforeseen(error),
    onTakeOver: () => metrics.tookOver(),
  })
  const { store } = stores.of('default')
  const record = keyRecord(store)
  await checkRole(stores, config, record, log).catch(async (error: unknown) => {
    await stores.close()
    throw error
  })
  const caller = createUpstreamCaller(({ url }, failure) => log.upstreamFailed(url, failure))
  const readings = createReadCurves()
  const services: Services = {
    config,
    stores,
    caller,
    upstreams: upstreamsOf(config.upstreams),
    windows: createWindows(config.models, caller, { readings, storeOf: (tenant) => stores.of(tenant).store }),
    readings,
    calibrations: createCalibrations(config.models, (tenant) => stores.of(tenant).store),
    metrics,
    log,
    spans: await openSpans(config.telemetry),
    admission: createAdmission(config, metrics),
    memory: createMemory(config, metrics),
    keyRing: createKeyRing(config.keys, record),
    closing,
  }
  metrics.read('memory', () => ({ bodies: services.memory.bodies.held, threads: services.memory.threads.held }))
  metrics.read('waiting', () => services.admission.waiting)
  metrics.read('pool', () => stores.connections() ?? {})
  return {
    services,
    record,
    close: async () => {
      // A turn that is cut off here must find no record to put its failure in: it goes on elsewhere, or at the next
      // start.
      await stores.close()
      await caller.close()
      await services.spans.close()
    },
  }
}

/**
 * As a role that row-level security does not bind, a server serves one tenant with a warning, and several not at all.
 */
async function checkRole({ role }: Stores, { keys }: Config, record: KeyRecord, log: Log): Promise<void> {
  if (!role || !roleProblem(role)) return
  await record.refresh()
  const recorded = record.all().filter(({ revoked }) => revoked === undefined)
  const problem = roleProblem(
    role,
    [...keys, ...recorded].map(({ tenant }) => tenant),
  )
  if (!problem) return
  if (problem.others.length > 0) throw tenantsUnguarded(problem)
  log.unguarded(problem)
}
