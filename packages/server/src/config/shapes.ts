import type { ModelPrice } from '@minutebook/inspect'
import type { DigesterData } from 'minutebook/compile'
import type { PolicyConfig } from '@minutebook/experiment/run'
import { z } from 'zod'
import { scopes, tenantPattern, type Scope } from './caller.ts'
import { digesterProblem, serviceProblem, upstreamProblem } from './problems.ts'
import type {
  KeyConfig,
  McpConfig,
  ModelConfig,
  RateLimitConfig,
  RunLimitsConfig,
  StateConfig,
  TelemetryConfig,
  ToolConfig,
  UpstreamConfig,
  WebhookConfig,
} from './settings.ts'

export const text = (wanted: string): z.ZodString => z.string({ error: wanted }).min(1, { error: wanted })
export const count = (wanted: string, least: number, most: number): z.ZodNumber =>
  z.number({ error: wanted }).int({ error: wanted }).min(least, { error: wanted }).max(most, { error: wanted })
const tokens = (least: number): z.ZodNumber =>
  count(`must be a whole number of tokens, ${least} or more. Write a number.`, least, 2 ** 31)
export const milliseconds = (most: number): z.ZodNumber =>
  count(`must be a whole number of milliseconds, ${most} at most. Write a number.`, 0, most)
/** Days or hours, read as milliseconds. */
export const age: z.ZodType<number> = z
  .string({ error: 'must be a number of days or hours. Write it with its unit: 90d, or 12h.' })
  .regex(/^[1-9]\d{0,4}[dh]$/, { error: 'must be a number of days or hours. Write it with its unit: 90d, or 12h.' })
  .transform((text) => Number.parseInt(text, 10) * (text.endsWith('d') ? 86_400_000 : 3_600_000))
export const yesOrNo: z.ZodBoolean = z.boolean({ error: 'must be true or false. Write one of them.' })
export const oneOf = <const T extends readonly string[]>(names: T): z.ZodEnum<{ [K in T[number]]: K }> =>
  z.enum(names, { error: `must be ${names.join(' or ')}. Write one of them.` })
export const list = <T extends z.ZodType>(of: T): z.ZodArray<T> =>
  z.array(of, { error: 'must be a list. Write one value per line, each after "- ".' })

/** An address that `problemOf` finds nothing wrong with. */
const address = (problemOf: (value: unknown) => string | undefined): z.ZodType<string> =>
  z
    .unknown()
    .superRefine((value, context) => {
      const problem = problemOf(value)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    })
    .transform(String)

/** Names and values of HTTP headers. */
const headers: z.ZodRecord<z.ZodString, z.ZodString> = z.record(
  z.string().regex(/^[A-Za-z0-9-]+$/, { error: 'contains an invalid header name. Write letters, digits and "-".' }),
  z.string({ error: 'must be the value of a header, as text. Put it in quotes.' }).regex(/^[\x20-\x7e]*$/, {
    error: 'contains a character that is not allowed in headers. Copy the value again, without line breaks.',
  }),
  { error: 'must be headers by name, such as "authorization: Bearer …".' },
)

/** The name of a key: logs and threads show it. */
export const keyName: z.ZodString = text('must be a short name for the key, which logs show. Write one.').regex(
  /^[\w.@-]{1,64}$/,
  { error: 'must be 1 to 64 letters, digits, ".", "_", "@" or "-". Write such a name.' },
)

export const tenantName: z.ZodString = text('must be the name of a tenant. Write one.').regex(tenantPattern, {
  error: 'must be 1 to 63 small letters, digits, "_" or "-". Write such a name.',
})

export const keyScope: z.ZodType<Scope> = z.enum(scopes as readonly [Scope, ...Scope[]], {
  error: `must be ${scopes.join(' or ')}. Write one of them.`,
})

export const key: z.ZodType<KeyConfig> = z.strictObject(
  {
    name: keyName,
    sha256: text('must be the SHA-256 of the key, 64 hexadecimal digits in quotes.')
      .regex(/^[0-9a-fA-F]{64}$/, {
        error: 'must be the SHA-256 of the key, 64 hexadecimal digits in quotes; never the key itself.',
      })
      .toLowerCase(),
    tenant: tenantName.default('default'),
    scope: keyScope.default('app'),
    system: yesOrNo.optional(),
    installation: yesOrNo.optional(),
    decide: yesOrNo.optional(),
  },
  { error: 'must have name and sha256.' },
)

