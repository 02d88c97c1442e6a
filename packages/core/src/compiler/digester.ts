import { MinutebookError } from '../log/error.ts'
import { unknownName, type OptionNames } from '../log/options.ts'
import type { Schema, SchemaOutput } from '../state/state.ts'
import { gist, gistOfJson } from './framing.ts'

/** What every digester has, whether it is a function or data. */
export interface DigesterOptions {
  /** A name and a version, such as `weather@1`. */
  readonly id: `${string}@${number}`
  /** Only for results of this tool. Default: for answers, and for results of every tool. */
  readonly tool?: string | undefined
  /**
   * The most tokens that a line with this digest may take while there is room. If there is not, the line is cut as any
   * other: to the `line` of the policy's outline. Default: twice that.
   */
  readonly line?: number | undefined
}

/** What a digester sees in addition to the value. */
export interface DigestContext {
  /** The call, if the value is the result of a tool. `input`: its arguments, parsed if they are JSON. */
  readonly call: { readonly name: string; readonly input: unknown } | undefined
  /** What the user asked: the first 1,024 characters of it. Empty if the exchange has no user entry. */
  readonly question: string
}

/**
 * How does a program word its own JSON? A digester puts one JSON shape, or the results of one tool, into a few words.
 * The version is part of its id, so that a policy says exactly which rendering it means. Use `defineDigester` to get
 * the value typed.
 *
 * Contract: pure. Returns undefined for a value of another shape; throwing means the same. What it returns is put on
 * one line, so that a value cannot write lines of its own.
 */
export interface Digester extends DigesterOptions {
  /** What it returns is all that the line says of an answer, or of a call and its result. */
  digest(value: unknown, context: DigestContext): string | undefined
}

/** What `defineDigester` takes: a digester for values of one type, with the schema that tells them from others. */
export interface DigesterDefinition<S extends Schema> extends DigesterOptions {
  /** Any validator that follows Standard Schema. A value that it refuses is not digested. It must be synchronous. */
  readonly schema: S
  digest(value: SchemaOutput<S>, context: DigestContext): string | undefined
}

/**
 * Makes a digester. With a schema, `digest` gets the value typed, and only if it is valid. Throws `invalid_digester` if
 * its id or its line cannot be used.
 *
 * @example
 * const weather = defineDigester({
 *   id: 'weather@1',
 *   schema: z.object({ city: z.string(), degrees: z.number() }),
 *   digest: ({ city, degrees }) => `${city}, ${degrees} °C`,
 * })
 */
export function defineDigester<S extends Schema>(definition: DigesterDefinition<S>): Digester
export function defineDigester(definition: Digester & { readonly schema?: undefined }): Digester
export function defineDigester(definition: Digester | DigesterDefinition<Schema>): Digester {
  const unknown = unknownName(definition, definitionFields)
  if (unknown !== undefined) throw unknownFieldError(definition.id, unknown, definitionFields)
  if (!('schema' in definition) || definition.schema === undefined) return checked(definition as Digester)
  const { id, tool, line, schema } = definition
  if (typeof schema['~standard']?.validate !== 'function')
    throw unusableError(
      id,
      'its schema has no validate function',
      'Pass one that follows Standard Schema, such as one of zod.',
    )
  return checked({
    id,
    tool,
    line,
    digest: (value, context) => {
      const result = schema['~standard'].validate(value)
      return 'issues' in result && result.issues
        ? undefined
        : 'value' in result
          ? definition.digest(result.value, context)
          : undefined
    },
  })
}

const definitionFields: OptionNames<DigesterDefinition<Schema>> = {
  id: true,
  tool: true,
  line: true,
  schema: true,
  digest: true,
}

/** A digester of what was passed: a function or data. Throws `invalid_digester` if it cannot be used. */
export function usableDigester(passed: Digester | DigesterData): Digester {
  return isDigesterData(passed) ? digesterOf(passed) : checked(passed)
}

/** A digester as settings record it: by its id instead of its function, or whole if it is data. */
export type DigesterRecord = DigesterOptions & Partial<DigesterData>

export function recordOf(digester: Digester & Partial<DigesterData>): DigesterRecord {
  const { id, tool, line, when, template, each, join } = digester
  const fields = Object.entries({ tool, line, when, template, each, join })
  return { id, ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)) }
}

/**
 * The digester with the options that were recorded, which may differ from those of today. Undefined if it was not
 * passed and is not data.
 */
