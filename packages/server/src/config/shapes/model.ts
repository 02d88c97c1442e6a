import { z } from 'zod'
import type { ModelConfig } from '../settings.ts'
import { oneOf, text, tokens, yesOrNo } from './value.ts'

const flags = [
  'systemFirstOnly',
  'mustAlternate',
  'noSystem',
  'needsUser',
  'noTools',
  'answerAfterTool',
  'oneCallAtATime',
  'callsWithoutText',
  'nineCharacterIds',
  'normalized',
] as const

const profile = z.strictObject(
  {
    ...(Object.fromEntries(flags.map((flag) => [flag, yesOrNo.optional()])) as Record<
      (typeof flags)[number],
      z.ZodOptional<z.ZodBoolean>
    >),
    argumentsAs: oneOf(['object', 'string']).optional(),
  },
  { error: 'must be flags by name, such as "systemFirstOnly: true".' },
)

export const model: z.ZodType<ModelConfig> = z.strictObject(
  {
    window: tokens(16).optional(),
    num_ctx: tokens(16).optional(),
    reserve: tokens(1).optional(),
    counter: text('must be estimate, o200k or the path of a tokenizer.json. Write one.').optional(),
    profile: profile
      .transform((said) => Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)))
      .optional(),
  },
  { error: 'must be settings by name: window, num_ctx, reserve, counter, profile.' },
)
