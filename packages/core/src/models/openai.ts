import type OpenAI from 'openai'
import { fail, MinutebookError } from '../log/error.ts'
import type { Model, ModelEvent, ModelRequest } from './model.ts'
import { openAiReply } from './openai-wire.ts'
import {
  credentialsIn,
  headerValues,
  isError,
  linked,
  redactor,
  unlessAborted,
  callErrors,
  type CallErrors,
} from './call-errors.ts'
import { openAiOptions } from './request-options.ts'
import { windowFinder, type AskServer } from './server-window.ts'
import { cutOffError, fieldsOf, refuseReserved } from './wire.ts'

type Streaming = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming

/**
 * The model's name, and other fields of a chat completion request that are sent with every call: `reasoning_effort`,
 * `temperature`, … What a thread or a message asks for replaces them.
 */
export interface OpenAiModelOptions extends Omit<Streaming, 'messages' | 'stream' | 'tools'> {
  readonly model: string
  /** Fields that only your server knows, such as `top_k`. They replace other fields of the same name. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined
}

/**
 * How is an OpenAI-compatible server called? Through the official client. Each call is sent exactly once: the client's
 * own retries are off.
 *
 * @example
 * import OpenAI from 'openai'
 * const model = openAiModel(new OpenAI({ baseURL: 'http://127.0.0.1:8080/v1', apiKey: 'none' }), { model: 'qwen3' })
 */
export function openAiModel(client: OpenAI, options: OpenAiModelOptions): Model {
  refuseReserved(options.extra)
  return Object.assign((request: ModelRequest) => answer(client, options, request), {
    model: options.model,
    wire: 'openai' as const,
    window: windowFinder(asking(client), { model: options.model }),
  })
}

/** Asks a server about itself through its client, at the same host and with the same key. */
function asking(client: OpenAI): AskServer {
  return async (path, body) => {
    try {
      const url = new URL(path, client.baseURL).href
      const options = { maxRetries: 0, timeout: longestAsking }
      return await (body ? client.post(url, { ...options, body }) : client.get(url, options))
    } catch {
      // The server does not say.
      return undefined
    }
  }
}

/** Milliseconds. A server may have to load the model. */
const longestAsking = 60_000

async function* answer(client: OpenAI, options: OpenAiModelOptions, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const before = secretsOf(client)
  const redact = (text: string): string => redactor([...before, ...secretsOf(client)])(text)
  const errors = callErrors({ model: options.model, window: request.window, redact })
  const link = linked(request.signal)
  const { signal } = link.controller
  try {
    if (signal.aborted) throw errors.aborted()
    yield* events(
      await unlessAborted(send(client, requestBody(options, request), signal, errors), signal),
      signal,
      errors,
    )
  } catch (error) {
    throw signal.aborted ? errors.aborted() : error
  } finally {
    link.release()
  }
}

/** The messages already have the shape of this protocol: `promptOf` in receipts/prompt.ts writes them for it. */
function requestBody({ extra, ...options }: OpenAiModelOptions, request: ModelRequest): Streaming {
  const { messages, tools } = request
  return {
    stream_options: { include_usage: true },
    ...options,
    ...extra,
    ...openAiOptions(request),
    messages: messages as Streaming['messages'],
    ...(tools.length > 0 && { tools: tools as Streaming['tools'] & object }),
    stream: true,
  }
}

interface Started {
  readonly data: AsyncIterable<unknown>
  readonly response: { readonly headers: { get(name: string): string | null }; json(): Promise<unknown> }
}

async function send(client: OpenAI, body: Streaming, signal: AbortSignal, errors: CallErrors): Promise<Started> {
  const started = client.chat.completions.create(body, { signal: signal as never, maxRetries: 0 }).withResponse()
  return started.catch((error: unknown) => {
    const { status, error: said, message } = fieldsOf(error)
    throw typeof status === 'number'
      ? errors.refused(status, said ?? message)
      : errors.unreachable(error, fieldsOf(client)['baseURL'])
  })
}

async function* events(
  { data, response }: Started,
  signal: AbortSignal,
  errors: CallErrors,
): AsyncGenerator<ModelEvent> {
  const reply = openAiReply(errors)
  // If the server does not stream, the client's stream stays empty. So the whole response is read instead.
  const isWhole = response.headers.get('content-type')?.includes('application/json') === true
  const chunks = isWhole ? once(() => response.json()) : data[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await unlessAborted(
        chunks.next().catch((error: unknown) => fail(brokenStreamError(error, errors))),
        signal,
      )
      if (done) break
      if (isError(value)) throw errors.midway(value)
      yield* reply.push(value)
    }
    yield reply.end()
  } finally {
    chunks.return?.().catch(() => undefined)
  }
}

async function* once(read: () => Promise<unknown>): AsyncGenerator<unknown, void, undefined> {
  yield await read()
}

/**
 * If a server sends an error in the middle of an answer, the client throws it without a status. Every other error means
 * that the connection broke.
 */
function brokenStreamError(error: unknown, errors: CallErrors): MinutebookError {
  const said = fieldsOf(error)['error']
  if (said !== undefined) return errors.midway(said)
  return MinutebookError.isInstance(error) ? error : cutOffError()
}

/** All values of the client's configuration that must not appear in errors. */
function secretsOf(client: OpenAI): unknown[] {
  const {
    apiKey,
    adminAPIKey,
    organization,
    project,
    webhookSecret,
    baseURL,
    fetchOptions,
    _options: options,
  } = fieldsOf(client)
  const headers = [fieldsOf(options)['defaultHeaders'], fieldsOf(fetchOptions)['headers']].flatMap(headerValues)
  return [apiKey, adminAPIKey, organization, project, webhookSecret, ...headers, ...credentialsIn(baseURL)]
}
