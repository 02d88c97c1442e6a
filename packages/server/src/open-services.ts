import { LRUCache } from 'lru-cache'
import { keysInUse } from './auth/auth.ts'
import { keyRecord, type KeyRecord } from './auth/key-record.ts'
import { createKeyRing } from './auth/key-ring.ts'
import { createTurnLimits } from './auth/limits.ts'
import type { Config } from './config/config.ts'
import { createMemory } from './http/memory.ts'
import type { Services } from './services.ts'
import { roleProblem, tenantsUnguardedError } from './stores/migrate.ts'
import { createHostedRuns, openStores, type Stores } from './stores/stores.ts'
import { createMetrics, watchProcess } from './telemetry/metrics.ts'
import { createRequestLog, type RequestLog, type LogOutput } from './telemetry/request-log.ts'
import { noSpans, type Spans, type SpansOptions } from './telemetry/telemetry.ts'
import { createTurnMeter } from './telemetry/turn-meter.ts'
import { createLocalTools, createToolbox } from './tools/tools.ts'
import { createReadCurves } from './truncation/truncation.ts'
import { openTenantExperiments } from './experiments/experiments.ts'
import { createModelDigests, createModelLists, createProtocols } from './turns/models.ts'
import { createWorker } from './worker.ts'
import { createUpstreamClient } from './upstream/call.ts'
import { createCalibrations } from './upstream/counter.ts'
import { createServedCalls } from './upstream/served-calls.ts'
import { upstreamsOf } from './upstream/upstream.ts'
import { createWindows } from './upstream/window.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

/** What a server has before it listens. */
export interface OpenedServices {
  readonly services: Services
  readonly record: KeyRecord
  close(): Promise<void>
}

/**
 * Opens the record and makes everything that handlers share. `closing` aborts when the server stops taking requests.
 */
export async function openServices(
  config: Config,
  {
    output,
    closing,
    file,
  }: { readonly output: LogOutput | undefined; readonly closing: AbortSignal; readonly file: string | undefined },
): Promise<OpenedServices> {
  const requestLog = createRequestLog(output)
  const metrics = createMetrics()
  const stores = await openStores(config, {
    file,
    onError: (error) => requestLog.unforeseen(error),
    onTakeOver: () => metrics.tookOver(),
  })
  const { store } = stores.of('default')
  const record = keyRecord(store)
  await checkRole(stores, config, record, requestLog).catch(async (error: unknown) => {
    await stores.close()
    throw error
  })
  const upstreamClient = createUpstreamClient(({ url }, failure) => requestLog.upstreamFailed(url, failure))
  const readings = createReadCurves({ now: () => performance.now() })
  const spans = await openSpans(config.telemetry)
  const toolbox = createToolbox({ config, metrics, spans })
  const services: Services = {
    config,
    stores,
    upstreamClient,
    upstreams: upstreamsOf(config.upstreams),
    windows: createWindows(config.models, upstreamClient, { readings, storeOf: (tenant) => stores.of(tenant).store }),
    readings,
    served: createServedCalls(),
    calibrations: createCalibrations(config.models, (tenant) => stores.of(tenant).store),
    metrics,
    requestLog,
    spans,
    turnLimits: createTurnLimits(config, metrics),
    memory: createMemory(config, metrics),
    hasKeys: () => keysInUse(config.keys, record),
    keyRing: createKeyRing(config.keys, record),
    toolbox,
    localTools: createLocalTools(toolbox),
    modelLists: createModelLists(),
    protocols: createProtocols(),
    modelDigests: createModelDigests(),
    madeOptions: new LRUCache({ max: mostMadeOptions }),
    turnMeter: forEachTenant((tenant) => createTurnMeter({ metrics, log: requestLog }, tenant)),
    experiments: forEachTenant((tenant) => openTenantExperiments(services, tenant)),
    compiled: { definitions: new LRUCache(compiledLimits), experiments: new LRUCache(compiledLimits) },
    hostedRuns: createHostedRuns(stores),
    countedRuns: new Map(),
    webhooks: createWebhooks({ config, stores, metrics, requestLog }),
    worker: createWorker(() => services),
    closing,
  }
  metrics.read('memory', () => ({ bodies: services.memory.bodies.held, threads: services.memory.threads.held }))
  metrics.read('waiting', () => services.turnLimits.waiting)
  metrics.read('pool', () => stores.connections() ?? {})
  const endWatch = watchProcess(metrics)
  return {
    services,
    record,
    close: async () => {
      endWatch()
      await services.webhooks.close()
      // A turn that is cut off here must not record a failure: it continues elsewhere, or at the next start.
      await stores.close()
      await upstreamClient.close()
      await services.spans.close()
    },
  }
}

/** If row-level security does not apply to its role, a server serves one tenant with a warning, and refuses several. */
async function checkRole({ role }: Stores, { keys }: Config, record: KeyRecord, log: RequestLog): Promise<void> {
  if (!role || !roleProblem(role)) return
  await record.refresh()
  const recorded = record.all().filter(({ revoked }) => revoked === undefined)
  const problem = roleProblem(
    role,
    [...keys, ...recorded].map(({ tenant }) => tenant),
  )
  if (!problem) return
  if (problem.others.length > 0) throw tenantsUnguardedError(problem)
  log.unguarded(problem)
}

/** `maxSize`: characters of all definitions together. */
const compiledLimits = { max: 200, maxSize: 8_000_000 }

/** Of all tenants: more than the threads that their books hold open together. */
const mostMadeOptions = 1000

/** Makes one of a kind for each tenant, at its first use. */
function forEachTenant<T>(make: (tenant: string) => T): (tenant: string) => T {
  const made = new Map<string, T>()
  return (tenant) => {
    const found = made.get(tenant) ?? make(tenant)
    made.set(tenant, found)
    return found
  }
}

/** The collector's packages are loaded only if one is configured. */
export async function openSpans(options: SpansOptions | undefined): Promise<Spans> {
  if (!options) return noSpans
  const { collectorSpans } = await import('./telemetry/collector.ts')
  return collectorSpans(options)
}
