import type { ChatRequest, Ollama } from 'ollama'
import { parseJson } from '../log/canonical.ts'
import type { Message } from '../log/message.ts'
import type { Model, ModelEvent, ModelRequest } from '../wire/model.ts'
import { ollamaReply } from '../wire/ollama-reply.ts'
import { cut } from '../wire/reply.ts'
import { linked, unlessAborted } from './abort.ts'
import { aborted, failedMidway, isError, type Failure } from './failure.ts'
import { linesOf, type Body } from './lines.ts'
import { ollamaCall } from './ollama-call.ts'
import { redactor } from './redact.ts'

/** The model's name, and whatever else of Ollama's chat request shall go with every call: `think`, `format`, `keep_alive`, `options`, … */
export interface OllamaModelOptions extends Omit<ChatRequest, 'messages' | 'stream' | 'tools'> {
  readonly model: string
  readonly [extra: string]: unknown
}

/**
 * A model behind Ollama's own protocol, called through the official client. The server is told the window that the
 * prompt was compiled for (`options.num_ctx`, unless the options name one) and to refuse a longer prompt instead of
 * cutting it.
 *
 * @example
 * import { Ollama } from 'ollama'
 * const model = ollamaModel(new Ollama(), { model: 'qwen3:8b', think: false })
 */
export function ollamaModel(client: Pick<Ollama, 'chat'>, options: OllamaModelOptions): Model {
  return Object.assign((request: ModelRequest) => answer(client, options, request), { model: options.model, wire: 'ollama' as const })
}

async function* answer(client: Pick<Ollama, 'chat'>, options: OllamaModelOptions, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const secrets = new Set<unknown>()
  const failure: Failure = { model: options.model, window: request.window, redact: (text) => redactor(secrets)(text) }
  const link = linked(request.signal)
  const { signal } = link.controller
  if (signal.aborted) throw aborted(failure)
  const call = ollamaCall(client, requestBody(options, request), link, secrets, failure)
  try {
    yield* events(await unlessAborted(call.body, signal), signal, failure)
  } catch (error) {
    throw signal.aborted ? aborted(failure) : error
  } finally {
    link.release()
    call.forget()
  }
}

function requestBody({ options, ...others }: OllamaModelOptions, { messages, tools, window }: ModelRequest): object {
  return {
    truncate: false,
    shift: false,
    ...others,
    options: { num_ctx: window, ...options },
    messages: messages.map(sealed),
    ...(tools.length > 0 && { tools }),
    stream: true,
  }
}

/** The client replaces `images` in place, and takes a text that is the path of a file for that file: it gets to see none. */
function sealed(message: Message): object {
  return { toJSON: () => message }
}

async function* events(body: Body, signal: AbortSignal, failure: Failure): AsyncGenerator<ModelEvent> {
  const reply = ollamaReply(failure)
  const lines = linesOf(body)
  try {
    while (!reply.done) {
      const { done, value: line } = await unlessAborted(lines.next().catch(broken), signal)
      if (done) break
      if (line.text.trim() === '') continue
      const chunk = parseJson(line.text)
      if (chunk === undefined && line.open) break
      if (chunk === undefined) throw failedMidway('it sent a line that is not JSON', failure)
      if (isError(chunk)) throw failedMidway(chunk, failure)
      yield* reply.push(chunk)
    }
    yield reply.end()
  } finally {
    lines.return(undefined).catch(() => undefined)
  }
}

function broken(): never {
  throw cut()
}

