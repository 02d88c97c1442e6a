import { z } from 'zod'
import { findConflicts } from './conflict.ts'
import { fieldName, nearest, type Problem } from './problem.ts'
import type { Config } from './settings.ts'
import { isHostName, isOrigin, upstreamProblem } from './value.ts'

/** Settings as they were said. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks everything, so that one look at the problems is enough. */
export function check(fields: Fields): { readonly config: Config | undefined; readonly problems: readonly Problem[] } {
  const parsed = schema.safeParse(fields)
  const problems = parsed.success ? findConflicts(parsed.data) : [...parsed.error.issues.flatMap(problemsOf), ...otherConflicts(fields, parsed.error)]
  return { config: problems.length === 0 ? parsed.data : undefined, problems }
}

/** The conflicts between the fields that are right by themselves. */
function otherConflicts(fields: Fields, { issues }: z.ZodError): Problem[] {
  const failed = new Set(issues.map(({ path }) => String(path[0])))
  const right = Object.entries(fields).filter(([name]) => fieldNames.includes(name) && !failed.has(name))
  const parsed = schema.safeParse({ data: '.', ...Object.fromEntries(right) })
  if (!parsed.success) return []
  return findConflicts(parsed.data).filter(({ field }) => !failed.has(field.split(/[.[]/, 1)[0] ?? '') && !(field === 'host' && failed.has('keys')))
}

const text = (wanted: string): z.ZodString => z.string({ error: wanted }).min(1, { error: wanted })
const count = (wanted: string, least: number, most: number): z.ZodNumber => z.number({ error: wanted }).int({ error: wanted }).min(least, { error: wanted }).max(most, { error: wanted })
const tokens = (least: number): z.ZodNumber => count(`must be a whole number of tokens, ${least} or more. Write a number.`, least, 2 ** 31)
const yesOrNo = z.boolean({ error: 'must be true or false. Write one of them.' })
const oneOf = <const T extends readonly string[]>(names: T): z.ZodEnum<{ [K in T[number]]: K }> => z.enum(names, { error: `must be ${names.join(' or ')}. Write one of them.` })
const list = <T extends z.ZodType>(of: T): z.ZodArray<T> => z.array(of, { error: 'must be a list. Write one value per line, each after "- ".' })

const upstream = z.preprocess(
  (said) => (typeof said === 'string' ? { url: said } : said),
  z.strictObject({
    url: z.unknown().superRefine((url, context) => {
      const problem = upstreamProblem(url)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    }).transform(String),
    protocol: oneOf(['ollama', 'openai']).optional(),
    key: text('must be the key that the upstream wants, as text. Put it in quotes.').regex(/^[\x21-\x7e]+$/, { error: 'holds a character that no key has. Copy it again, without blanks.' }).optional(),
    models: list(text('must be the name of a model. Write a text.')).min(1, { error: 'is empty. List the models, or leave models out.' }).optional(),
  }, { error: 'must be an address, or settings by name: url, protocol, key, models.' }),
)

const key = z.strictObject({
  name: text('must be a short name for the key, which logs show. Write one.').regex(/^[\w.@-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, ".", "_", "@" or "-". Write such a name.' }),
  sha256: text('must be the SHA-256 of the key, 64 hexadecimal digits in quotes.').regex(/^[0-9a-fA-F]{64}$/, { error: 'must be the SHA-256 of the key, 64 hexadecimal digits in quotes; never the key itself.' }).toLowerCase(),
  tenant: text('must be the name of a tenant. Write one.').regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, { error: 'must be 1 to 63 small letters, digits, "_" or "-". Write such a name.' }).default('default'),
  operator: yesOrNo.default(false),
  system: yesOrNo.optional(),
}, { error: 'must have name and sha256.' })

const flags = ['systemFirstOnly', 'mustAlternate', 'noSystem', 'needsUser', 'noTools', 'answerAfterTool', 'oneCallAtATime', 'callsWithoutText', 'nineCharacterIds', 'normalized'] as const

const model = z.strictObject({
  window: tokens(16).optional(),
  num_ctx: tokens(16).optional(),
  reserve: tokens(1).optional(),
  counter: text('must be estimate, o200k or the path of a tokenizer.json. Write one.').optional(),
  profile: z.strictObject({
    ...(Object.fromEntries(flags.map((flag) => [flag, yesOrNo.optional()])) as Record<(typeof flags)[number], z.ZodOptional<z.ZodBoolean>>),
    argumentsAs: oneOf(['object', 'string']).optional(),
  }, { error: 'must be flags by name, such as "systemFirstOnly: true".' }).transform((profile) => Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined))).optional(),
}, { error: 'must be settings by name: window, num_ctx, reserve, counter, profile.' })

