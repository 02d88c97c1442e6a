import type { Definition } from '@minutebook/experiment'
import type { Experiment, Experiments } from '@minutebook/experiment/run'
import type { LRUCache } from 'lru-cache'
import type { ThreadOptions } from 'minutebook'
import type { HostedRuns, Stores } from './stores/stores.ts'
import type { TurnMeter } from './telemetry/turn-meter.ts'
import type { LocalTools, Toolbox } from './tools/tools.ts'
import type { Cache } from './upstream/ask.ts'
import type { KeyRing } from './auth/key-ring.ts'
import type { TurnLimits } from './auth/limits.ts'
import type { Config } from './config/config.ts'
import type { ProtocolName } from './config/settings.ts'
import type { Memory } from './http/memory.ts'
import type { Visit } from './http/http.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { RequestLog } from './telemetry/request-log.ts'
import type { Spans } from './telemetry/telemetry.ts'
import type { ReadCurves } from './truncation/truncation.ts'
import type { UpstreamClient } from './upstream/call.ts'
import type { Calibrations } from './upstream/counter.ts'
import type { ServedCalls } from './upstream/served-calls.ts'
import type { Upstreams } from './upstream/upstream.ts'
import type { Windows } from './upstream/window.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

/** Runs turns and experiments on this instance. */
export interface Worker {
  /** From now on it does. */
  begin(): Promise<void>
  /** Also for this tenant. Does nothing before `begin`, or if the tenant is already covered. */
  workFor(tenant: string): Promise<void>
  /** Takes nothing new, and waits for what runs. */
  end(): Promise<void>
}

/** By the hash of the definition. */
export interface CompiledExperiments {
  readonly definitions: LRUCache<string, Definition>
  /** Separate for each tenant, and for each set of missing tools. */
  readonly experiments: LRUCache<string, Experiment>
}

/**
 * Options of a thread that were made lately. A book holds a thread that is opened with the same ones again, so that its
 * log is neither read nor counted again.
 */
export interface MadeOptions {
  readonly options: ThreadOptions
  /** What they were made from that has no text. */
  readonly parts: readonly unknown[]
}

/** What handlers of requests share; one of each per server. */
export interface Services {
  readonly config: Config
  readonly stores: Stores
  readonly upstreams: Upstreams
  readonly upstreamClient: UpstreamClient
  readonly windows: Windows
  readonly calibrations: Calibrations
  /** How much upstreams have read of what they were sent. */
  readonly readings: ReadCurves
  /** What upstreams answered lately. */
  readonly served: ServedCalls
  readonly metrics: Metrics
  readonly requestLog: RequestLog
  readonly spans: Spans
  /** Decides whether a turn or a chat may begin now. */
  readonly turnLimits: TurnLimits
  /** What requests under way may hold. */
  readonly memory: Memory
  /** The tools that the operator has registered. */
  readonly toolbox: Toolbox
  /** Tools of experiments that were started on this machine. */
  readonly localTools: LocalTools
  /** The names of the models that the upstreams have. */
  readonly modelLists: Cache<readonly string[]>
  /** The protocol of each upstream whose settings name none, by its address. */
  readonly protocols: Cache<ProtocolName>
  /** Which weights a model's name means, by upstream and model. */
  readonly modelDigests: Cache<string>
  /** The options of threads, by what they were made from. */
  readonly madeOptions: LRUCache<string, MadeOptions>
  /** Counts the turns of a tenant. */
  readonly turnMeter: (tenant: string) => TurnMeter
  /** The runs of a tenant. */
  readonly experiments: (tenant: string) => Experiments
  /** Experiments that were compiled from their definitions. */
  readonly compiled: CompiledExperiments
  readonly hostedRuns: HostedRuns
  /** The runs that count here for a key, and how often. */
  readonly countedRuns: Map<string, number>
  /** Tells addresses of the settings that a call waits. */
  readonly webhooks: Webhooks
  readonly worker: Worker
  /** Whether keys are in use: once one was made, requests need one. */
  readonly hasKeys: () => boolean
  /** Recorded keys. `ringFor(services.keyRing, caller)` is what a caller may do with them. */
  readonly keyRing: KeyRing
  /** Aborts when the server stops taking requests: clients that only follow should go elsewhere. */
  readonly closing: AbortSignal
}

/** Answers requests below `/minutebook/v1`, within the caller's scope, from the record of their tenant. */
export type ApiHandler = (visit: Visit, services: Services) => Promise<void>

/**
 * Answers a POST to `/api/chat` or `/v1/chat/completions`. Contract: resolves when the response is over, or needs no
 * more work. A rejection before the head is sent becomes a 500 in the protocol's form; later it breaks the connection.
 */
export type ChatHandler = (visit: Visit, protocol: ProtocolName, services: Services) => Promise<void>
