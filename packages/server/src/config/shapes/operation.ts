import { z } from 'zod'
import type { RateLimitConfig, RunLimitsConfig, TelemetryConfig } from '../settings.ts'
import { serviceProblem } from '../value.ts'
import { address, count, yesOrNo } from './value.ts'

export const rateLimit: z.ZodType<RateLimitConfig> = z.strictObject(
  {
    requests: count(
      'must be a whole number of requests per minute and key, 1 or more. Write a number, such as 600.',
      1,
      1e9,
    ),
    turns: count('must be a whole number of turns at once per key, 1 or more. Write a number.', 1, 1e6).optional(),
  },
  { error: 'must have requests, how many a minute each key has.' },
)

export const runLimits: z.ZodType<RunLimitsConfig> = z.strictObject(
  {
    rounds: count('must be a whole number of rounds, 1 or more. Write a number, such as 1000.', 1, 1e6).default(1000),
    tokens: count('must be a whole number of tokens, 1 or more. Write a number, such as 10000000.', 1, 1e12).optional(),
  },
  { error: 'must have rounds or tokens, how many a run may have.' },
)

export const telemetry: z.ZodType<TelemetryConfig> = z.strictObject(
  {
    endpoint: address(serviceProblem),
    content: yesOrNo.optional(),
  },
  { error: 'must have endpoint, where spans are sent.' },
)
