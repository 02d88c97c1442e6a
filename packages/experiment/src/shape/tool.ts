import { z } from 'zod'
import type { ToolDefinition } from '../definition.ts'
import { strayParameters } from '../parameters.ts'
import { isPlain } from '../plain-value.ts'
import { expression, headers, list, oneOf, text, toolName, whole, word, yesOrNo } from './wording.ts'

const jsonType = oneOf(['string', 'number', 'integer', 'boolean', 'array', 'object'])

const parameter = z.union(
  [
    jsonType,
    z.looseObject({
      type: jsonType.optional(),
      description: z.string({ error: 'must be a text; put it in quotes' }).optional(),
      optional: yesOrNo.optional(),
    }),
  ],
  { error: 'must be a type, or a JSON Schema; write it such as integer, or { type: integer, minimum: 1 }' },
)

const jsonSchema = z.looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()) })
const parameters = z
  .union([z.record(word, parameter).refine((value) => value['type'] !== 'object', { abort: true }), jsonSchema], {
    error: 'must be parameters by name; write them such as { count: { type: integer, minimum: 1 } }',
  })
  .refine((value) => isPlain(value), { error: 'must be plain data, at most 32 deep; write a smaller schema' })
  .superRefine((value, context) => {
    for (const name of strayParameters(value))
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `is next to "properties", where it has no effect; write it as properties.${name}`,
      })
  })
  .transform(written)

const url = z
  .string({ error: 'must be an address; write one such as https://tools.example/search' })
  .refine(isWebAddress, {
    error:
      'must be an address that begins with http:// or https:// and holds no password; secrets go into headers, as ${NAME}',
  })

/** Something that a participant may ask to be done. */
export const tool: z.ZodType<ToolDefinition, unknown> = z.strictObject(
  {
    description: z
      .string({ error: 'must be a text that tells the model what the tool does; put it in quotes' })
      .optional()
      .describe('Tells the model what it does.'),
    parameters: parameters
      .optional()
      .describe(
        'What it is called with, by name; all are needed that are not `optional: true`. Or a whole JSON Schema.',
      ),
    require: list(
      z.strictObject(
        { when: expression, otherwise: text('must be a text for the participant; write why it cannot be done') },
        {
          error:
            'must have when and otherwise; write it such as { when: "cash >= 5", otherwise: You cannot pay that. }',
        },
      ),
      '[{ when: "cash >= 5", otherwise: You cannot pay that. }]',
    )
      .optional()
      .describe('What must hold, and what the participant is told if it does not.'),
    changes: z
      .record(word, expression, { error: 'must be expressions by variable; write them such as { cash: "cash - 5" }' })
      .optional()
      .describe('New values of variables, as expressions over the environment, input and result.'),
    result: expression.optional().describe('What the participant is told, as an expression. Default: what changed.'),
    module: z
      .string({ error: 'must be a file and a name; write it such as ./tools.ts#forecast' })
      .regex(/^\.\/[^#\\]{1,400}\.(?:ts|mts|js|mjs)#[A-Za-z_$][\w$]{0,63}$/, {
        error: 'must be a file next to this one and what it exports; write it such as ./tools.ts#forecast',
      })
      .optional()
      .describe('A function next to this file: ./tools.ts#forecast. Only for runs on your own machine.'),
    http: z
      .strictObject(
        { url, method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(), headers: headers.optional() },
        { error: 'must have url; write it such as { url: https://tools.example/search }' },
      )
      .optional()
      .describe('An address that is asked. Only for runs on your own machine.'),
    mcp: z
      .strictObject(
        {
          command: list(text('must be a program or one of its arguments; write a text'), '[npx, some-server]')
            .min(1, { error: 'is empty; write the program and its arguments' })
            .optional(),
          url: url.optional(),
          headers: headers.optional(),
          tool: text('must be the name of a tool of the server; write one').optional(),
        },
        { error: 'must have command or url; write it such as { command: [npx, some-server] }' },
      )
      .optional()
      .describe('A tool of an MCP server. Only for runs on your own machine.'),
    use: toolName.optional().describe('The name of a registered tool.'),
    mayRepeat: yesOrNo.optional().describe('Whether it may run again when a crash left it unknown if it ran.'),
    timeout: whole('must be a whole number of milliseconds, at most an hour; write one such as 30000', 1, 3_600_000)
      .optional()
      .describe('Milliseconds after which it is given up.'),
  },
  { error: 'must be a tool; write it such as { description: Buys lemons., changes: { lemons: "lemons + 1" } }' },
)

/**
 * A type alone becomes one that more can be said of; the form stays that by name, so that `parameters.count.maximum`
 * can be set.
 */
function written(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (given['type'] === 'object') return given
  return Object.fromEntries(
    Object.entries(given).map(([name, of]) => [name, typeof of === 'string' ? { type: of } : of]),
  )
}

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}
