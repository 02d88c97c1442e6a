/** Messages in the shape that OpenAI's clients use, a word each to write down. */
export interface TestMessage {
  role: string
  content: string | null
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

export function system(content: string): TestMessage {
  return { role: 'system', content }
}

export function user(content: string): TestMessage {
  return { role: 'user', content }
}

export function assistant(content: string | null, ...calls: ReturnType<typeof call>[]): TestMessage {
  return { role: 'assistant', content, ...(calls.length && { tool_calls: calls }) }
}

export function call(id: string, name: string, given: unknown = {}): { id: string; type: 'function'; function: { name: string; arguments: string } } {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(given) } }
}

export function result(id: string, content: string): TestMessage {
  return { role: 'tool', content, tool_call_id: id }
}
