import type { CacheUsage } from '@minutebook/inspect'
import type { RelayMode } from 'minutebook/inspect'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { createCounter, createGauge, createHistogram, type Reading } from './prometheus.ts'

/** Counts what a server does. Labels are few and fixed: no names of threads, models or keys. */
export interface Metrics {
  /** A request begins. Call the returned function when it is over. */
  begin(): (route: string, status: number, seconds: number) => void
  relayed(mode: RelayMode): void
  truncated(is: 'yes' | 'no' | 'unknown'): void
  /** What an upstream read again for a chat, although it had it before. */
  cacheUsed(usage: Pick<CacheUsage, 'lost' | 'cause'>): void
  /** A chat that was passed on and is not recorded. */
  unrecorded(): void
  upstreamFailed(code: string): void
  /**
   * A turn starts to run here. Call the returned function when it rests, without a status if there was no turn to run.
   */
  turnBegan(): (status: TurnStatus | undefined) => void
  /** A turn that another instance left unfinished continues here. */
  tookOver(): void
  /** A model call is over: `seconds` to its end, and to its first text if there was any. */
  modelCalled(call: {
    readonly ok: boolean
    readonly seconds: number
    readonly firstText?: number | undefined
    readonly prompt?: number | undefined
    readonly completion?: number | undefined
  }): void
  /** A tool of the server has run. */
  toolRan(status: 'complete' | 'failed'): void
  /** An attempt to tell an address that a call waits. `given_up`: the last one failed, too. */
  webhookSent(status: 'delivered' | 'failed' | 'given_up'): void
  /** A request was refused for a while: a key over its limit, or an instance with too much to do. */
  limited(why: 'requests' | 'turns' | 'queue' | 'memory'): void
  /** Sets how a gauge is read. Call the returned function to end that. */
  read(what: GaugeName, reading: Reading): () => void
  readonly inFlight: number
  /** All of it in the text format of Prometheus. */
  text(): string
}

export type TurnStatus = 'complete' | 'partial' | 'cancelled' | 'failed' | 'waiting' | 'fenced'

/**
 * `waiting`: turns for which there is no room yet; `pool`: connections to the database by state; `streams`: clients
 * that follow; `memory`: what running requests hold; `delay` and `heap`: of the process, see `watchProcess`.
 */
export type GaugeName = 'waiting' | 'pool' | 'streams' | 'memory' | 'delay' | 'heap'

/**
 * @example
 * const metrics = createMetrics()
 * metrics.relayed('unchanged')
 */
