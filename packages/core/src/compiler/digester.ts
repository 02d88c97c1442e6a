import { MinutebookError } from '../log/error.ts'
import { unknownName, type OptionNames } from '../log/options.ts'
import type { Schema, SchemaOutput } from '../state/state.ts'
import {
  checkOptions,
  digesterOf,
  isDigesterData,
  unknownFieldError,
  unusableError,
  type DigestContext,
  type DigesterData,
  type DigesterOptions,
} from './digester-data.ts'
import { oneLine } from './framing.ts'

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

/** A text for a value, and the digester that wrote it. */
export interface DigestText {
  readonly text: string
  readonly digester: Digester
}

/** Returns the text of the first digester that has one for the value. */
export function digestValue(
  value: unknown,
  context: DigestContext,
  digesters: readonly Digester[],
): DigestText | undefined {
  for (const digester of digesters) {
    if (digester.tool !== undefined && digester.tool !== context.call?.name) continue
    const text = attempt(digester, value, context)
    if (text !== undefined) return { text, digester }
  }
  return undefined
}

function attempt(digester: Digester, value: unknown, context: DigestContext): string | undefined {
  try {
    const text = digester.digest(value, context)
    return typeof text === 'string' ? oneLine(text) || undefined : undefined
  } catch {
    return undefined
  }
}

/** The digesters that a policy has or names, in the policy's order. If it has none, all that are given. */
export function chooseDigesters(
  given: readonly (Digester | DigesterData)[],
  chosen: readonly (string | DigesterData)[] | undefined,
): readonly Digester[] {
  const made = (digester: Digester | DigesterData): Digester =>
    isDigesterData(digester) ? digesterOf(digester) : checked(digester)
  const digesters = given.map(made)
  if (!chosen) return digesters
  return chosen.map((name) => {
    if (typeof name !== 'string') return made(name)
    const found = digesters.find((digester) => digester.id === name)
    if (found) return found
    throw new MinutebookError('unknown_digester', `The policy names the digester ${name}.`, 'Pass it in digesters.', {
      name,
    })
  })
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
