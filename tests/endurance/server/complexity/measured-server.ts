import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startChild } from '../../../support/process/child.ts'
import { readAddress } from '../../../../packages/server/src/index.ts'
import { gatewayCommand } from '../kill/command.ts'

/** A server in a process of its own, which says how much its main thread has worked. */
export interface MeasuredServer extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** Of the local operator. */
  readonly token: string
  /** Sends a request, reads the answer to its end, and waits until nothing more comes of it. */
  send(request: Sent): Promise<Answered>
  /** Milliseconds that the processor worked for the main thread while something was done. */
  during(work: () => Promise<unknown>): Promise<number>
  /** Bytes of the heap now. */
  heap(): Promise<number>
  /** How the process ended; undefined while it lives. */
  ended(): string | undefined
}

export interface Sent {
  readonly method?: string | undefined
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A text is sent as it is. */
  readonly body?: unknown
}

export interface Answered {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

export interface MeasuredOptions {
  /** Settings by their variable: `{ MINUTEBOOK_SLOTS: '2' }`. */
  readonly settings?: Readonly<Record<string, string>> | undefined
  /** Flags of node. */
  readonly flags?: readonly string[] | undefined
  /** Milliseconds that the model takes. */
  readonly delay?: number | undefined
  /** Answers chats in place of the model. */
  readonly answer?: ((response: ServerResponse) => void) | undefined
  /** Whether the model's server serves `/v1/responses` itself. Default: false, responses are answered on chats. */
  readonly servesResponses?: boolean | undefined
}

/**
 * The flags for a heap of this size, in megabytes, of any version of Node: each has another default for its young part,
 * and the server takes shares of both together.
 */
export function heapFlags(megabytes: number): readonly string[] {
  return [`--max-old-space-size=${megabytes}`, '--max-semi-space-size=64']
}

/** Starts a server before a model that answers `ok` to everything. */
export async function measuredServer({
  settings = {},
  flags = [],
  delay = 0,
  answer,
  servesResponses = false,
}: MeasuredOptions = {}): Promise<MeasuredServer> {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-measured-'))
  const upstream = await plainUpstream(delay, answer, servesResponses)
  const child = await startChild({
    command: gatewayCommand(...flags, '--import', fileURLToPath(new URL('./probe.ts', import.meta.url))),
    folder,
    environment: {
      MINUTEBOOK_UPSTREAMS: upstream.url,
      MINUTEBOOK_DEFAULT_MODEL: 'plain',
      MINUTEBOOK_MODELS: JSON.stringify({ plain: { window: 4_000_000 } }),
      ...settings,
    },
    speaks: true,
  })
  const { url, process } = child
  const token = readAddress(folder)?.token ?? ''
  const probe = (): Promise<{ readonly processor: number; readonly heap: number }> =>
    new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error('The server is gone.'))
      process.once('exit', gone)
      process.once('message', (said) => {
        process.off('exit', gone)
        resolve(said as { processor: number; heap: number })
      })
      // With a callback, a process that has just ended is no error that nothing listens to.
      process.send('how much?', (error) => error && gone())
    })
  /** Answers are put on record after they are sent: that is over when the thread rests. */
  const atRest = async (): Promise<number> => {
    let before = (await probe()).processor
    for (let look = 0; look < 200; look++) {
      await pause(4)
      const { processor } = await probe()
      if (processor - before < 1) return processor
      before = processor
    }
    return before
  }
  const ended = (): string | undefined =>
    process.exitCode !== null || process.signalCode !== null
      ? String(process.signalCode ?? process.exitCode)
      : undefined
  /** What the thread had worked when it rested, unless it was asked something since. */
  let rest: number | undefined
  const send = async ({ method = 'POST', path, headers = {}, body }: Sent): Promise<Answered> => {
    rest = undefined
    const ask = (): Promise<Response> =>
      fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
    // A server that refuses a request without reading its body closes the connection, which a client may notice too
    // late.
    const response = await ask().catch((error: unknown) => {
      if (ended() === undefined) return ask()
      throw error
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  return {
    url,
    pid: process.pid!,
    token,
    send,
    during: async (work) => {
      const before = rest ?? (await atRest())
      await work()
      const after = await atRest()
      rest = after
      return after - before
    },
    heap: async () => (await probe()).heap,
    ended,
    [Symbol.asyncDispose]: async () => {
      await child.kill()
      await upstream.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A model that answers without reading: nothing that is measured is its own work. */
async function plainUpstream(
  delay: number,
  answer: MeasuredOptions['answer'],
  servesResponses: boolean,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const ollama = JSON.stringify({
    model: 'plain',
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content: 'ok' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 100,
    eval_count: 1,
  })
  const openAi = JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'plain',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 },
  })
  const anthropic = JSON.stringify({
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'plain',
    content: [{ type: 'text', text: 'ok' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 1 },
  })
  const responded = JSON.stringify({
    id: 'r',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'plain',
    output: [{ type: 'message', id: 'o', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }],
    usage: { input_tokens: 100, output_tokens: 1, total_tokens: 101 },
  })
  const answers = new Map([
    ['/api/chat', ollama],
    ['/v1/chat/completions', openAi],
    ['/v1/messages', anthropic],
    ...(servesResponses ? [['/v1/responses', responded] as const] : []),
  ])
  const server = createServer((request, response) => {
    request.resume()
    request.on(
      'end',
      () =>
        void pause(delay).then(() => {
          const path = request.url?.split('?', 1)[0] ?? ''
          const told = request.method === 'POST' ? answers.get(path) : undefined
          if (answer && (path === '/api/chat' || path === '/v1/chat/completions')) return answer(response)
          // An empty request asks whether the path is served.
          const isProbe = path === '/v1/responses' && request.headers['content-length'] === '2'
          response.writeHead(told === undefined ? 404 : isProbe ? 400 : 200, { 'content-type': 'application/json' })
          return void response.end(told === undefined || isProbe ? '{"error":"not here"}' : told)
        }),
    )
  })
  // A busy server comes back late to a connection that it keeps.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
