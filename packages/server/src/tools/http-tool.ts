import { MinutebookError, type Tool } from 'minutebook'
import { request } from 'undici'
import type { ToolConfig } from '../config/config.ts'

/**
 * A tool at an address that the operator has set, for threads of one tenant. It gets `{ input, tenant, thread, call }`
 * as JSON, and its answer is the result. It follows no redirect, and no text of a model chooses where a request goes.
 *
 * @example
 * const weather = httpTool({ name: 'weather', parameters: { type: 'object' }, url: 'http://127.0.0.1:9000/weather' }, 'default')
 */
export function httpTool(
  { name, description, parameters, url, headers = {}, mayRepeat = false, timeout = usualTimeout }: ToolConfig,
  tenant: string,
): Tool {
  return {
    name,
    ...(description !== undefined && { description }),
    parameters,
    mayRepeat,
    timeout,
    limit: longestResult,
    run: async (input, { thread, call, signal }) => {
      const body = JSON.stringify({ input, tenant, thread, call: { id: call.id ?? null, name } })
      const sent = { 'content-type': 'application/json', accept: 'application/json, text/plain', ...headers }
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