const flags = [
  'systemFirstOnly',
  'mustAlternate',
  'noSystem',
  'onlyTheirSystem',
  'needsUser',
  'noTools',
  'answerAfterTool',
  'oneCallAtATime',
  'callsWithoutText',
  'nineCharacterIds',
  'normalized',
] as const

const profile = z.strictObject(
  {
    ...(Object.fromEntries(flags.map((flag) => [flag, yesOrNo.optional()])) as Record<
      (typeof flags)[number],
      z.ZodOptional<z.ZodBoolean>
    >),
    argumentsAs: oneOf(['object', 'string']).optional(),
  },
  { error: 'must be flags by name, such as "systemFirstOnly: true".' },
)

export const model: z.ZodType<ModelConfig> = z.strictObject(
  {
    window: tokens(16).optional(),
    num_ctx: tokens(16).optional(),
    reserve: tokens(1).optional(),
    counter: text('must be estimate, o200k or the path of a tokenizer.json. Write one.').optional(),
    profile: profile
      .transform((said) => Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)))
      .optional(),
  },
  { error: 'must be settings by name: window, num_ctx, reserve, counter, profile.' },
)

const amount = z
  .number({ error: 'must be the price of a million tokens. Write a number, such as 0.25.' })
  .min(0, { error: 'must be the price of a million tokens, 0 or more. Write a number, such as 0.25.' })

export const price: z.ZodType<ModelPrice> = z.strictObject(
  {
    input: amount,
    cached: amount.optional(),
    written: amount.optional(),
    output: amount,
    currency: text('must be a currency. Write its code, such as EUR.')
      .regex(/^[A-Z]{3}$/, { error: 'must be the code of a currency, three capital letters. Write one, such as EUR.' })
      .default('USD'),
  },
  { error: 'must have input and output: the prices of a million tokens of prompt and of answer.' },
)

export const rateLimit: z.ZodType<RateLimitConfig> = z.strictObject(
  {
    requests: count(
      'must be a whole number of requests per minute and key, 1 or more. Write a number, such as 600.',
      1,
      1e9,
    ),
    turns: count('must be a whole number of turns at once per key, 1 or more. Write a number.', 1, 1e6).optional(),
  },
  { error: 'must have requests: how many requests each key may send in a minute.' },
)

export const runLimits: z.ZodType<RunLimitsConfig> = z.strictObject(
  {
    rounds: count('must be a whole number of rounds, 1 or more. Write a number, such as 1000.', 1, 1e6).default(1000),
    tokens: count('must be a whole number of tokens, 1 or more. Write a number, such as 10000000.', 1, 1e12).optional(),
  },
  { error: 'must have rounds or tokens: how many a run may use.' },
)

export const telemetry: z.ZodType<TelemetryConfig> = z.strictObject(
  {
    endpoint: address(serviceProblem),
    content: yesOrNo.optional(),
  },
  { error: 'must have endpoint, where spans are sent.' },
)

export const presets = ['default', 'lastMessages', 'tiered', 'firstAndRecent'] as const

const share = z
  .number({ error: 'must be a share from 0 to 1. Write a number.' })
  .min(0, { error: 'must be a share from 0 to 1. Write a number.' })
  .max(1, { error: 'must be a share from 0 to 1. Write a number.' })

/** Templates for digests, each checked as the library does. */
const digesters: z.ZodType<readonly DigesterData[]> = list(
  z.custom<DigesterData>().superRefine((data, context) => {
    const problem = digesterProblem(data)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
  }),
).max(16, { error: 'must be at most 16 digesters. Remove some.' })

