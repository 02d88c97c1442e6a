import { MinutebookError } from 'minutebook'
import type { CallInput } from '@minutebook/experiment/run'
import type { HttpDefinition } from '../definition.ts'
import { answerIn } from './runner.ts'
import type { Runner } from './runner.ts'

/**
 * A tool at an address: it gets the call's input, and its answer is the result. It follows no redirect, and no text of
 * a model chooses where a request goes.
 */
export function httpTool(
  name: string,
  { url, method = 'POST', headers = {} }: HttpDefinition,
  fetch: typeof globalThis.fetch,
): Runner {
  return {
    // What only asks may ask again.
    mayRepeat: method === 'GET',
    timeout: usualTimeout,
    run: async (input, { signal, idempotencyKey, term }) => {
      const hasBody = method !== 'GET'
      const sent = {
        accept: 'application/json, text/plain',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...headers,
        'idempotency-key': idempotencyKey,
        'minutebook-term': String(term),
      }
      const answer = await fetch(hasBody ? url : withQuery(url, input), {
        method,
        headers: sent,
        redirect: 'error',
        signal,
        ...(hasBody && { body: JSON.stringify(input) }),
      }).catch(() => {
        throw toolFailedError(name, 'its server cannot be reached, sends elsewhere, or did not answer in time')
      })
      const text = await textOf(answer, name)
      if (!answer.ok) throw toolFailedError(name, `its server answered with status ${answer.status}`)
      return answerIn(text)
    },
  }
}

/** Milliseconds. */
const usualTimeout = 30_000
/** That are read at all. */
const mostBytes = 1 << 20

function withQuery(url: string, input: CallInput): string {
  const address = new URL(url)
  for (const [name, value] of Object.entries(input))
    address.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return address.href
}

async function textOf({ body }: Response, name: string): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > mostBytes) throw toolFailedError(name, `its answer is longer than ${mostBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function toolFailedError(name: string, why: string): MinutebookError {
  return new MinutebookError('tool_failed', `The tool ${name} failed: ${why}.`, 'Try it later, or go on without it.', {
    tool: name,
  })
}