export function recordedDigester(
  record: DigesterRecord,
  passed: readonly (Digester | DigesterData)[],
): Digester | DigesterData | undefined {
  const { template } = record
  if (template !== undefined) return { ...record, template }
  const found = passed.find(({ id }) => id === record.id)
  return found && !isDigesterData(found)
    ? { ...record, digest: (value, context) => found.digest(value, context) }
    : undefined
}

function checked(digester: Digester): Digester {
  if (typeof digester?.digest !== 'function')
    throw unusableError(digester?.id, 'it has no function', 'Pass { id, digest(value) }, or { id, template }.')
  checkOptions(digester)
  return digester
}

/**
 * How is a digester written without code? As plain data, for settings, recorded policies and files: a text with paths
 * into the JSON value in braces. A value that lacks one of these paths is of another shape, and is not digested.
 *
 * A path is made of names: `{steps.0.color}`. `{steps.length}` is the length of a list, and `{steps[*].color}` the
 * colour of each of its items. `{$question}` is what the user asked, `{$call.name}` and `{$call.input.wish}` are of the
 * call. `{{` and `}}` are braces.
 *
 * @example
 * const lamp: DigesterData = {
 *   id: 'lamp@1',
 *   template: '{name}, {steps.length} steps: {steps}, {loop} loop',
 *   each: { steps: '{pattern}({color})' },
 *   join: ' → ',
 * }
 */
export interface DigesterData extends DigesterOptions {
  /** Only for values that have exactly this at these paths. Default: for all that have the paths of the template. */
  readonly when?: Readonly<Record<string, string | number | boolean | null>> | undefined
  readonly template: string
  /** The template for each item of a list, by the path of the list. Default: the item itself. */
  readonly each?: Readonly<Record<string, string>> | undefined
  /** What comes between the items of a list. Default: a comma and a blank. */
  readonly join?: string | undefined
}

const dataFields: OptionNames<DigesterData> = {
  id: true,
  tool: true,
  line: true,
  when: true,
  template: true,
  each: true,
  join: true,
}
const limits = { template: 1000, paths: 16, rules: 8, join: 16, items: 256, value: 200, text: 4096 } as const

function isDigesterData(digester: DigesterOptions): digester is DigesterData {
  return typeof digester === 'object' && digester !== null && !('digest' in digester) && 'template' in digester
}

/** Makes a digester of data. Throws `invalid_digester` if the data cannot be used. */
export function digesterOf(
  data: DigesterData,
): DigesterData & { digest(value: unknown, context: DigestContext): string | undefined } {
  if (typeof data !== 'object' || data === null)
    throw unusableError(undefined, 'it is not an object', 'Write { id, template }.')
  checkOptions(data)
  const template = readTemplate(data, data.template, 'template')
  const each = new Map(rulesOf(data, 'each').map(([path, text]) => [path, readTemplate(data, text, `each.${path}`)]))
  const when = rulesOf(data, 'when').map(([path, expected]) => ({ path: readPath(data, path, 'when'), expected }))
  const { join = ', ' } = data
  if (typeof join !== 'string' || join === '' || join.length > limits.join)
    throw unusableError(data.id, 'join must be a text', `Write 1 to ${limits.join} characters.`)
  const unknown = unknownName(data, dataFields)
  if (unknown !== undefined) throw unknownFieldError(data.id, unknown, dataFields)
  return {
    ...data,
    digest: (value, context) => {
      const root = { value, context }
      if (when.some(({ path, expected }) => valuesAt(path, root)?.[0] !== expected)) return undefined
      return filled(template, root, each, join)
    },
  }
}

/** A path, as it is written and as its names. Null: each item of a list. */
interface Path {
  readonly text: string
  readonly names: readonly (string | null)[]
}

/** Plain text and paths, in their order. */
type Template = readonly (string | Path)[]

/** What paths begin at. */
interface Root {
  readonly value: unknown
  readonly context: DigestContext
}

/** The template with all its paths filled in. Undefined if the value lacks one of them. Stops if it is too long. */
function filled(template: Template, root: Root, each: ReadonlyMap<string, Template>, join: string): string | undefined {
  let text = ''
  for (const part of template) {
    if (typeof part === 'string') text += part
    else {
      const values = valuesAt(part, root)
      if (!values) return undefined
      const form = each.get(part.text)
      let isFirst = true
      for (const value of values.flatMap(itemsOf).slice(0, limits.items)) {
        const item = form ? filled(form, { ...root, value }, new Map(), join) : wordOf(value)
        if (item === undefined) return undefined
        text += isFirst ? item : join + item
        isFirst = false
        if (text.length > limits.text) return text
      }
    }
  }
  return text
}

