import { experimentsOf } from '../experiments/experiments-of.ts'
import { localTools } from '../experiments/local-tools.ts'
import { leavesRuns } from '../experiments/taken-runs.ts'
import type { Services } from '../services.ts'
import { toolboxOf } from '../tools/toolbox.ts'
import { runsOf } from './runs.ts'

/**
 * From now on this instance runs turns, of all tenants, until the answer is called: that waits for those under way.
 *
 * @example
 * const stop = await startWork(services)
 */
export async function startWork(services: Services): Promise<() => Promise<void>> {
  const work = createWork(services)
  works.set(services, work)
  await work.begin()
  return async () => {
    await work.end()
    await Promise.all([toolboxOf(services).close(), localTools(services).close()])
  }
}

/**
 * Sees to it that turns of this tenant are run, too, where each has a file of its own and nobody has asked for it
 * before.
 */
export async function workFor(services: Services, tenant: string): Promise<void> {
  await works.get(services)?.tenant(tenant)
}

const works = new WeakMap<Services, Work>()

interface Work {
  begin(): Promise<void>
  tenant(name: string): Promise<void>
  end(): Promise<void>
}

function createWork(services: Services): Work {
  const { stores } = services
  const working = new Map<string, Promise<() => Promise<void>>>()
  let isOver = false
  const tenant = async (name: string): Promise<void> => {
    if (isOver) return
    const known = working.get(name) ?? begun(services, name)
    working.set(name, known)
    known.catch(() => working.delete(name))
    await known
  }
  return {
    begin: async () => {
      if (stores.turns)
        return void working.set(
          '',
          stores.turns.work(
            (name) => stores.of(name).book,
            (name) => runsOf(services, name),
          ),
        )
      for (const name of new Set(['default', ...stores.tenants()])) await tenant(name)
    },
    // One database tells of all tenants.
    tenant: stores.turns ? async () => undefined : tenant,
    end: async () => {
      isOver = true
      await Promise.all([...working.values()].map(async (stop) => (await stop)()))
    },
  }
}

/** A file does not remember which runs were under way. */
async function begun(services: Services, tenant: string): Promise<() => Promise<void>> {
  const stop = await services.stores.of(tenant).book.work(runsOf(services, tenant))
  if (!leavesRuns(services)) await experimentsOf(services, tenant).wake()
  return stop
}