const presets = ['default', 'lastMessages', 'tiered', 'firstAndRecent'] as const

const policy = z.preprocess(
  (said) => (typeof said === 'string' ? { preset: said } : said),
  z.strictObject({
    preset: oneOf(presets).default('default'),
    recall: oneOf(['off', 'gated', 'eager']).optional(),
    epochs: yesOrNo.optional(),
    messages: count('must be a whole number of messages, 1 or more. Write a number.', 1, 1e6).optional(),
    verbatim: count('must be a whole number of exchanges, 0 or more. Write a number.', 0, 1e6).optional(),
    overflow: oneOf(['error', 'keep']).optional(),
    notes: yesOrNo.optional(),
    journal: yesOrNo.optional(),
  }, { error: `must be ${presets.join(' or ')}, or settings by name: preset, recall, epochs, messages, verbatim, overflow, notes, journal.` }),
)

const shape = {
  host: text('must be an address or a name to listen on. Write 127.0.0.1, or leave it out.').default('127.0.0.1'),
  port: count('must be a whole number from 0 to 65535. Write a free port, such as 11435.', 0, 65_535).default(11_435),
  data: text('must be the path of a folder. Write one, or leave it out.'),
  database: text('must be the address of a Postgres database. Write postgres://…').regex(/^postgres(ql)?:\/\/./, { error: 'must begin with postgres://. For a file leave it out: one is kept in the data folder.' }).optional(),
  upstreams: list(upstream).min(1, { error: 'is empty. Name one upstream at least, or leave it out for an Ollama server on this machine.' }).default([{ url: 'http://127.0.0.1:11434' }]),
  keys: list(key).default([]),
  allowHosts: list(z.string({ error: 'must be a host name. Write one without port.' }).refine(isHostName, { error: 'must be a host name or address alone. Leave out scheme, port and path.' })).default([]),
  allowOrigins: list(z.string({ error: 'must be a web origin. Write one such as https://app.example.' }).refine(isOrigin, { error: 'must be a web origin such as https://app.example, or scheme://* for an app\'s own scheme. Leave out path and slash at the end.' })).default([]),
  models: z.record(z.string(), model, { error: 'must be models by name, each with its settings.' }).default({}),
  policy: policy.default({ preset: 'default' }),
  onStoreFailure: oneOf(['refuse', 'pass']).default('refuse'),
  bodyLimit: count('must be a whole number of bytes, 1024 or more. Write a number, such as 67108864.', 1024, 2 ** 31).default(64 << 20),
  record: yesOrNo.default(true),
}

export const fieldNames: readonly string[] = Object.keys(shape)
const schema = z.strictObject(shape)

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code !== 'unrecognized_keys') return [{ field: fieldName(issue.path), text: issue.message }]
  return issue.keys.map((name) => ({ field: fieldName([...issue.path, name]), text: unknownText(name, issue.path) }))
}

function unknownText(name: string, path: readonly PropertyKey[]): string {
  const known = knownAt(path)
  const near = nearest(name, known)
  return `there is no such setting. ${near === undefined ? `Remove it; there is ${known.join(', ')}.` : `Did you mean ${near}?`}`
}

function knownAt(path: readonly PropertyKey[]): readonly string[] {
  switch (path.filter((part) => typeof part === 'string').join('.').split('.')[0]) {
    case 'upstreams':
      return ['url', 'protocol', 'key', 'models']
    case 'keys':
      return Object.keys(key.shape)
    case 'models':
      return path.length > 2 ? [...flags, 'argumentsAs'] : Object.keys(model.shape)
    case 'policy':
      return ['preset', 'recall', 'epochs', 'messages', 'verbatim', 'overflow', 'notes', 'journal']
    default:
      return fieldNames
  }
}