function wordOf(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? gistOfJson(value, limits.value)
    : gist(String(value), limits.value)
}

/** The values at a path: one, or one for each item. Undefined if one of them is missing. */
function valuesAt({ names }: Path, { value, context }: Root): readonly unknown[] | undefined {
  let values: readonly unknown[] = [
    names[0]?.startsWith('$') ? { $question: context.question, $call: context.call } : value,
  ]
  for (const name of names) {
    if (name === null && !values.every(Array.isArray)) return undefined
    values = name === null ? values.flatMap(itemsOf).slice(0, limits.items) : values.map((each) => memberOf(each, name))
    if (values.includes(undefined)) return undefined
  }
  return values
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, limits.items) : [value]
}

/** Only what the JSON itself has: nothing that objects inherit. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

function readTemplate(data: DigesterData, template: unknown, field: string): Template {
  if (typeof template !== 'string' || template === '' || template.length > limits.template)
    throw unusableError(data.id, `${field} must be a text`, `Write 1 to ${limits.template} characters.`)
  const parts: (string | Path)[] = []
  let plain = ''
  for (let at = 0; at < template.length; at++) {
    const character = template.charAt(at)
    const isDoubled = template.charAt(at + 1) === character
    if ((character !== '{' && character !== '}') || isDoubled) {
      plain += character
      if (isDoubled && (character === '{' || character === '}')) at++
      continue
    }
    const end = template.indexOf('}', at)
    if (character === '}' || end < 0)
      throw unusableError(data.id, `${field} has a brace without its other half`, 'Write {{ or }} for a brace itself.')
    parts.push(plain, readPath(data, template.slice(at + 1, end), field))
    plain = ''
    at = end
  }
  const all = [...parts, plain].filter((part) => part !== '')
  if (all.filter((part) => typeof part !== 'string').length > limits.paths)
    throw unusableError(data.id, `${field} has too many paths`, `Write at most ${limits.paths}.`)
  return all
}

function readPath(data: DigesterData, text: string, field: string): Path {
  const names = text.split('.').flatMap((name) => {
    const [own = '', ...lists] = name.split('[*]')
    if (own === '' || lists.some((rest) => rest !== '') || /[{}[\]\s]/.test(own))
      throw unusableError(
        data.id,
        `${field} has the path "${gist(text, 40)}"`,
        'Write names with dots: steps.0.color, or steps[*].color.',
      )
    return [own, ...lists.map(() => null)]
  })
  const isContext = names[0]?.startsWith('$') === true
  if (isContext && names[0] !== '$question' && names[0] !== '$call')
    throw unusableError(data.id, `${field} has the path "${gist(text, 40)}"`, 'Only $question and $call begin with $.')
  return { text, names }
}

function rulesOf<F extends 'each' | 'when'>(
  data: DigesterData,
  field: F,
): [string, NonNullable<DigesterData[F]>[string]][] {
  const rules: unknown = data[field] ?? {}
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules) || Object.keys(rules).length > limits.rules)
    throw unusableError(
      data.id,
      `${field} must be an object`,
      `Write at most ${limits.rules} paths, each with its value.`,
    )
  return Object.entries(rules)
}

/** Throws `invalid_digester` if the id or the line cannot be used. */
function checkOptions({ id, tool, line }: DigesterOptions): void {
  if (typeof id !== 'string' || !/^[^@]{1,64}@\d{1,6}$/.test(id))
    throw unusableError(id, 'its id has no version', 'Write an id such as weather@1.')
  if (tool !== undefined && typeof tool !== 'string')
    throw unusableError(id, 'its tool is not a name', 'Write the name of one tool, or leave it out.')
  if (line !== undefined && !(Number.isSafeInteger(line) && line > 0))
    throw unusableError(id, `its line is ${String(line)}`, 'Write a number of tokens, 1 or more.')
}

function unknownFieldError(id: unknown, field: string, known: object): MinutebookError {
  return unusableError(id, `it has no field ${gist(field, 64)}`, `The fields are ${Object.keys(known).join(', ')}.`)
}

function unusableError(id: unknown, why: string, fix: string): MinutebookError {
  const named = typeof id === 'string' ? ` ${gist(id, 64)}` : ''
  return new MinutebookError('invalid_digester', `The digester${named} cannot be used: ${why}.`, fix)
}
