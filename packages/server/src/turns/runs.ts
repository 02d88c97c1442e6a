import type { WorkOptions } from 'minutebook'
import { placeOfThread } from '@minutebook/experiment/run'
import { experimentsOf } from '../experiments/experiments-of.ts'
import { countRun } from '../experiments/run-limits.ts'
import { isTaken } from '../experiments/taken-runs.ts'
import type { Services } from '../services.ts'
import { threadOptions } from './thread-options.ts'
import { turnMeterOf } from './turn-meter.ts'

/**
 * How the threads of a tenant are run here, counted and told: those of people, and those of the participants of
 * experiments.
 */
export function runsOf(services: Services, tenant: string): WorkOptions {
  const meter = turnMeterOf(services, tenant)
  const { work } = experimentsOf(services, tenant)
  return {
    instead: async (thread) => {
      const place = placeOfThread(thread)
      // What is left alone stays on record as it is.
      if (place && !isTaken(services, tenant, place.run)) return true
      if (place && place.participant === undefined) await countRun(services, tenant, place.run)
      return work.instead(thread)
    },
    options: (thread) => {
      meter.began(thread)
      return placeOfThread(thread)
        ? work.options(thread)
        : threadOptions(services, { tenant, thread, onCall: (call) => meter.called(thread, call) })
    },
    onError: (thread, error) => meter.failed(thread, error),
    onRest: async (thread, result) => {
      meter.rested(thread, result)
      await work.onRest(thread, result)
    },
  }
}
