import { z } from 'zod'
import type { McpConfig, StateConfig, ToolConfig } from '../settings.ts'
import { serviceProblem } from '../value.ts'
import { address, headers, list, milliseconds, text, yesOrNo } from './value.ts'

const name = text('must be a name. Write one.').regex(/^[A-Za-z0-9_-]{1,64}$/, {
  error: 'must be 1 to 64 letters, digits, "_" or "-". Write such a name.',
})
const schema = z.record(z.string(), z.unknown(), {
  error: 'must be a JSON Schema. Write one such as { type: object, properties: { … } }.',
})
const names = list(name).min(1, { error: 'is empty. Name one at least.' })

/** A tool that the server runs by an HTTP request. */
export const tool: z.ZodType<ToolConfig> = z.strictObject(
  {
    name,
    description: z
      .string({ error: 'must be a text that tells the model what the tool does. Put it in quotes.' })
      .optional(),
    parameters: schema,
    url: address(serviceProblem),
    headers: headers.optional(),
    mayRepeat: yesOrNo.optional(),
    timeout: milliseconds(3_600_000).optional(),
  },
  { error: 'must have name, parameters and url.' },
)

/** A server of tools. */
export const mcp: z.ZodType<McpConfig> = z.strictObject(
  {
    name,
    url: address(serviceProblem).optional(),
    command: list(text('must be a program or one of its arguments. Write a text.'))
      .min(1, { error: 'is empty. Write the program and its arguments.' })
      .optional(),
    headers: headers.optional(),
    tools: names.optional(),
    mayRepeat: yesOrNo.optional(),
  },
  { error: 'must have name, and url or command.' },
)

/** What the results of tools say together. */
export const state: z.ZodType<StateConfig> = z.strictObject(
  {
    name,
    tools: names,
    schema: schema.optional(),
  },
  { error: 'must have name and tools.' },
)
