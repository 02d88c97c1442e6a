import { createRoute, OpenAPIHono, z, type RouteConfig } from '@hono/zod-openapi'
import { errorCodes, type ErrorCode } from './error-codes.ts'
import { isReading, type Operation } from './operation.ts'
import { apiPath, operations, tags } from './routes/routes.ts'
import { streamEvent } from './schema/event.ts'

/**
 * The API as OpenAPI 3.1. `x-minutebook-scope` is the smallest scope that may call an operation.
 *
 * @example
 * const { paths } = apiDocument()
 */
export function apiDocument(): ApiDocument {
  known ??= made()
  return known
}

export interface ApiDocument {
  readonly openapi: string
  readonly info: object
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components?: object
}

/** It is the same for every server. */
let known: ApiDocument | undefined

function made(): ApiDocument {
  const api = new OpenAPIHono()
  for (const operation of operations)
    api.openAPIRegistry.registerPath({
      ...routeOf(operation),
      path: `${apiPath}${operation.path === '/' ? '' : operation.path}`,
    })
  api.openAPIRegistry.register('StreamEvent', streamEvent as never)
  api.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or the token of the local operator.',
  })
  const { webhooks: _, ...document } = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Minutebook',
      version: '1',
      description:
        'The record of conversations with language models: threads, turns that continue after the client disconnects, and what the model saw.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags,
  } as never)
  return document as unknown as ApiDocument
}

/** The OpenAPI entry of an operation. */
export function routeOf(operation: Operation): RouteConfig {
  const { method, path, id, tag, summary, description, scope, params, query } = operation
  const body = bodyOf(operation)
  return createRoute({
    method,
    path,
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    'x-minutebook-scope': scope,
    security: [{ key: [] }],
    request: {
      ...(params && { params: params as never }),
      ...(query && { query: query as never }),
      ...(body && { body }),
    },
    responses: {
      [operation.status]: answerOf(operation),
      ...refusalsOf([
        ...always,
        ...(isReading(operation) ? [] : onWriting),
        ...(body ? withBody : []),
        ...operation.errors,
      ]),
    },
  } as RouteConfig)
}

const always: readonly ErrorCode[] = [
  'unauthorized',
  'forbidden',
  'invalid_request',
  'rate_limited',
  'overloaded',
  'internal',
  'store_unreachable',
]
const onWriting: readonly ErrorCode[] = ['read_only']
const withBody: readonly ErrorCode[] = ['invalid_json', 'wrong_media_type', 'body_too_long', 'body_too_slow']

function bodyOf({ body, takes, bodyOptional = false }: Operation): object | undefined {
  if (takes !== undefined) return { required: true, content: { [takes]: { schema: z.string() } } }
  return body && { required: !bodyOptional, content: { 'application/json': { schema: body } } }
}

function answerOf({ says, schema, example, media = {} }: Operation): object {
  const others = Object.entries(media).map(([type, form]) => [
    type,
    {
      schema: z.string().openapi({ description: form.says }),
      ...(form.example !== undefined && { example: form.example }),
    },
  ])
  const json = schema ? { 'application/json': { schema, ...(example !== undefined && { example }) } } : {}
  return { description: says, content: { ...json, ...Object.fromEntries(others) } }
}

/** By status: which codes there are, and an example of each. */
function refusalsOf(codes: readonly ErrorCode[]): Record<string, object> {
  const statuses = new Map<number, ErrorCode[]>()
  for (const code of new Set(codes))
    statuses.set(errorCodes[code].status, [...(statuses.get(errorCodes[code].status) ?? []), code])
  return Object.fromEntries(
    [...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, some]) => [String(status), refusal(status, some)]),
  )
}

function refusal(status: number, codes: readonly ErrorCode[]): object {
  const examples = Object.fromEntries(
    codes.map((code) => [
      code,
      {
        summary: errorCodes[code].when,
        value: { error: { code, message: errorCodes[code].when, fix: 'What to do about it.' } },
      },
    ]),
  )
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].when}`).join('\n\n'),
    ...((status === 429 || status === 503) && { headers: retryAfter }),
    content: { 'application/json': { schema: errorSchema, examples } },
  }
}

const retryAfter = {
  'retry-after': { description: 'The number of seconds to wait before you try again.', schema: { type: 'integer' } },
}

const errorSchema = z
  .object({
    error: z.object({
      code: z.string().openapi({ description: 'The code of the error, for programs.', example: 'unknown_thread' }),
      message: z.string().openapi({ description: 'What is wrong.' }),
      fix: z.string().openapi({ description: 'What to do about it.' }),
      problems: z
        .array(z.looseObject({ field: z.string(), problem: z.string(), fix: z.string() }))
        .optional()
        .openapi({ description: 'If a definition was refused: everything that is wrong with it.' }),
      window: z
        .object({ asked: z.number(), given: z.number(), source: z.string(), canLoad: z.boolean() })
        .optional()
        .openapi({
          description:
            'If a prompt was refused: the window that it was made for (`asked`), the smaller window of the model (`given`), the source of that number, and whether the model server can load the model with the larger window (`canLoad`).',
        }),
      decided: z
        .object({
          decision: z.looseObject({ do: z.enum(['run', 'refuse', 'answer']) }),
          by: z.string().optional().openapi({ description: 'The name that the caller gave.' }),
          via: z
            .object({ channel: z.string(), key: z.string().optional() })
            .optional()
            .openapi({ description: 'The login through which the decision came, and the name of its key.' }),
          time: z.string().optional(),
        })
        .optional()
        .openapi({ description: 'If a call was decided before: the first decision, by whom and when.' }),
    }),
  })
  .openapi('Error')