export const policy: z.ZodType<PolicyConfig> = z.preprocess(
  (said) => (typeof said === 'string' ? { preset: said } : said),
  z.strictObject(
    {
      preset: oneOf(presets).default('default'),
      recall: oneOf(['off', 'gated', 'eager']).optional(),
      epochs: yesOrNo.optional(),
      messages: count('must be a whole number of messages, 1 or more. Write a number.', 1, 1e6).optional(),
      verbatim: count('must be a whole number of exchanges, 0 or more. Write a number.', 0, 1e6).optional(),
      line: count('must be a whole number of tokens, 1 or more. Write a number.', 1, 1e6).optional(),
      share: share.optional(),
      overflow: oneOf(['error', 'keep']).optional(),
      notes: yesOrNo.optional(),
      journal: yesOrNo.optional(),
      notesRole: oneOf(['system', 'user']).optional(),
      shares: z
        .strictObject(
          { outline: share.optional(), recall: share.optional(), notes: share.optional(), pins: share.optional() },
          { error: 'must be shares by name: outline, recall, notes, pins.' },
        )
        .optional(),
      digesters: digesters.optional(),
    },
    {
      error: `must be ${presets.join(' or ')}, or settings by name: preset, recall, epochs, messages, verbatim, line, share, overflow, notes, journal, notesRole, shares, digesters.`,
    },
  ),
)

export const policyName: z.ZodString = z.string().regex(/^[A-Za-z][\w-]{0,63}$/, {
  error: 'is not a valid name of a policy. Write 1 to 64 letters, digits, "_" or "-", a letter first.',
})

const name = text('must be a name. Write one.').regex(/^[A-Za-z0-9_-]{1,64}$/, {
  error: 'must be 1 to 64 letters, digits, "_" or "-". Write such a name.',
})
const schema = z.record(z.string(), z.unknown(), {
  error: 'must be a JSON Schema. Write one such as { type: object, properties: { … } }.',
})
const wantedSecret =
  'must be whsec_ and 24 to 64 random bytes in base64. To make one: echo whsec_$(openssl rand -base64 32)'
const names = list(name).min(1, { error: 'is empty. Name at least one.' })

/** A tool that the server runs by an HTTP request. */
export const tool: z.ZodType<ToolConfig> = z.strictObject(
  {
    name,
    description: z
      .string({ error: 'must be a text that tells the model what the tool does. Put it in quotes.' })
      .optional(),
    parameters: schema,
    url: address(serviceProblem).optional(),
    headers: headers.optional(),
    approve: yesOrNo.optional(),
    decideWithin: milliseconds(2 ** 31 - 1).optional(),
    states: names.optional(),
    mayRepeat: yesOrNo.optional(),
    timeout: milliseconds(3_600_000).optional(),
  },
  { error: 'must have name and parameters.' },
)

/** A server of tools. */
export const mcp: z.ZodType<McpConfig> = z.strictObject(
  {
    name,
    url: address(serviceProblem).optional(),
    command: list(text('must be a program or one of its arguments. Write a text.'))
      .min(1, { error: 'is empty. Write the program and its arguments.' })
      .optional(),
    headers: headers.optional(),
    tools: names.optional(),
    approve: z.union([z.literal(true), names], { error: 'must be true, or a list of names of tools.' }).optional(),
    mayRepeat: yesOrNo.optional(),
  },
  { error: 'must have name, and url or command.' },
)

/** Who is told that a call waits. */
export const webhook: z.ZodType<WebhookConfig> = z.strictObject(
  {
    name,
    url: address(serviceProblem),
    secret: text(wantedSecret).regex(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, { error: wantedSecret }),
    tenants: list(tenantName).min(1, { error: 'is empty. List the tenants, or leave tenants out.' }).optional(),
    input: yesOrNo.optional(),
  },
  { error: 'must have name, url and secret.' },
)

/** What the results of tools say together. */
export const state: z.ZodType<StateConfig> = z.strictObject(
  {
    name,
    tools: names,
    schema: schema.optional(),
  },
  { error: 'must have name and tools.' },
)

export const upstream: z.ZodType<UpstreamConfig> = z.preprocess(
  (said) => (typeof said === 'string' ? { url: said } : said),
  z.strictObject(
    {
      url: address(upstreamProblem),
      protocol: oneOf(['ollama', 'openai', 'anthropic']).optional(),
      key: text('must be the key for the upstream, as text. Put it in quotes.')
        .regex(/^[\x21-\x7e]+$/, {
          error: 'contains a character that is not allowed in keys. Copy the key again, without blanks.',
        })
        .optional(),
      models: list(text('must be the name of a model. Write a text.'))
        .min(1, { error: 'is empty. List the models, or leave models out.' })
        .optional(),
    },
    { error: 'must be an address, or settings by name: url, protocol, key, models.' },
  ),
)
