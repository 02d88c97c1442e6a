import { MinutebookError } from '../log/error.ts'
import type { Schema, SchemaOutput } from '../state/state.ts'
import { oneLine } from './framing.ts'

/**
 * How does a program word its own JSON? A digester puts one JSON shape, or the results of one tool, into a few words.
 * The version is part of its id, so that a policy says exactly which rendering it means. Use `defineDigester` to get
 * the value typed.
 *
 * Contract: pure. Returns undefined for a value of another shape; throwing means the same. What it returns is put on
 * one line, so that a value cannot write lines of its own.
 */
export interface Digester {
  readonly id: `${string}@${number}`
  /** Only for results of this tool. Default: for answers, and for results of every tool. */
  readonly tool?: string | undefined
  /**
   * The most tokens that a line with this digest may take while there is room. If there is not, the line is cut as any
   * other: to the `line` of the policy's outline. Default: twice that.
   */
  readonly line?: number | undefined
  /** What it returns is all that the line says of an answer, or of a call and its result. */
  digest(value: unknown, context: DigestContext): string | undefined
}

/** What a digester sees in addition to the value. */
export interface DigestContext {
  /** The call, if the value is the result of a tool. `input`: its arguments, parsed if they are JSON. */
  readonly call: { readonly name: string; readonly input: unknown } | undefined
  /** What the user asked: the first 1,024 characters of it. Empty if the exchange has no user entry. */
  readonly question: string
}

/** What `defineDigester` takes: a digester for values of one type, with the schema that tells them from others. */
export interface DigesterDefinition<S extends Schema> extends Pick<Digester, 'id' | 'tool' | 'line'> {
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
  if (!('schema' in definition) || definition.schema === undefined) return checked(definition as Digester)
  const { id, tool, line, schema } = definition
  if (typeof schema['~standard']?.validate !== 'function')
    throw invalidDigesterError(
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

/** The digesters that a policy names, in the policy's order. If it names none, all of them. */
export function chooseDigesters(
  digesters: readonly Digester[],
  names: readonly string[] | undefined,
): readonly Digester[] {
  for (const digester of digesters) checked(digester)
  if (!names) return digesters
  return names.map((name) => {
    const found = digesters.find((digester) => digester.id === name)
    if (found) return found
    throw new MinutebookError('unknown_digester', `The policy names the digester ${name}.`, 'Pass it in digesters.', {
      name,
    })
  })
}

/** A digester as settings record it: by its id instead of its function. */
export type DigesterRecord = Pick<Digester, 'id' | 'tool' | 'line'>

export function recordOf({ id, tool, line }: Digester): DigesterRecord {
  return { id, ...(tool !== undefined && { tool }), ...(line !== undefined && { line }) }
}

/** The digester with the options that were recorded, which may differ from those of today. */
export function recordedDigester(record: DigesterRecord, digester: Digester): Digester {
  return { ...record, digest: (value, context) => digester.digest(value, context) }
}

function checked(digester: Digester): Digester {
  const { id, line, digest } = Object(digester) as Partial<Digester>
  if (typeof digest !== 'function' || typeof id !== 'string' || !id.includes('@'))
    throw invalidDigesterError(
      id,
      'it has no id or no function',
      'Pass { id, digest(value) } with an id such as weather@1.',
    )
  if (line !== undefined && !(Number.isSafeInteger(line) && line > 0))
    throw invalidDigesterError(id, `its line is ${String(line)}`, 'Pass a number of tokens, 1 or more.')
  return digester
}

function invalidDigesterError(id: unknown, why: string, fix: string): MinutebookError {
  const named = typeof id === 'string' ? ` ${id}` : ''
  return new MinutebookError('invalid_digester', `The digester${named} cannot be used: ${why}.`, fix)
}
