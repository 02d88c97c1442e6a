import { MinutebookError, type Tool, type ToolContext } from 'minutebook'
import { request } from 'undici'
import type { StateConfig, ToolConfig } from '../config/config.ts'
import { configuredState } from './configured-state.ts'

/**
 * A tool at an address that the operator has set, for threads of one tenant. It gets `{ input, tenant, thread, call }`
 * as JSON, with the `context` of the turn if there is one and the `states` that its settings name. The headers
 * `Idempotency-Key` and `minutebook-term` name the call and the run. The answer is the result. It follows no redirect,
 * and no text of a model chooses where a request goes. Without an address, the client runs the tool.
 *
 * @example
 * const weather = httpTool({ name: 'weather', parameters: { type: 'object' }, url: 'http://127.0.0.1:9000/weather' }, 'default')
 */
export function httpTool(
  {
    name,
    description,
    parameters,
    url,
    headers = {},
    states,
    mayRepeat = false,
    timeout = usualTimeout,
    approve,
    decideWithin,
  }: ToolConfig,
  tenant: string,
  configured: readonly StateConfig[] = [],
): Tool {
  const told = { name, ...(description !== undefined && { description }), parameters, limit: longestResult }
  const waits = { ...(approve && { approve }), ...(decideWithin !== undefined && { decideWithin }) }
  if (url === undefined) return { ...told, ...waits }
  return {
    ...told,
    ...waits,
    mayRepeat,
    timeout,
    run: async (input, context) => {
      const { thread, call, context: given, signal, idempotencyKey, term } = context
      const known = states && { states: await statesIn(context, states, configured) }
      const body = JSON.stringify({
        input,
        tenant,
        thread,
        call: { id: call.id ?? null, name },
        context: given,
        ...known,
      })
      const sent = {
        'content-type': 'application/json',
        accept: 'application/json, text/plain',
        ...headers,
        'idempotency-key': idempotencyKey,
        'minutebook-term': String(term),
      }
      const answer = await request(url, {
        method: 'POST',
        headers: sent,
        body,
        signal,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      }).catch(() => {
        throw toolFailedError(name, 'its server cannot be reached, or did not answer in time')
      })
      const isJson = String(answer.headers['content-type'] ?? '').includes('json')
      const text = await textOf(answer.body, name)
      if (answer.statusCode < 200 || answer.statusCode > 299)
        throw toolFailedError(name, `its server answered with status ${answer.statusCode}`)
      return isJson ? resultIn(text) : text
    },
  }
}

/** The values of these states as of the call, by name. Null: there is no result that fits yet. */
async function statesIn(
  { state }: ToolContext,
  names: readonly string[],
  configured: readonly StateConfig[],
): Promise<Readonly<Record<string, unknown>>> {
  const values = names.map(async (name) => {
    const reader = configuredState(configured, name)
    return [name, (reader && (await state(reader))) ?? null] as const
  })
  return Object.fromEntries(await Promise.all(values))
}

/** Milliseconds. */
const usualTimeout = 30_000
/** Characters of a result that are recorded. */
const longestResult = 262_144
/** Bytes that are read at all. */
const mostBytes = 4 << 20

async function textOf(body: AsyncIterable<Uint8Array> & { destroy(): unknown }, name: string): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > mostBytes) {
      body.destroy()
      throw toolFailedError(name, `its answer is longer than ${mostBytes} bytes`)
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** A JSON string becomes its text; anything else goes to the model unchanged. */
function resultIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}

function toolFailedError(name: string, why: string): MinutebookError {
  return new MinutebookError('tool_failed', `The tool ${name} failed: ${why}.`, 'Try it later, or go on without it.', {
    tool: name,
  })
}
