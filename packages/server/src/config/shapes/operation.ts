import { z } from 'zod'
import type { RateLimitConfig, TelemetryConfig } from '../settings.ts'
import { serviceProblem } from '../value.ts'
import { address, count, yesOrNo } from './value.ts'

export const rateLimit: z.ZodType<RateLimitConfig> = z.strictObject({
  requests: count('must be a whole number of requests per minute and key, 1 or more. Write a number, such as 600.', 1, 1e9),
  turns: count('must be a whole number of turns at once per key, 1 or more. Write a number.', 1, 1e6).optional(),
}, { error: 'must have requests, how many a minute each key has.' })

export const telemetry: z.ZodType<TelemetryConfig> = z.strictObject({
  endpoint: address(serviceProblem),
  content: yesOrNo.optional(),
}, { error: 'must have endpoint, where spans are sent.' })
