import type { Calibrations } from './calibration.ts'
import type { Config } from './config.ts'
import type { Metrics } from './metrics.ts'
import type { Stores } from './open-store.ts'
import type { UpstreamCaller } from './upstream-call.ts'
import type { Upstreams } from './upstream.ts'
import type { Windows } from './window.ts'

/** What handlers of requests share; one of each per server. */
export interface Services {
  readonly config: Config
  readonly stores: Stores
  readonly upstreams: Upstreams
  readonly caller: UpstreamCaller
  readonly windows: Windows
  readonly calibrations: Calibrations
  readonly metrics: Metrics
}
