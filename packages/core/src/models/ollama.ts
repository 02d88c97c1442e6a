import type { ChatRequest, Ollama } from 'ollama'
import { fail, MinutebookError } from '../log/error.ts'
import { parseJson } from '../log/json.ts'
import type { Message } from '../log/message.ts'
import type { Model, ModelEvent, ModelRequest } from './model.ts'
import { ollamaReply } from './ollama-wire.ts'
import {
  credentialsIn,
  headerValues,
  isError,
  linked,
  redactor,
  unlessAborted,
  callErrors,
  type CallErrors,
  type Link,
} from './call-errors.ts'
import { ollamaOptions } from './request-options.ts'
import { windowFinder, type AskServer } from './server-window.ts'
import { cutOffError, fieldsOf, refuseReserved } from './wire.ts'

/**
 * The model's name, and other fields of Ollama's chat request that are sent with every call: `think`, `keep_alive`,
 * `options`, … What a thread or a message asks for replaces them.
 */
export interface OllamaModelOptions extends Omit<ChatRequest, 'messages' | 'stream' | 'tools'> {
  readonly model: string
  /**
   * Fields that Ollama's client does not know, such as `truncate`. They replace other fields of the same name; its
   * `options` are added to those above.
   */
  readonly extra?: Readonly<Record<string, unknown>> | undefined
}

/**
 * How is Ollama called? Through its official client. The server is told the window that the prompt was compiled for
 * (`options.num_ctx`, unless the options set one) and to refuse a longer prompt instead of truncating it.
 *
 * @example
 * import { Ollama } from 'ollama'
 * const model = ollamaModel(new Ollama(), { model: 'qwen3:8b', think: false })
 */
export function ollamaModel(client: OllamaClient, options: OllamaModelOptions): Model {
  refuseReserved(options.extra)
  const { model, options: { num_ctx: asked } = {} } = options
  return Object.assign((request: ModelRequest) => answer(client, options, request), {
    model,
    wire: 'ollama' as const,
    window: asked === undefined ? windowFinder(asking(client), { model }) : async () => ({ window: asked }),
  })
}

/** What is used of Ollama's client. Without the last three, the server is not asked for the window. */
type OllamaClient = Pick<Ollama, 'chat'> & Partial<Pick<Ollama, 'ps' | 'show' | 'generate'>>

/** Asks an Ollama server about itself through its client. */
function asking(client: OllamaClient): AskServer {
  return async (path, body) => {
    const { model } = fieldsOf(body) as { readonly model: string }
    try {
      if (path === '/api/ps') return await client.ps?.()
      if (path === '/api/show') return await client.show?.({ model })
      if (path === '/api/generate') return await client.generate?.({ model, prompt: '', stream: false })
    } catch {
      // The server does not say.
    }
    return undefined
  }
}

async function* answer(
  client: Pick<Ollama, 'chat'>,
  options: OllamaModelOptions,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const secrets = new Set<unknown>()
  const redact = (text: string): string => redactor(secrets)(text)
  const errors = callErrors({ model: options.model, window: request.window, redact })
  const link = linked(request.signal)
  const { signal } = link.controller
  if (signal.aborted) throw errors.aborted()
  const call = ollamaCall(client, requestBody(options, request), link, secrets, errors)
  try {
    yield* events(await unlessAborted(call.body, signal), signal, errors)
  } catch (error) {
    throw signal.aborted ? errors.aborted() : error
  } finally {
    link.release()
    call.forget()
  }
}

/** The messages already have the shape of this protocol: `promptOf` in receipts/prompt.ts writes them for it. */
function requestBody({ options, extra, ...others }: OllamaModelOptions, request: ModelRequest): object {
  const { messages, tools, window } = request
  const asked = ollamaOptions(request)
  return {
    truncate: false,
    shift: false,
    ...others,
    ...extra,
    ...asked.body,
    options: { num_ctx: window, ...options, ...fieldsOf(extra?.['options']), ...asked.options },
    messages: messages.map(sealed),
    ...(tools.length > 0 && { tools }),
    stream: true,
  }
}

/**
 * Hides the message from the client until it is serialized. The client would replace `images` in place, and would take
 * a text that is the path of a file for that file.
 */
function sealed(message: Message): object {
  return { toJSON: () => message }
}

