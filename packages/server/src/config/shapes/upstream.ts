import { z } from 'zod'
import type { UpstreamConfig } from '../settings.ts'
import { upstreamProblem } from '../value.ts'
import { address, list, oneOf, text } from './value.ts'

export const upstream: z.ZodType<UpstreamConfig> = z.preprocess(
  (said) => (typeof said === 'string' ? { url: said } : said),
  z.strictObject(
    {
      url: address(upstreamProblem),
      protocol: oneOf(['ollama', 'openai']).optional(),
      key: text('must be the key that the upstream wants, as text. Put it in quotes.')
        .regex(/^[\x21-\x7e]+$/, { error: 'holds a character that no key has. Copy it again, without blanks.' })
        .optional(),
      models: list(text('must be the name of a model. Write a text.'))
        .min(1, { error: 'is empty. List the models, or leave models out.' })
        .optional(),
    },
    { error: 'must be an address, or settings by name: url, protocol, key, models.' },
  ),
)