export function createMetrics(): Metrics {
  const requests = createCounter('minutebook_requests_total', 'Requests that are over, by route and status.', [
    'route',
    'status',
  ])
  const relays = createCounter(
    'minutebook_relays_total',
    'Chats that were relayed, by mode.',
    ['mode'],
    [['unchanged'], ['rewritten']],
  )
  const truncations = createCounter(
    'minutebook_upstream_truncated_total',
    'Whether the upstream cut a prompt, as far as its counts show.',
    ['truncated'],
    [['yes'], ['no'], ['unknown']],
  )
  const lost = createCounter(
    'minutebook_cache_lost_tokens_total',
    'Tokens of chats that upstreams read again although the previous prompt had them, by cause.',
    ['cause'],
  )
  const unrecorded = createCounter(
    'minutebook_unrecorded_total',
    'Chats that were passed on and are not recorded.',
    [],
    [[]],
  )
  const failures = createCounter(
    'minutebook_upstream_failures_total',
    'Upstreams that could not be reached or broke off.',
    ['code'],
  )
  const durations = createHistogram(
    'minutebook_request_seconds',
    'How long requests took, by route.',
    ['route'],
    [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
  )
  const turns = createCounter(
    'minutebook_turns_total',
    'Native turns that ran here to their end, by how they ended.',
    ['status'],
    [['complete'], ['partial'], ['cancelled'], ['failed'], ['waiting'], ['fenced']],
  )
  const turnSeconds = createHistogram(
    'minutebook_turn_seconds',
    'How long native turns ran here.',
    [],
    [0.1, 0.5, 2, 10, 60, 300, 1800],
  )
  const takeOvers = createCounter(
    'minutebook_turns_taken_over_total',
    'Turns that another instance left unfinished and that went on here.',
    [],
    [[]],
  )
  const models = createCounter(
    'minutebook_model_calls_total',
    'Model calls of native turns, by how they ended.',
    ['status'],
    [['complete'], ['failed']],
  )
  const modelSeconds = createHistogram(
    'minutebook_model_seconds',
    'How long model calls of native turns took.',
    [],
    [0.1, 0.5, 2, 10, 60, 300],
  )
  const firstTexts = createHistogram(
    'minutebook_model_first_text_seconds',
    'How long model calls of native turns took to their first text.',
    [],
    [0.02, 0.1, 0.5, 2, 10, 60],
  )
  const tokens = createCounter(
    'minutebook_model_tokens_total',
    'Tokens of native turns, as upstreams report them.',
    ['type'],
    [['prompt'], ['completion']],
  )
  const tools = createCounter(
    'minutebook_tool_calls_total',
    'Tools that the server ran, by how they ended.',
    ['status'],
    [['complete'], ['failed']],
  )
  const webhooks = createCounter(
    'minutebook_webhooks_total',
    'Attempts to tell an address that a call waits, by how they ended.',
    ['status'],
    [['delivered'], ['failed'], ['given_up']],
  )
  const limits = createCounter(
    'minutebook_limited_total',
    'Requests that were refused for a while, by limit.',
    ['limit'],
    [['requests'], ['turns'], ['queue'], ['memory']],
  )
  const gauges = {
    waiting: createGauge('minutebook_turns_waiting', 'Native turns that wait for room on this instance.'),
    pool: createGauge(
      'minutebook_pool_connections',
      'Connections to the database, by state; waiting: requests for one.',
      'state',
    ),
    memory: createGauge(
      'minutebook_memory_held_bytes',
      'Memory that running requests hold, about, by what it is for.',
      'for',
    ),
    streams: createGauge('minutebook_streams_open', 'Clients that follow a thread on this instance.'),
    delay: createGauge(
      'minutebook_event_loop_delay_seconds',
      'How late the event loop ran its timers since this was last read, by quantile.',
      'quantile',
    ),
    heap: createGauge('minutebook_heap_bytes', 'The heap of the process: used, and its limit.', 'of'),
  }
  const inFlightGauge = createGauge('minutebook_requests_in_flight', 'Requests that are not over.')
  const runningGauge = createGauge('minutebook_turns_running', 'Native turns that run here.')
  let inFlight = 0
  let running = 0
  inFlightGauge.read(() => inFlight)
  runningGauge.read(() => running)
  const all = [
    requests,
    relays,
    truncations,
    lost,
    unrecorded,
    failures,
    durations,
    turns,
    turnSeconds,
    takeOvers,
    models,
    modelSeconds,
    firstTexts,
    tokens,
    tools,
    webhooks,
    limits,
    inFlightGauge,
    runningGauge,
    gauges.waiting,
    gauges.pool,
    gauges.streams,
    gauges.memory,
    gauges.delay,
    gauges.heap,
  ]
  return {
    begin: () => {
      inFlight++
      return once((route: string, status: number, seconds: number) => {
        inFlight--
        requests.add([route, String(status)])
        durations.observe([route], seconds)
      })
    },
    relayed: (mode) => relays.add([mode]),
    truncated: (is) => truncations.add([is]),
    cacheUsed: ({ cause, lost: tokens }) => (cause ? lost.add([cause], tokens) : undefined),
    unrecorded: () => unrecorded.add([]),
    upstreamFailed: (code) => failures.add([code]),
    turnBegan: () => {
      running++
      const began = performance.now()
      return once((status: TurnStatus | undefined) => {
        running--
        if (status === undefined) return
        turns.add([status])
        turnSeconds.observe([], (performance.now() - began) / 1000)
      })
    },
    tookOver: () => takeOvers.add([]),
    modelCalled: ({ ok, seconds, firstText, prompt = 0, completion = 0 }) => {
      models.add([ok ? 'complete' : 'failed'])
      modelSeconds.observe([], seconds)
      if (firstText !== undefined) firstTexts.observe([], firstText)
      tokens.add(['prompt'], prompt)
      tokens.add(['completion'], completion)
    },
    toolRan: (status) => tools.add([status]),
    webhookSent: (status) => webhooks.add([status]),
    limited: (why) => limits.add([why]),
    read: (what, reading) => gauges[what].read(reading),
    get inFlight() {
      return inFlight
    },
    text: () => all.map((series) => series.text()).join(''),
  }
}

/** The same, but a second call does nothing. */
function once<Given extends readonly unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
  let isDone = false
  return (...given) => {
    if (isDone) return
    isDone = true
    act(...given)
  }
}

/** Milliseconds. An event loop that stands still for longer than that is always noticed. */
const resolution = 50

/** Lets the metrics read the event loop's delay and the heap, until the returned function is called. */
export function watchProcess(metrics: Pick<Metrics, 'read'>): () => void {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  // Node counts the time between two timers, in nanoseconds.
  const seconds = (percentile: number): number => Math.max(0, delay.percentile(percentile) / 1e6 - resolution) / 1000
  metrics.read('delay', () => {
    const quantiles = { '0.5': seconds(50), '0.99': seconds(99), '1': seconds(100) }
    delay.reset()
    return quantiles
  })
  metrics.read('heap', () => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    return { used, limit }
  })
  return () => void delay.disable()
}

/** The same values. The reader counts as a client that follows, until it leaves. */
export async function* followed<T>(
  values: AsyncIterable<T>,
  metrics: Pick<Metrics, 'read'>,
): AsyncGenerator<T, void, void> {
  const leave = metrics.read('streams', () => 1)
  try {
    yield* values
  } finally {
    leave()
  }
}
