import { placeOfThread } from '@minutebook/experiment/run'
import type { WorkOptions } from 'minutebook'
import { countRun } from './experiments/limits.ts'
import type { Services, Worker } from './services.ts'
import { threadOptions } from './turns/thread-options.ts'

/**
 * Runs turns and experiments of all tenants. `services` is read only after `begin`, since the worker is one of them.
 */
export function createWorker(services: () => Services): Worker {
  const working = new Map<string, Promise<() => Promise<void>>>()
  let isAtWork = false
  const workFor = async (tenant: string): Promise<void> => {
    // One database knows all tenants.
    if (!isAtWork || services().stores.turns) return
    const known = working.get(tenant) ?? beginTenant(services(), tenant)
    working.set(tenant, known)
    known.catch(() => working.delete(tenant))
    await known
  }
  return {
    begin: async () => {
      isAtWork = true
      const { stores } = services()
      if (stores.turns) {
        const stop = stores.turns.work(
          (name) => stores.of(name).book,
          (name) => workOptions(services(), name),
        )
        working.set('', stop)
        await stop
        return
      }
      for (const name of new Set(['default', ...stores.tenants()])) await workFor(name)
    },
    workFor,
    end: async () => {
      isAtWork = false
      await Promise.all([...working.values()].map(async (stop) => (await stop)()))
    },
  }
}

async function beginTenant(services: Services, tenant: string): Promise<() => Promise<void>> {
  const stop = await services.stores.of(tenant).book.work(workOptions(services, tenant))
  await services.webhooks.tellAll(tenant)
  // A file does not record which runs were active.
  if (!services.hostedRuns.isOnlyAsked) await services.experiments(tenant).wake()
  return stop
}

/**
 * What this instance does for a tenant: how it runs, counts and logs the threads of people and those of the participants
 * of experiments.
 */
function workOptions(services: Services, tenant: string): WorkOptions {
  const meter = services.turnMeter(tenant)
  const { work } = services.experiments(tenant)
  return {
    handleWake: async (thread) => {
      const place = placeOfThread(thread)
      // What is left alone stays recorded as it is.
      if (place && !services.hostedRuns.isHosted(tenant, place.run)) return true
      if (place && place.participant === undefined) await countRun(services, tenant, place.run)
      return work.handleWake(thread)
    },
    options: async (thread) => {
      meter.began(thread)
      if (!placeOfThread(thread)) return threadOptions(services, { tenant, thread })
      return { ...(await work.options(thread)), waitRecords: services.webhooks.records(tenant) }
    },
    onError: (thread, error) => meter.failed(thread, error),
    onIdle: async (thread, result) => {
      meter.rested(thread, result)
      await work.onIdle(thread, result)
      await services.webhooks.tell(tenant, thread)
    },
  }
}