async function* events(body: Body, signal: AbortSignal, errors: CallErrors): AsyncGenerator<ModelEvent> {
  const reply = ollamaReply(errors)
  const lines = linesOf(body)
  try {
    while (!reply.done) {
      const { done, value: line } = await unlessAborted(
        lines.next().catch(() => fail(cutOffError())),
        signal,
      )
      if (done) break
      if (line.text.trim() === '') continue
      const chunk = parseJson(line.text)
      if (chunk === undefined && line.open) break
      if (chunk === undefined) throw errors.midway('it sent a line that is not JSON')
      if (isError(chunk)) throw errors.midway(chunk)
      yield* reply.push(chunk)
    }
    yield reply.end()
  } finally {
    lines.return(undefined).catch(() => undefined)
  }
}

/** A request on its way through the caller's client. */
interface OllamaCall {
  /** Resolves with the body as soon as the server begins a successful answer. */
  readonly body: Promise<Body>
  /**
   * Removes the request from the client's list. The client itself never does so if an answer does not reach its end.
   */
  forget(): void
}

/**
 * Sends through the client, with its address and headers, so that `client.abort()` aborts it, too. The body is read
 * here, because the client cannot abort a single request before its answer begins, and because it skips lines that are
 * not JSON and prints them to the console.
 */
function ollamaCall(
  ollama: Pick<Ollama, 'chat'>,
  request: object,
  link: Link,
  secrets: Set<unknown>,
  errors: CallErrors,
): OllamaCall {
  const client = ollama as unknown as Insides
  const started: { body?: Body; ongoing?: unknown } = {}
  const fetch: Fetch = async (address, init) => {
    for (const value of [...headerValues(init.headers), ...credentialsIn(client.config.host)]) secrets.add(value)
    link.follow(init.signal)
    const { fetch: send } = client
    const answer = await send(address, { ...init, signal: link.controller.signal })
    if (!answer.ok) throw errors.refused(answer.status, await said(answer.body))
    started.body = answer.body ?? fail(cutOffError())
    return answer
  }
  const send = async (): Promise<Body> => {
    const derived = Object.create(client, { fetch: { value: fetch } }) as Insides
    started.ongoing = await derived.chat(request).catch((error: unknown) => {
      throw MinutebookError.isInstance(error) ? error : errors.unreachable(error, client.config.host)
    })
    return started.body ?? fail(cutOffError())
  }
  return {
    body: send(),
    forget: () => {
      const { ongoingStreamedRequests: list } = client
      if (list.includes(started.ongoing)) list.splice(list.indexOf(started.ongoing), 1)
    },
  }
}

/** The internal fields of the client that are used here. */
interface Insides {
  readonly config: { readonly host?: unknown }
  readonly fetch: Fetch
  readonly ongoingStreamedRequests: unknown[]
  chat(request: object): Promise<unknown>
}

type Fetch = (
  address: unknown,
  init: { readonly headers?: unknown; readonly signal?: AbortSignal | null },
) => Promise<Answer>

interface Answer {
  readonly ok: boolean
  readonly status: number
  readonly body: Body | null
}

/** The body of a refusal, parsed if it is JSON. At most the first 64 KiB. */
async function said(body: Body | null): Promise<unknown> {
  let text = ''
  if (!body) return text
  try {
    for await (const line of linesOf(body)) {
      text += `${line.text}\n`
      if (text.length > 65_536) break
    }
  } catch {
    // The status says enough.
  }
  return parseJson(text) ?? text
}

declare const TextDecoder: new () => { decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string }

/** A response body, as every fetch has it. */
interface Body {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    cancel(): Promise<void>
  }
}

/**
 * Yields the lines of a body, however its bytes are split. `open`: true for a last line without a line break, which may
 * be incomplete.
 */
async function* linesOf(body: Body): AsyncGenerator<{ readonly text: string; readonly open: boolean }> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pieces: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const [first = '', ...rest] = decoder.decode(value, { stream: !done }).split('\n')
      pieces.push(first)
      for (const piece of rest) {
        yield { text: pieces.join(''), open: false }
        pieces = [piece]
      }
      if (!done) continue
      yield { text: pieces.join(''), open: true }
      return
    }
  } finally {
    // If the caller stops early, the rest is not needed, and errors of cancelling do not matter.
    reader.cancel().catch(() => undefined)
  }
}
