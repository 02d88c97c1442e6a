import { createCounter, createHistogram } from './metrics/series.ts'

/** Counts what a server does. Labels are few and fixed: no names of threads, models or keys. */
export interface Metrics {
  /** A request begins; the answer is called when it is over. */
  begin(): (route: string, status: number, seconds: number) => void
  relayed(path: 'as it came' | 'rewritten'): void
  truncated(is: 'yes' | 'no' | 'unknown'): void
  /** A chat that went through and is not on record. */
  unrecorded(): void
  upstreamFailed(code: string): void
  readonly inFlight: number
  /** All of it in the text format of Prometheus. */
  text(): string
}

/**
 * @example
 * const metrics = createMetrics()
 * metrics.relayed('as it came')
 */
export function createMetrics(): Metrics {
  const requests = createCounter('minutebook_requests_total', 'Requests that are over, by route and status.', ['route', 'status'])
  const relays = createCounter('minutebook_relays_total', 'Chats that were relayed, by path.', ['path'])
  const truncations = createCounter('minutebook_upstream_truncated_total', 'Whether the upstream cut a prompt, as far as its counts tell.', ['truncated'])
  const unrecorded = createCounter('minutebook_unrecorded_total', 'Chats that went through and are not on record.', [])
  const failures = createCounter('minutebook_upstream_failures_total', 'Upstreams that could not be reached or broke off.', ['code'])
  const durations = createHistogram('minutebook_request_seconds', 'How long requests took, by route.', ['route'], [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300])
  for (const path of ['as it came', 'rewritten']) relays.add([path], 0)
  for (const is of ['yes', 'no', 'unknown']) truncations.add([is], 0)
  unrecorded.add([], 0)
  let inFlight = 0
  return {
    begin: () => {
      inFlight++
      let isOver = false
      return (route, status, seconds) => {
        if (isOver) return
        isOver = true
        inFlight--
        requests.add([route, String(status)])
        durations.observe([route], seconds)
      }
    },
    relayed: (path) => relays.add([path]),
    truncated: (is) => truncations.add([is]),
    unrecorded: () => unrecorded.add([]),
    upstreamFailed: (code) => failures.add([code]),
    get inFlight() {
      return inFlight
    },
    text: () => [
      ...[requests, relays, truncations, unrecorded, failures, durations].map((series) => series.text()),
      `# HELP minutebook_requests_in_flight Requests that are not over.\n# TYPE minutebook_requests_in_flight gauge\nminutebook_requests_in_flight ${inFlight}\n`,
    ].join(''),
  }
}
