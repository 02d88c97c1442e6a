import type { ReadCurves } from 'minutebook/wire'
import type { Admission } from './admission.ts'
import type { Calibrations } from './calibration.ts'
import type { Config } from './config.ts'
import type { KeyRing } from './key-ring.ts'
import type { Log } from './log.ts'
import type { Memory } from './memory/memory.ts'
import type { Metrics } from './metrics.ts'
import type { Stores } from './open-store.ts'
import type { Spans } from './spans.ts'
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
  /** What upstreams have read of what they were sent. */
  readonly readings: ReadCurves
  readonly metrics: Metrics
  readonly log: Log
  readonly spans: Spans
  /** Who may begin a turn or a chat now. */
  readonly admission: Admission
  /** What requests under way may hold. */
  readonly memory: Memory
  /** Keys on record; `ringFor(services.keyRing, caller)` is what a caller may do with them. */
  readonly keyRing: KeyRing
  /** Aborts when the server stops taking requests: whoever only follows is to be sent elsewhere. */
  readonly closing: AbortSignal
}
