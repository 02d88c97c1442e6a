import { runThread } from '@minutebook/experiment/run'
import type { Services } from '../services.ts'

/**
 * From now on this process plays only runs that it is asked for: those that others left unfinished in the data folder
 * wait for whoever resumes them, or for a server. Instances that share a database share its work all the same.
 */
export function leaveRuns(services: Services): void {
  if (!services.stores.turns) taken.set(services, new Set())
}

/** This process is asked for a run. True where it was left alone until now. */
export function takeRun(services: Services, tenant: string, run: string): boolean {
  const runs = taken.get(services)
  if (!runs || runs.has(keyOf(tenant, run))) return false
  runs.add(keyOf(tenant, run))
  return true
}

/** Whether this process plays a run. */
export function isTaken(services: Services, tenant: string, run: string): boolean {
  return taken.get(services)?.has(keyOf(tenant, run)) ?? true
}

/** Whether this process leaves runs alone that it is not asked for. */
export function leavesRuns(services: Services): boolean {
  return taken.has(services)
}

/** Has a run go on that nobody played. */
export async function wakeRun(services: Services, tenant: string, run: string): Promise<void> {
  await services.stores.of(tenant).queue.wake(runThread(run), [])
}

const taken = new WeakMap<Services, Set<string>>()

function keyOf(tenant: string, run: string): string {
  return `${tenant} ${run}`
}
