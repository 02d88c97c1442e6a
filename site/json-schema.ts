// What does a JSON Schema of the API say, in words? The type of a value, and a row for each of its fields.

/** As much of JSON Schema as openapi.json uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly default?: unknown
}

/** The page of all schemas, seen from a page next to it. Each schema has a heading. */
export const schemasFile = 'schemas.md'

/** The type of a value: `string`, `list of Entry`, `"text" or null`. */
export function typeText(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schemaLink(schema.$ref)
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  const choices = schema.anyOf ?? schema.allOf
  if (choices !== undefined)
    return [...new Set(choices.map(typeText))].join(schema.anyOf === undefined ? ' and ' : ' or ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any JSON'])
  return types.map((type) => plainType(type, schema)).join(' or ')
}

/** A table of the fields, with those of inner objects below their own name: `window.asked`. */
export function fieldTable(schema: JsonSchema): string {
  const rows = fieldRows(schema, '')
  if (rows.length === 0) return ''
  return `| field | type | meaning |\n|---|---|---|\n${rows.join('\n')}`
}

/** The limits of a value, and what it is: the last cell of its row. */
export function meaningOf(schema: JsonSchema): string {
  return cell([schema.description ?? '', limits(schema)].filter((part) => part !== '').join(' '))
}

/** Text that stays within a cell of a table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}

function fieldRows(schema: JsonSchema, before: string): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${before}${name}`
    const optional = schema.required?.includes(name) ? '' : ' (optional)'
    const inner = field.$ref === undefined ? innerRows(field, path) : []
    return [`| \`${path}\`${optional} | ${cell(typeText(field))} | ${meaningOf(field)} |`, ...inner]
  })
  return [...own, ...(schema.anyOf ?? []).flatMap((choice) => fieldRows(choice, before))]
}

function innerRows(field: JsonSchema, path: string): string[] {
  const { items, additionalProperties: values } = field
  return [
    ...fieldRows(field, `${path}.`),
    ...(items === undefined ? [] : fieldRows(items, `${path}[].`)),
    ...(typeof values === 'object' ? fieldRows(values, `${path}.*.`) : []),
  ]
}

function plainType(type: string, schema: JsonSchema): string {
  if (type === 'array') {
    if (schema.prefixItems !== undefined) return `list of ${schema.prefixItems.map(typeText).join(', ')}`
    return schema.items === undefined ? 'list' : `list of ${typeText(schema.items)}`
  }
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `object, each value ${typeText(schema.additionalProperties)}`
  return type
}

function limits({ minimum, maximum, maxLength, maxItems, default: otherwise }: JsonSchema): string {
  // Limits of what JavaScript can count say nothing.
  const isTold = (limit: number | undefined): limit is number =>
    limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER
  const range = [
    isTold(minimum) ? `at least ${figure(minimum)}` : '',
    isTold(maximum) ? `at most ${figure(maximum)}` : '',
  ]
  const parts = [
    ...range,
    maxLength === undefined ? '' : `at most ${figure(maxLength)} characters`,
    maxItems === undefined ? '' : `at most ${figure(maxItems)} items`,
  ].filter((part) => part !== '')
  const text = parts.join(', ')
  const told = text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`
  return otherwise === undefined ? told : `${told} Default: \`${JSON.stringify(otherwise)}\`.`.trim()
}

function figure(value: number): string {
  return value.toLocaleString('en-US')
}

function schemaLink(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  return `[${name}](${schemasFile}#${name.toLowerCase()})`
}
