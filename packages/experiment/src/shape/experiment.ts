import type { Limits, Price, RoundPlan } from '@minutebook/experiment/run'
import { z } from 'zod'
import type { Definition } from '../definition.ts'
import { participant } from './participant.ts'
import { tool } from './tool.ts'
import { variable } from './variable.ts'
import { expression, list, name, oneOf, text, toolName, whole, word } from './wording.ts'

const changes = z.record(word, expression, {
  error: 'must be expressions by variable; write them such as { debt: "debt * 1.01" }',
})
const goals = z.record(name('must be a name; write one'), expression, {
  error: 'must be expressions by name; write them such as { rich: "cash >= 1000" }',
})
const amount = (wanted: string): z.ZodNumber => z.number({ error: wanted }).min(0, { error: wanted })
const more = 'must be a number above 0; write one such as 2.5, or leave it out'

const round: z.ZodType<RoundPlan, unknown> = z.strictObject(
  {
    name: name('must be a name; write one such as day').optional(),
    play: oneOf(['sequence', 'parallel', 'addressed'])
      .default('sequence')
      .describe('One after the other, all at once, or each one that is told something.'),
    participants: list(text('must be the name of a participant; write one'), '[alice, bob]')
      .min(1, { error: 'is empty; name a participant, or leave it out for all' })
      .optional()
      .describe('In order. Default: all.'),
    ask: z
      .string({ error: 'must be a text; put it in quotes' })
      .optional()
      .describe('What they are asked, beneath what they see.'),
    images: list(
      z.string().regex(/^data:image\/(png|jpeg|webp|gif);base64,/, {
        error:
          'must be a data URL of an image; write data:image/png;base64,…, or run the file with the command, which reads images next to it',
      }),
      '[bed.png]',
    )
      .max(8, { error: 'must be at most 8 images; write fewer' })
      .optional()
      .describe('What they are shown with it: data URLs, or files next to this one that the command reads.'),
  },
  { error: 'must be a round; write it such as { play: sequence, ask: Decide. }' },
)

const limits: z.ZodType<Limits, unknown> = z.strictObject(
  {
    rounds: whole('must be a whole number, 1 or more; write one such as 30', 1).optional().describe('Default: 100.'),
    tokens: whole('must be a whole number of tokens, 1 or more; write one such as 200000', 1).optional(),
    cost: z.number({ error: more }).positive({ error: more }).optional().describe('In the currency of the prices.'),
    errors: whole('must be a whole number, 1 or more; write one such as 3', 1)
      .optional()
      .describe('Turns of one participant that fail one after the other. Default: 3.'),
    turns: whole('must be a whole number, 1 or more; write one such as 12', 1)
      .optional()
      .describe('Turns in a round of addressed play. Default: 4 for each participant.'),
  },
  { error: 'must be limits by name; write them such as { rounds: 30 }' },
)

const price: z.ZodType<Price, unknown> = z.strictObject(
  {
    input: amount('must be a number, 0 or more; write the price of a million tokens'),
    output: amount('must be a number, 0 or more; write the price of a million tokens'),
  },
  { error: 'must have input and output; write it such as { input: 0.5, output: 1.5 }' },
)

/** All of an experiment, as people write it; what it parses to has short forms written out. */
export const experimentShape: z.ZodType<Definition, unknown> = z.strictObject(
  {
    name: name('must be a name; write one such as "name: lemonade stand"').describe('What it is called.'),
    description: z.string({ error: 'must be a text; put it in quotes' }).optional(),
    seed: whole('must be a whole number; write one such as 7', Number.MIN_SAFE_INTEGER)
      .optional()
      .describe(
        'The seed of a run: of chance in hooks and tools, and of models that state no seed of their own. Default: 1.',
      ),
    environment: z
      .record(word, variable, { error: 'must be variables by name; write them such as "cash: 100"' })
      .default({})
      .describe('The variables, each with what it is at first.'),
    participants: z
      .record(word, participant, {
        error: 'must be participants by name; write them such as "alice: { model: gemma3:4b }"',
      })
      .refine((value) => Object.keys(value).length > 0, { error: 'is empty; write one participant at least' })
      .describe('Who takes part, in the order of play.'),
    rounds: list(round, '[{ play: sequence, ask: Decide. }]')
      .min(1, { error: 'is empty; write a round, or leave it out' })
      .optional()
      .describe(
        'Played one after the other, and again from the first. Default: one round in which all play in sequence.',
      ),
    tools: z
      .record(toolName, tool, {
        error: 'must be tools by name; write them such as "buy: { changes: { cash: "cash - 1" } }"',
      })
      .optional()
      .describe('What participants may ask to be done.'),
    hooks: z
      .strictObject(
        { roundStart: changes.optional(), roundEnd: changes.optional() },
        { error: 'must have roundStart or roundEnd; write it such as { roundEnd: { debt: "debt * 1.01" } }' },
      )
      .optional()
      .describe('What changes by itself before and after each round.'),
    goals: z
      .strictObject(
        { success: goals.optional(), failure: goals.optional() },
        { error: 'must have success or failure; write it such as { success: { rich: "cash >= 1000" } }' },
      )
      .optional()
      .describe('When it is over.'),
    limits: limits.optional(),
    prices: z
      .record(z.string(), price, {
        error: 'must be prices by model; write them such as "gemma3:4b: { input: 0, output: 0 }"',
      })
      .optional()
      .describe('By model, for a million tokens. Without them the cost is unknown.'),
  },
  { error: 'must be an experiment; write name and participants at least' },
)

/** The JSON Schema (draft 2020-12) of an experiment as people write it, for editors. */
export function experimentSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(experimentShape, { target: 'draft-2020-12', io: 'input' })
  return { ...schema, title: 'An experiment of Minutebook' }
}
