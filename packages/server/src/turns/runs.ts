import type { WorkOptions } from 'minutebook'
import type { Services } from '../services.ts'
import { threadOptions } from './thread-options.ts'
import { createTurnMeter } from './turn-meter.ts'

/** How the threads of a tenant are run here, counted and told. */
export function runsOf(services: Services, tenant: string): WorkOptions {
  const meter = createTurnMeter(services, tenant)
  return {
    options: (thread) => {
      meter.began(thread)
      return threadOptions(services, { tenant, thread, onCall: (call) => meter.called(thread, call) })
    },
    onError: (thread, error) => meter.failed(thread, error),
    onRest: (thread, result) => meter.rested(thread, result),
  }
}
