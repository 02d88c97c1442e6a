import { Buffer } from 'node:buffer'
import { ollamaReply, openAiReply, type Model, type ModelEvent, type ModelRequest } from 'minutebook'
import { fieldsFrom } from '../fields.ts'
import type { UpstreamCaller, UpstreamRequest } from '../upstream-call.ts'
import type { ChosenModel } from './chosen-model.ts'
import { failedMidway } from './model-failure.ts'
import { upstreamFrames } from './upstream-frames.ts'

/**
 * A model of an upstream, in whichever protocol that speaks. Each call is sent once; an Ollama server is told the window that
 * the prompt was compiled for, and to refuse a longer one instead of cutting it.
 *
 * @example
 * const model = upstreamModel(services.caller, await chosenModel(services, 'gemma3:4b'))
 */
export function upstreamModel(caller: UpstreamCaller, chosen: ChosenModel): Model {
  return Object.assign((request: ModelRequest) => answer(caller, chosen, request), { model: chosen.model, wire: chosen.protocol })
}

async function* answer(caller: UpstreamCaller, chosen: ChosenModel, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const reply = chosen.protocol === 'ollama' ? ollamaReply() : openAiReply()
  for await (const text of upstreamFrames(caller, requestOf(chosen, request), chosen, request.signal)) {
    const chunk = fieldsFrom(text)
    if (!chunk || chunk['error']) throw failedMidway(text, chosen.model)
    yield* reply.push(chunk)
    // Nothing comes behind it that counts; an OpenAI server still sends its counts.
    if (reply.done && chosen.protocol === 'ollama') break
  }
  yield reply.end()
}

function requestOf({ model, upstream, protocol }: ChosenModel, { messages, tools, window }: ModelRequest): UpstreamRequest {
  const asking = { model, messages, ...(tools.length > 0 && { tools }), stream: true, ...(protocol === 'ollama' ? { truncate: false, shift: false, options: { num_ctx: window } } : { stream_options: { include_usage: true } }) }
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
