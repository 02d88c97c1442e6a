import { nearestName } from 'minutebook/inspect'
import { z } from 'zod'
import { findConflicts } from './conflicts.ts'
import { fieldName, isHostName, isOrigin, type Problem } from './problems.ts'
import { heapShares, type Config } from './settings.ts'
import {
  age,
  count,
  key,
  list,
  mcp,
  milliseconds,
  model,
  oneOf,
  policy,
  policyName,
  price,
  rateLimit,
  runLimits,
  state,
  telemetry,
  text,
  tool,
  upstream,
  webhook,
  yesOrNo,
} from './shapes.ts'

/** Settings as they were written. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks everything, so that one look at the problems is enough. */
export function check(fields: Fields): { readonly config: Config | undefined; readonly problems: readonly Problem[] } {
  const parsed = schema.safeParse(fields)
  const problems = parsed.success
    ? findConflicts(parsed.data)
    : [...parsed.error.issues.flatMap(problemsOf), ...otherConflicts(fields, parsed.error)]
  return { config: problems.length === 0 ? parsed.data : undefined, problems }
}

/** The conflicts between the fields that are right by themselves. */
function otherConflicts(fields: Fields, { issues }: z.ZodError): Problem[] {
  const failed = new Set(issues.map(({ path }) => String(path[0])))
  const right = Object.entries(fields).filter(([name]) => fieldNames.includes(name) && !failed.has(name))
  const parsed = schema.safeParse({ data: '.', ...Object.fromEntries(right) })
  if (!parsed.success) return []
  return findConflicts(parsed.data).filter(
    ({ field }) => !failed.has(field.split(/[.[]/, 1)[0] ?? '') && !(field === 'host' && failed.has('keys')),
  )
}

const shape = {
  host: text('must be an address or a name to listen on. Write 127.0.0.1, or leave it out.').default('127.0.0.1'),
  port: count('must be a whole number from 0 to 65535. Write a free port, such as 11435.', 0, 65_535).default(11_435),
  data: text('must be the path of a folder. Write one, or leave it out.'),
  database: text('must be the address of a Postgres database. Write postgres://…')
    .regex(/^postgres(ql)?:\/\/./, {
      error: 'must begin with postgres://. To keep the record in a file of the data folder, leave database out.',
    })
    .optional(),
  upstreams: list(upstream)
    .min(1, {
      error: 'is empty. Name at least one upstream. To use an Ollama server on this machine, leave upstreams out.',
    })
    .default([{ url: 'http://127.0.0.1:11434' }]),
  keys: list(key).default([]),
  allowHosts: list(
    z
      .string({ error: 'must be a host name. Write one without port.' })
      .refine(isHostName, { error: 'must be only a host name or address. Leave out scheme, port and path.' }),
  ).default([]),
  allowOrigins: list(
    z.string({ error: 'must be a web origin. Write one such as https://app.example.' }).refine(isOrigin, {
      error:
        "must be a web origin such as https://app.example, or scheme://* for an app's own scheme. Leave out path and slash at the end.",
    }),
  ).default([]),
  models: z.record(z.string(), model, { error: 'must be models by name, each with its settings.' }).default({}),
  prices: z.record(z.string(), price, { error: 'must be prices by the name of the model.' }).default({}),
  policy: policy.default({ preset: 'default' }),
  onStoreFailure: oneOf(['refuse', 'pass']).default('refuse'),
  bodyLimit: count(
    'must be a whole number of bytes, 1024 or more. Write a number, such as 67108864.',
    1024,
    2 ** 31,
  ).default(64 << 20),
  bodiesLimit: count(
    'must be a whole number of bytes, 1048576 or more. Write a number, such as 268435456, or leave it out.',
    1 << 20,
    2 ** 40,
  ).optional(),
  threadLimit: count(
    'must be a whole number of characters, 1024 or more. Write a number, such as 67108864.',
    1024,
    2 ** 31,
  ).default(() => heapShares().threadLimit),
  stabilise: list(oneOf(['tools', 'system'])).default([]),
  record: z
    .union([yesOrNo, z.literal('always')], { error: 'must be true, false or always. Write one of them.' })
    .default(true),
  defaultModel: text('must be the name of a model. Write one, or leave it out.').optional(),
  policies: z.record(policyName, policy, { error: 'must be policies by name, each with its settings.' }).default({}),
  tools: list(tool).default([]),
  mcp: list(mcp).default([]),
  states: list(state).default([]),
  webhooks: list(webhook).default([]),
  responses: oneOf(['auto', 'chats', 'pass']).default('auto'),
  rateLimit: rateLimit.optional(),
  poolSize: count('must be a whole number of connections, 3 to 1000. Write a number, such as 10.', 3, 1000).default(10),
  databaseTimeout: count(
    'must be a whole number of milliseconds, 100 to 600000. Write a number, such as 10000.',
    100,
    600_000,
  ).default(10_000),
  slots: count('must be a whole number of turns at once, 1 to 1000. Write a number, such as 10.', 1, 1000).default(10),
  queueLimit: count(
    'must be a whole number of turns that may wait, 0 or more. Write a number, such as 200.',
    0,
    1e6,
  ).default(200),
  runLimits: runLimits.default({ rounds: 1000 }),
  callTimeout: milliseconds(86_400_000).default(1_800_000),
  drainNotice: milliseconds(600_000).default(0),
  keep: age.optional(),
  telemetry: telemetry.optional(),
}

export const fieldNames: readonly string[] = Object.keys(shape)
/** All settings, each with its default. */
export const schema: z.ZodType<Config> = z.strictObject(shape)

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === 'invalid_key')
    return [{ field: fieldName(issue.path), text: issue.issues[0]?.message ?? issue.message }]
  if (issue.code !== 'unrecognized_keys') return [{ field: fieldName(issue.path), text: issue.message }]
  return issue.keys.map((name) => ({ field: fieldName([...issue.path, name]), text: unknownText(name, issue.path) }))
}

function unknownText(name: string, path: readonly PropertyKey[]): string {
  const known = knownAt(schema, path)
  const near = nearestName(name, known)
  return `there is no such setting. ${near === undefined ? `Remove it; there is ${known.join(', ')}.` : `Did you mean ${near}?`}`
}

/**
 * The names that settings have at a place: `['upstreams', 1]` is the second item of a list. Empty if there are no
 * settings.
 */
function knownAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const at = path.reduce<z.core.$ZodType | undefined>((within, part) => within && inside(bare(within), part), schema)
  const found = at && bare(at)
  return found instanceof z.ZodObject ? Object.keys(found.shape) : []
}

function inside(schema: z.core.$ZodType, part: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return (schema.shape as Readonly<Record<string, z.core.$ZodType>>)[String(part)]
  if (schema instanceof z.ZodArray) return schema.element
  return schema instanceof z.ZodRecord ? schema.valueType : undefined
}

/** Without what says that it may be missing, or is read in another form first. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return bare(schema.unwrap())
  if (!(schema instanceof z.ZodPipe)) return schema
  return bare(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
}
