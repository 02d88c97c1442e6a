import { fieldsOf } from '../fields.ts'
import { unusable } from './problem.ts'

/** What `text` asks for, in the fields of a chat. */
export function chatFormat(text: unknown): Readonly<Record<string, unknown>> {
  const { format, verbosity } = fieldsOf(text)
  const asked = responseFormat(fieldsOf(format))
  return { ...(asked && { response_format: asked }), ...(typeof verbosity === 'string' && { verbosity }) }
}

function responseFormat({
  type = 'text',
  name,
  schema,
  strict,
  description,
}: Readonly<Record<string, unknown>>): object | undefined {
  switch (type) {
    case 'text':
      return undefined
    case 'json_object':
      return { type }
    case 'json_schema':
      if (typeof name !== 'string' || name === '')
        throw unusable('text.format.name', 'text.format.name is missing. Name the schema.')
      if (typeof schema !== 'object' || schema === null)
        throw unusable('text.format.schema', 'text.format.schema is missing. Send a JSON Schema.')
      return {
        type,
        json_schema: {
          name,
          schema,
          ...(typeof description === 'string' && { description }),
          ...(typeof strict === 'boolean' && { strict }),
        },
      }
    default:
      throw unusable(
        'text.format.type',
        'text.format.type is none of text, json_object and json_schema. Send one of them.',
        'unsupported_value',
      )
  }
}
