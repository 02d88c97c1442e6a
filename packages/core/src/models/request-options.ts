import type { ModelOptions, OutputSchema } from '../log/entry.ts'
import type { ModelRequest } from './model.ts'
import type { Fields } from './wire.ts'

/**
 * How is it written in a request what is asked of an answer? In OpenAI's protocol, as these fields of the body. Absent
 * options are not written, so that those of the model stay.
 *
 * @example
 * openAiOptions({ options: { temperature: 0 } }) // { temperature: 0 }
 */
export function openAiOptions({ options = {}, toolChoice }: Pick<ModelRequest, 'options' | 'toolChoice'>): Fields {
  const { output } = options
  return {
    ...samplingOf(options),
    ...(output && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: output, strict: isStrict(output) },
      },
    }),
    ...(toolChoice && { tool_choice: toolChoice }),
  }
}

/**
 * The same for Ollama: `options` are added to the options of the body, `body` to the body. Ollama has no field for the
 * choice of tools and needs none: with a format, the model cannot write a call.
 *
 * @example
 * ollamaOptions({ options: { temperature: 0, output: schema } }) // { body: { format: schema }, options: { temperature: 0 } }
 */
export function ollamaOptions({ options = {} }: Pick<ModelRequest, 'options'>): {
  readonly body: Fields
  readonly options: Fields
} {
  return { body: options.output ? { format: options.output } : {}, options: samplingOf(options) }
}

/** The options that OpenAI's and Ollama's protocols name alike. */
function samplingOf({ temperature, seed, stop }: ModelOptions): Fields {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(stop && { stop }),
  }
}

/**
 * Whether OpenAI takes a schema as strict: each object in it names all of its properties as required and has no others.
 * OpenAI refuses any other schema that is sent as strict. Other servers always hold to the schema.
 */
function isStrict(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true
  const { type, properties, required, additionalProperties } = schema as OutputSchema
  if (type === 'object' || properties !== undefined) {
    const names = Array.isArray(required) ? new Set<unknown>(required) : new Set()
    const isClosed = additionalProperties === false && Object.keys(properties ?? {}).every((name) => names.has(name))
    if (!isClosed) return false
  }
  return Object.values(schema).every(isStrict)
}
