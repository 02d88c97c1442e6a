import { OpenAPIHono } from '@hono/zod-openapi'
import { operations } from './operations.ts'
import { routeOf } from './route-of.ts'
import { streamEvent } from './schema/event.ts'

/**
 * What can be asked, as OpenAPI 3.1. `x-minutebook-scope` of an operation is the smallest scope that may.
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
      path: `/minutebook/v1${operation.path === '/' ? '' : operation.path}`,
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
        'The record of conversations with language models: threads, turns that outlive the connection, and what the model saw.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'server', description: 'The server itself.' },
      { name: 'threads', description: 'Threads, and what was said in them.' },
      { name: 'turns', description: 'To say something, to follow the answer, to end it.' },
      { name: 'record', description: 'What the model saw, and all else that is on record.' },
      { name: 'runs', description: 'Experiments: to run them, to watch and steer that, and what came of it.' },
      { name: 'policies', description: 'How conversations that do not fit are fitted.' },
      { name: 'keys', description: 'Who may ask.' },
    ],
  } as never)
  return document as unknown as ApiDocument
}
