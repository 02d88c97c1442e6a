import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller } from './caller.ts'
import type { RateLimitConfig } from './config.ts'
import type { Metrics } from './metrics.ts'
import type { Refusal } from './refusal.ts'

/** How often each key may ask. Each instance counts for itself. */
export interface RateLimit {
  /** Counts a request. `headers` tell what is left; `refusal` where nothing is. */
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

/** What is over the limit comes as a rejection. */
function exceeded(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown
  throw thrown
}

function tooMany(requests: number, seconds: string): Refusal {
  return {
    status: 429,
    code: 'rate_limited',
    message: `This key has had its ${requests} requests of this minute. Ask again in ${seconds} seconds, or have rateLimit.requests raised.`,
    headers: { 'retry-after': seconds },
  }
}
