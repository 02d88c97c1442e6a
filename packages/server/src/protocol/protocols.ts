import type { ModelRequest, ToolSchema } from 'minutebook'
import { anthropicBody, ollamaOptions, openAiOptions } from 'minutebook/wire'
import type { ProtocolName } from '../config/settings.ts'
import type { Fields } from '../http/json.ts'
import { anthropic } from './anthropic.ts'
import { ollama } from './ollama.ts'
import { openAi } from './openai.ts'
import type { Protocol } from './protocol.ts'

/** All protocols, by their names in the settings. */
export const protocols: Readonly<Record<ProtocolName, Protocol>> = { anthropic, ollama, openai: openAi }

/**
 * What the server sends if it asks a model itself. `options`: those of the settings, in the upstream's own terms.
 * Fields that the server sets itself override them.
 *
 * @example
 * const body = askingBody('openai', 'gemma3:4b', request, { top_k: 40 })
 */
export function askingBody(
  name: ProtocolName,
  model: string,
  request: Omit<ModelRequest, 'signal'>,
  options: Fields | undefined,
): object {
  const { messages, tools, window } = request
  const asked = { model, messages, ...(tools.length > 0 && { tools }), stream: true }
  const own = ollamaOptions(request)
  switch (name) {
    case 'anthropic':
      return { ...anthropicOptions(request), ...options, ...anthropicBody(messages), model, stream: true }
    case 'ollama':
      return {
        ...asked,
        ...own.body,
        truncate: false,
        shift: false,
        options: { ...options, ...own.options, num_ctx: window },
      }
    case 'openai':
      return { ...options, ...openAiOptions(request), ...asked, stream_options: { include_usage: true } }
  }
}

/**
 * How is it written in a request to `/v1/messages` what is asked of an answer? With the tools, which have another shape
 * there. `max_tokens` must be in every request: here an eighth of the window, as much as a prompt leaves free for the
 * answer.
 */
function anthropicOptions({
  options = {},
  toolChoice,
  tools,
  window,
}: Omit<ModelRequest, 'messages' | 'signal'>): Fields {
  const { temperature, stop, output } = options
  return {
    max_tokens: Math.max(1, Math.floor(window / 8)),
    ...(tools.length > 0 && { tools: tools.map(anthropicTool) }),
    ...(temperature !== undefined && { temperature }),
    ...(stop && { stop_sequences: stop }),
    ...(output && { output_config: { format: { type: 'json_schema', schema: output } } }),
    ...(toolChoice && { tool_choice: { type: toolChoice } }),
  }
}

/** A tool that a client of this protocol sent stays as it came. */
function anthropicTool(tool: ToolSchema): unknown {
  const { name, description, parameters } = (tool.function as ToolSchema['function'] | undefined) ?? {}
  if (name === undefined) return tool
  return { name, ...(description !== undefined && { description }), input_schema: parameters }
}
