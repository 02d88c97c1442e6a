import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller } from '../config/caller.ts'
import type { Config, RateLimitConfig } from '../config/config.ts'
import type { Refusal } from '../http/reply.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** A place for a turn, or why it is refused now. */
export type Admitted = { readonly leave: () => void } | { readonly refusal: Refusal }

/** Whose turns they are. */
export type Owner = Pick<Caller, 'name' | 'tenant'>

/**
 * Keeps this instance from accepting more than it can do. A caller that comes too often or too late learns when to come
 * again.
 */
export interface TurnLimits {
  /**
   * For turns that the server runs, or a chat that it relays. Call `leave` when that is over; calling it again does no
   * harm. `count`: how many may run at once. Default: 1.
   */
  enter(caller: Owner, what: 'turn' | 'chat', count?: number): Admitted
  /**
   * For turns that continue here from before: they count, and are never refused. Call the returned function when they
   * are over.
   */
  goOn(caller: Owner, count: number): () => void
  /** Turns sent here that are not over, in addition to those that have a slot. */
  readonly waiting: number
}

/**
 * @example
 * const place = services.admission.enter(caller, 'turn')
 * if ('refusal' in place) return refuse(response, place.refusal)
 * void turn.done.finally(place.leave)
 */
export function createTurnLimits(
  { slots, queueLimit, rateLimit }: Pick<Config, 'slots' | 'queueLimit' | 'rateLimit'>,
  metrics: Pick<Metrics, 'limited'>,
): TurnLimits {
  const most = rateLimit?.turns ?? Infinity
  const byKey = new Map<string, number>()
  let turns = 0
  const place = (name: string, what: 'turn' | 'chat', count: number): (() => void) => {
    byKey.set(name, (byKey.get(name) ?? 0) + count)
    if (what === 'turn') turns += count
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      if (what === 'turn') turns -= count
      const rest = (byKey.get(name) ?? count) - count
      if (rest > 0) byKey.set(name, rest)
      else byKey.delete(name)
    }
  }
  return {
    enter: (owner, what, count = 1) => {
      const name = nameOf(owner)
      if ((byKey.get(name) ?? 0) + count > most) return refused('turns', tooManyTurns(most))
      if (what === 'turn' && turns + count > slots + queueLimit) return refused('queue', queueFull)
      return { leave: place(name, what, count) }
    },
    goOn: (owner, count) => place(nameOf(owner), 'turn', count),
    get waiting() {
      return Math.max(0, turns - slots)
    },
  }

  function refused(why: 'turns' | 'queue', refusal: Refusal): Admitted {
    metrics.limited(why)
    return { refusal }
  }
}

/** One text for each key. */
export function nameOf({ name, tenant }: Owner): string {
  return `${tenant} ${name}`
}

function tooManyTurns(most: number): Refusal {
  return {
    status: 429,
    code: 'rate_limited',
    problem: `This key may have ${most} turns at once, including those of its runs, and this request would exceed that.`,
    fix: 'Wait until a turn ends, or ask the operator to raise rateLimit.turns.',
    headers: { 'retry-after': '1' },
  }
}

const queueFull: Refusal = {
  status: 503,
  code: 'overloaded',
  problem: 'Too many turns are waiting on this instance.',
  fix: 'Try again in a moment. Nothing of this request was recorded.',
  headers: { 'retry-after': '2' },
}

/** How often each key may send requests. Each instance counts for itself. */
export interface RateLimit {
  /** Counts a request. `headers` show what is left; `refusal` is set if nothing is. */
  take(caller: Caller): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly refusal?: Refusal }>
}

/**
 * @example
 * const { refusal } = await createRateLimit({ requests: 600 }, metrics).take(caller)
 */
export function createRateLimit({ requests }: RateLimitConfig, metrics: Pick<Metrics, 'limited'>): RateLimit {
  const limiter = new RateLimiterMemory({ points: requests, duration: minute })
  return {
    take: async ({ name, tenant }) => {
      const counted = await limiter.consume(name === '' ? 'anybody' : `key ${tenant} ${name}`).catch(exceeded)
      const seconds = String(Math.max(1, Math.ceil(counted.msBeforeNext / 1000)))
      const headers = {
        'ratelimit-limit': String(requests),
        'ratelimit-remaining': String(counted.remainingPoints),
        'ratelimit-reset': seconds,
      }
      if (counted.consumedPoints <= requests) return { headers }
      metrics.limited('requests')
      return { headers, refusal: tooMany(requests, seconds) }
    },
  }
}

/** Seconds. */
const minute = 60

/** The library rejects if the limit is exceeded. */
function exceeded(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown
  throw thrown
}

function tooMany(requests: number, seconds: string): Refusal {
  return {
    status: 429,
    code: 'rate_limited',
    problem: `This key has used its ${requests} requests for this minute.`,
    fix: `Try again in ${seconds} seconds, or ask the operator to raise rateLimit.requests.`,
    headers: { 'retry-after': seconds },
  }
}
