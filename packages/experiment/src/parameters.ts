type Schema = Readonly<Record<string, unknown>>

/** The JSON Schema of parameters that are given by name; a whole JSON Schema is returned unchanged. */
export function parametersSchema(given: Schema): Schema {
  if (isWhole(given)) return given
  const entries = Object.entries(given as Readonly<Record<string, Schema>>)
  const properties = Object.fromEntries(
    entries.map(([name, schema]) => [
      name,
      Object.fromEntries(Object.entries(schema).filter(([part]) => part !== 'optional')),
    ]),
  )
  return {
    type: 'object',
    properties,
    required: entries.filter(([, { optional }]) => optional !== true).map(([name]) => name),
    additionalProperties: false,
  }
}

/** Parameters next to the properties of a whole JSON Schema: they have no effect there. */
export function strayParameters(given: Schema): readonly string[] {
  if (!isWhole(given)) return []
  const { properties } = given
  return Object.keys(given).filter((name) => !keywords.has(name) && Object.hasOwn(properties, name))
}

function isWhole(given: Schema): given is Schema & { readonly properties: Schema } {
  return given['type'] === 'object' && typeof given['properties'] === 'object' && given['properties'] !== null
}

/** Words of JSON Schema that parameters are called by, too. */
const keywords: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'title',
  'description',
  'default',
  'examples',
  'enum',
  'const',
  'required',
  'format',
  'items',
  'not',
  'if',
  'then',
  'else',
  'definitions',
  'deprecated',
])
