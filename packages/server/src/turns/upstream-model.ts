import { Buffer } from 'node:buffer'
import type { Model, ModelEvent, ModelRequest } from 'minutebook'
import { ollamaReply, openAiReply } from 'minutebook/wire'
import { fieldsFrom } from '../fields.ts'
import type { UpstreamCaller, UpstreamRequest } from '../upstream-call.ts'
import type { ChosenModel } from './chosen-model.ts'
import { failedMidway } from './model-failure.ts'
import { upstreamFrames } from './upstream-frames.ts'

/**
 * A model of an upstream, in whichever protocol that speaks. Each call is sent once; an Ollama server is told the
 * window that the prompt was compiled for, and to refuse a longer one instead of cutting it.
 *
 * @example
 * const model = upstreamModel(services.caller, await chosenModel(services, 'gemma3:4b'))
 */
export function upstreamModel(
  caller: UpstreamCaller,
  chosen: ChosenModel,
  { options, seed, digest }: Sampling = {},
): Model {
  const facts = {
    ...(options && { options }),
    ...(seed !== undefined && { seed }),
    ...(digest !== undefined && { digest }),
  }
  const answering = (request: ModelRequest): AsyncGenerator<ModelEvent> =>
    answer(caller, chosen, request, { ...options, ...(seed !== undefined && { seed }) })
  return Object.assign(answering, {
    model: chosen.model,
    wire: chosen.protocol,
    ...(Object.keys(facts).length > 0 && { facts }),
  })
}

/** What goes along with every call of a model, and is on record with it. */
export interface Sampling {
  /** As the upstream names them: within `options` for an Ollama server, beside the messages for others. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
  readonly seed?: number | undefined
  /** Of the model, as its upstream tells it. */
  readonly digest?: string | undefined
}

async function* answer(
  caller: UpstreamCaller,
  chosen: ChosenModel,
  request: ModelRequest,
  options: Readonly<Record<string, unknown>>,
): AsyncGenerator<ModelEvent> {
  const reply = chosen.protocol === 'ollama' ? ollamaReply() : openAiReply()
  for await (const text of upstreamFrames(caller, requestOf(chosen, request, options), chosen, request.signal)) {
    const chunk = fieldsFrom(text)
    if (!chunk || chunk['error']) throw failedMidway(text, chosen.model)
    yield* reply.push(chunk)
    // Nothing comes behind it that counts; an OpenAI server still sends its counts.
    if (reply.done && chosen.protocol === 'ollama') break
  }
  yield reply.end()
}

function requestOf(
  { model, upstream, protocol }: ChosenModel,
  { messages, tools, window }: ModelRequest,
  options: Readonly<Record<string, unknown>>,
): UpstreamRequest {
  const asked = { model, messages, ...(tools.length > 0 && { tools }), stream: true }
  // What we send ourselves goes before what options say of it.
  const asking =
    protocol === 'ollama'
      ? { ...asked, truncate: false, shift: false, options: { ...options, num_ctx: window } }
      : { ...options, ...asked, stream_options: { include_usage: true } }
  const body = Buffer.from(JSON.stringify(asking))
  return {
    upstream,
    method: 'POST',
    path: protocol === 'ollama' ? '/api/chat' : '/v1/chat/completions',
    headers: {
      'content-type': 'application/json',
      'content-length': String(body.length),
      accept: protocol === 'ollama' ? 'application/x-ndjson' : 'text/event-stream',
      'accept-encoding': 'identity',
      ...(upstream.key !== undefined && { authorization: `Bearer ${upstream.key}` }),
    },
    body,
  }
}
