import type { Fields } from '../fields.ts'
import { given, shownReasoning } from './request-fields.ts'
import { shownTool } from './tools.ts'

/** What a response tells of how it was asked for: much of it is the same from one to the next. */
export type Terms = Readonly<Record<string, unknown>>

export function termsIn(fields: Fields): Terms {
  const { instructions, tools, tool_choice: choice, parallel_tool_calls: parallel, text, truncation } = fields
  return {
    instructions: given(instructions),
    tools: Array.isArray(tools) ? tools.map(shownTool) : [],
    tool_choice: choice ?? 'auto',
    parallel_tool_calls: parallel ?? true,
    text: { format: { type: 'text' }, ...(typeof text === 'object' && text) },
    truncation: truncation ?? 'auto',
    reasoning: shownReasoning(fields['reasoning']),
    temperature: given(fields['temperature']),
    top_p: given(fields['top_p']),
    top_logprobs: 0,
    max_output_tokens: given(fields['max_output_tokens']),
    max_tool_calls: given(fields['max_tool_calls']),
    service_tier: given(fields['service_tier']),
    prompt_cache_key: given(fields['prompt_cache_key']),
    safety_identifier: given(fields['safety_identifier']),
    user: given(fields['user']),
  }
}
