import { systemClock } from 'minutebook/clock'
import { openExperiments, type Experiments } from '@minutebook/experiment/run'
import type { Services } from '../services.ts'
import { compiled } from './compiled.ts'
import { seatOptions } from './seat-options.ts'

/**
 * The runs of a tenant: one for each in a process.
 *
 * @example
 * const board = await experimentsOf(services, 'default').run('stand-1').board()
 */
export function experimentsOf(services: Services, tenant: string): Experiments {
  const tenants = known.get(services) ?? new Map<string, Experiments>()
  known.set(services, tenants)
  const found = tenants.get(tenant) ?? opened(services, tenant)
  tenants.set(tenant, found)
  return found
}

const known = new WeakMap<Services, Map<string, Experiments>>()

function opened(services: Services, tenant: string): Experiments {
  return openExperiments({
    ...services.stores.of(tenant),
    clock: systemClock,
    experiment: ({ definition }) => compiled(services, tenant, definition),
    thread: (seat) => seatOptions(services, tenant, seat),
    atOnce: services.config.rateLimit?.turns,
  })
}
