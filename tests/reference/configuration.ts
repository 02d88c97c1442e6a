// The page of all settings, from the schema that checks them.
import { z } from 'zod'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { schema } from '../../packages/server/src/config/schema.ts'
import { variableOf } from '../../packages/server/src/config/sources.ts'
import { code, page, table } from './markdown.ts'
import { compareNames, textsOf } from './texts.ts'

type Words = string | { readonly text: string; readonly default?: string }

interface Texts {
  readonly settings: Readonly<Record<string, Readonly<Record<string, Words>>>>
  readonly within: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** What is read of a JSON Schema. */
interface Shape {
  readonly enum?: readonly unknown[]
  readonly default?: string | number | boolean
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly additionalProperties?: Shape | boolean
}

export function configurationPage(): string {
  const texts = textsOf<Texts>('settings')
  const { properties = {} } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as unknown as Shape
  const within = new Map(
    Object.entries(properties).flatMap(([name, shape]) => {
      const fields = fieldsOf(shape)
      return fields ? [[name, fields] as const] : []
    }),
  )
  compareNames('settings', Object.keys(properties), Object.values(texts.settings).flatMap(Object.keys))
  // Policies have the settings of a policy.
  within.delete('policies')
  compareNames(
    'settings',
    [...within].flatMap(([name, { properties: fields = {} }]) =>
      Object.keys(fields).map((field) => `${name}.${field}`),
    ),
    Object.entries(texts.within).flatMap(([name, fields]) => Object.keys(fields).map((field) => `${name}.${field}`)),
  )
  const defaults = readConfig({ path: false, environment: {}, flags: { data: '.' } }) as object as Defaults
  const rows = ([name, words]: readonly [string, Words]): string[] => {
    const { text, default: said } = typeof words === 'string' ? { text: words } : words
    const meaning = `${text}${valuesText(properties[name] ?? {}, text)}`
    return [`\`${name}\``, code(variableOf(name)), said ?? defaultText(name, defaults[name]), meaning]
  }
  return page('Configuration', introduction, [
    '## All settings',
    ...Object.entries(texts.settings).flatMap(([group, settings]) => [
      `### ${group}`,
      table(['setting', 'variable', 'default', 'meaning'], Object.entries(settings).map(rows)),
    ]),
    '## Settings within settings',
    ...Object.entries(texts.within).flatMap(([name, fields]) => [
      `### ${name}`,
      table(['setting', 'default', 'meaning'], Object.entries(fields).map(fieldRow(within.get(name) ?? {}))),
    ]),
    example,
  ])
}

type Defaults = Readonly<Record<string, unknown>>

const introduction = `Every setting of \`minutebook serve\` and of \`@minutebook/server\`. Each is read from the first of these places that has it: the command line, the environment, the YAML file that \`--config\` or \`MINUTEBOOK_CONFIG\` names. In the environment, lists are separated by commas, and objects are written as JSON. Settings are checked at start: all invalid fields are reported at once, with a fix for each. A \`minutebook.yaml\` in the working directory is used after you have approved it, see [running the gateway](../gateway.md#settings).`

const example = `## Example

\`\`\`yaml
upstreams: [http://127.0.0.1:11434]
models: { 'gemma3:4b': { num_ctx: 16384, reserve: 1024 }, 'gpt-oss:20b': { counter: o200k } }
policy: { preset: default, recall: eager }
\`\`\`

The same in the environment:

\`\`\`sh
export MINUTEBOOK_UPSTREAMS=http://127.0.0.1:11434
export MINUTEBOOK_MODELS='{ "gemma3:4b": { "num_ctx": 16384, "reserve": 1024 }, "gpt-oss:20b": { "counter": "o200k" } }'
export MINUTEBOOK_POLICY='{ "preset": "default", "recall": "eager" }'
\`\`\``

/** The object that a setting is, or has in a list or by names. */
function fieldsOf(shape: Shape): Shape | undefined {
  if (shape.properties) return shape
  if (shape.items?.properties) return shape.items
  const { additionalProperties: values } = shape
  return typeof values === 'object' && values.properties ? values : undefined
}

function fieldRow({ properties = {}, required = [] }: Shape): (row: readonly [string, string]) => string[] {
  return ([name, text]) => {
    const shape = properties[name] ?? {}
    const isNeeded = required.includes(name) && shape.default === undefined
    const given = shape.default === undefined ? '' : code(String(shape.default))
    return [`\`${name}\``, isNeeded ? 'required' : given, `${text}${valuesText(shape, text)}`]
  }
}

/** The values that a setting can have, if its text does not name them. */
function valuesText(shape: Shape, text: string): string {
  const values = (shape.enum ?? shape.items?.enum ?? []).map((value) => code(String(value)))
  const unnamed = values.filter((value) => !text.includes(value))
  if (unnamed.length === 0) return ''
  return ` ${shape.enum ? 'One of' : 'Any of'} ${values.join(', ')}.`
}

/** A default as it is written in the environment or in YAML. */
function defaultText(name: string, value: unknown): string {
  if (name === 'data') return "the user's data folder"
  if (value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)) return 'none'
  if (Array.isArray(value)) return value.map(({ url }: { readonly url: string }) => code(url)).join(', ')
  if (typeof value !== 'object') return code(String(value as string | number | boolean))
  const { preset, ...fields } = value as { readonly preset?: string }
  const pairs = Object.entries(fields).map(([field, given]) => `${field}: ${JSON.stringify(given)}`)
  return code(preset ?? `{ ${pairs.join(', ')} }`)
}
