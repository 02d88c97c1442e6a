import { startScript } from '../process/script-of-test.ts'
import { startFleet, type Fleet } from './fleet.ts'

/** Instances that end with the test at the latest. */
export function crashFleet(size: number, url: string, step: number): Promise<Fleet> {
  return startFleet(size, { start: (name) => startScript('postgres/crash-instance.ts', url, name, String(step)) })
}
