import { type Message } from 'minutebook'
import type { ModelChoice, Participant } from '@minutebook/experiment/run'
import { z } from 'zod'
import { isFields, isPlain } from '../plain-value.ts'
import { policy } from './policy.ts'
import { list, name, oneOf, plainValue, text, whole } from './wording.ts'

const temperatureText = 'must be a number from 0 to 2; write one such as 0.7'
const seedText = 'must be a whole number, or none; write one such as 7'
const modelName = name('must be the name of a model; write one such as gemma3:4b')

const model = z
  .union(
    [
      modelName,
      z.strictObject(
        {
          name: modelName,
          temperature: z
            .number({ error: temperatureText })
            .min(0, { error: temperatureText })
            .max(2, { error: temperatureText })
            .optional()
            .describe('From 0, always the likeliest word, to 2.'),
          seed: z
            .union([z.literal('none'), whole(seedText, Number.MIN_SAFE_INTEGER)], { error: seedText })
            .optional()
            .describe(
              'Sent with every call of this participant. none: no seed is sent. Default: each turn has one that comes from the seed of the run.',
            ),
          stop: list(text('must be a text; write one such as END'), '[END]')
            .refine((texts) => texts.length <= 16 && texts.every((one) => one.length <= 256), {
              error: 'must be at most 16 texts of at most 256 characters; write fewer or shorter ones',
            })
            .optional()
            .describe('An answer ends before the first of these texts.'),
          output: z
            .record(z.string(), plainValue, { error: 'must be a JSON Schema; write it such as { type: object }' })
            .refine((schema) => JSON.stringify(schema).length <= 65_536, {
              error: 'must have at most 65,536 characters; write a smaller schema',
            })
            .optional()
            .describe('The JSON Schema of its answers, which are then JSON.'),
          options: z
            .record(z.string(), plainValue, { error: 'must be options by name; write them such as { top_k: 40 }' })
            .optional()
            .describe('Options that only the server of the model knows. They are sent unchanged with every call.'),
          window: whole('must be a whole number of tokens, 1 or more; write one such as 4096', 1)
            .optional()
            .describe('In tokens. Default: what the model has.'),
          reserve: whole('must be a whole number of tokens; write one such as 512', 0)
            .optional()
            .describe('Room for the answer, in tokens.'),
        },
        { error: 'must have the name of a model; write it such as { name: gemma3:4b }' },
      ),
    ],
    { error: 'must be the name of a model; write one such as gemma3:4b' },
  )
  .transform((given): ModelChoice => (typeof given === 'string' ? { name: given } : given))

const message = z
  .looseObject(
    {
      role: oneOf(['user', 'assistant', 'system', 'tool']),
    },
    { error: 'must be a message; write it such as { role: user, content: Hello. }' },
  )
  .refine((value) => isPlain(value), { error: 'must be plain data; write texts' })

const variables = list(text('must be the name of a variable; write one'), '[cash, weather]')

/** Who takes part. */
export const participant: z.ZodType<Participant, unknown> = z
  .strictObject(
    {
      system: z.string({ error: 'must be a text; put it in quotes' }).optional().describe('What it is told first.'),
      model: model.optional().describe('Who answers for it: a name, or a name with options.'),
      person: z
        .literal(true, { error: 'must be true; leave it out if a model answers' })
        .optional()
        .describe('A person answers for it: at its turn the run waits until someone has.'),
      policy: policy.optional().describe('How its history is fitted into the window: a name, or the policy itself.'),
      tools: list(text('must be the name of a tool; write one'), '[buy_lemons]')
        .optional()
        .describe('What it may ask to be done.'),
      sees: variables.optional().describe('The variables that it sees. Default: all.'),
      hears: oneOf(['all', 'addressed'])
        .optional()
        .describe("Whose answers it hears: everybody's, or only what is addressed to it. Default: addressed."),
      tells: list(text('must be the name of a participant; write one'), '[bob]')
        .optional()
        .describe('Whom it can address. Default: no participant.'),
      history: list(message, '[{ role: user, content: Hello. }]')
        .optional()
        .describe('What it remembers from before the first round.')
        .transform((messages) => messages as readonly Message[] | undefined),
    },
    { error: 'must be a participant; write it such as { model: gemma3:4b, system: You run a stand. }' },
  )
  .refine((given) => 'model' in given || 'person' in given, {
    path: ['model'],
    error: 'must be there; write one such as gemma3:4b, or "person: true" if a person answers',
    when: ({ value }) => isFields(value),
  })
