import { z } from '@hono/zod-openapi'
import { mayApprove } from '../../config/caller.ts'
import type { Services } from '../../services.ts'
import { listModels } from '../../turns/models.ts'
import { operation, type Operation } from '../operation.ts'
import { shape, text } from '../schema/schema.ts'

interface About {
  readonly name: 'minutebook'
  readonly key: string
  readonly tenant: string
  readonly scope: string
  readonly approves: boolean
  readonly shown: 'key' | 'token' | 'nothing'
  readonly needsKey: boolean
  readonly store: 'sqlite' | 'postgres'
  readonly readOnly: boolean
  readonly record: boolean | 'always'
  readonly defaultModel: string | null
  readonly states: readonly string[]
  /** For the operator of the installation alone. */
  readonly upstreams?: readonly object[]
  readonly data?: string
}

const about: z.ZodType<About> = shape(
  'About',
  z.object({
    name: text,
    key: text.openapi({ description: 'The name of the key. Empty on a server without keys.', example: 'ann' }),
    tenant: text.openapi({ description: 'The tenant whose threads the key can read and write.' }),
    scope: text,
    approves: z.boolean().openapi({ description: 'Whether the key may decide about calls that need approval.' }),
    shown: z.enum(['key', 'token', 'nothing']).openapi({
      description: 'What the request was authorized by: a key, the token of the local operator, or nothing.',
    }),
    needsKey: z.boolean().openapi({ description: 'Whether clients of the gateway need a key.' }),
    store: z.enum(['sqlite', 'postgres']),
    readOnly: z.boolean().openapi({ description: 'Whether the server can only read the record.' }),
    record: z.union([z.boolean(), z.literal('always')]).openapi({
      description:
        'Whether chats are recorded if the request does not say so. `always`: also responses with `store: false`.',
    }),
    defaultModel: text.nullable(),
    states: z.array(text).openapi({ description: 'The states that can be read.' }),
    upstreams: z
      .array(z.looseObject({ url: text }))
      .optional()
      .openapi({ description: 'Only for the operator of the installation.' }),
    data: text
      .optional()
      .openapi({ description: 'The data folder of the server. Only for the operator of the installation.' }),
  }),
)

interface ToolList {
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly parameters: object }[]
}

const toolList: z.ZodType<ToolList> = shape(
  'ToolList',
  z.object({ tools: z.array(z.object({ name: text, description: text.optional(), parameters: z.looseObject({}) })) }),
)

interface ModelList {
  readonly models: readonly { readonly name: string }[]
}

const modelList: z.ZodType<ModelList> = shape(
  'ModelList',
  z.object({ models: z.array(z.object({ name: text.openapi({ example: 'gemma3:4b' }) })) }),
)

/** The server itself. */
export const serverOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/',
    id: 'about',
    tag: 'server',
    scope: 'viewer',
    summary: 'Show this server, and the key that you use',
    status: 200,
    says: 'Facts about the server. None of them is secret.',
    schema: about,
    example: {
      name: 'minutebook',
      key: 'ann',
      tenant: 'default',
      scope: 'viewer',
      approves: false,
      shown: 'key',
      needsKey: true,
      store: 'sqlite',
      readOnly: false,
      record: true,
      defaultModel: null,
      states: [],
    },
    errors: [],
    answer: async ({ call: { caller, services } }) => {
      const { name, tenant, scope, shown, installation } = caller
      const { database, record, defaultModel = null, states, data } = services.config
      const own = {
        name: 'minutebook',
        key: name,
        tenant,
        scope,
        approves: mayApprove(caller),
        shown,
        // Callers have a name once keys are in use.
        needsKey: name !== '',
        store: database === undefined ? 'sqlite' : 'postgres',
        readOnly: services.stores.readOnly,
        record,
        defaultModel,
        states: states.map(({ name }) => name),
      } as const
      return installation === true ? { ...own, upstreams: upstreamsOf(services), data } : own
    },
  }),
  operation({
    method: 'get',
    path: '/models',
    id: 'listModels',
    tag: 'server',
    scope: 'app',
    summary: 'List the models that a thread can name',
    status: 200,
    says: 'The models of the upstreams, by name. Models of an upstream that does not answer in time are missing.',
    schema: modelList,
    example: { models: [{ name: 'gemma3:4b' }] },
    errors: [],
    answer: async ({ call }) => ({ models: (await listModels(call.services)).map((name) => ({ name })) }),
  }),
  operation({
    method: 'get',
    path: '/tools',
    id: 'listTools',
    tag: 'server',
    scope: 'app',
    summary: 'List the tools that the operator has registered',
    status: 200,
    says: 'The tools, with the names that setups use. Tools of MCP servers that do not answer are missing.',
    schema: toolList,
    example: { tools: [{ name: 'weather', parameters: { type: 'object' } }] },
    errors: [],
    answer: async ({ call }) => ({
      tools: (await call.services.toolbox.all(call.caller.tenant)).map(({ name, description, parameters }) => ({
        name,
        ...(description !== undefined && { description }),
        parameters,
      })),
    }),
  }),
]

function upstreamsOf({ config }: Services): readonly object[] {
  return config.upstreams.map(({ url, protocol, models }) => ({
    url: withoutSecrets(url),
    ...(protocol && { protocol }),
    ...(models && { models }),
  }))
}

function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname === '/' ? '' : pathname}`
}
