import type { Message, Model, ModelRequest } from 'minutebook'

/** What a scripted model does when it is called: answers, or does something of its own. */
export type Line = string | Message | Error | ((request: ModelRequest) => string | Message)

/**
 * A model that says its lines in order, the last one over and over. Unlike `scriptedModel` it ends with the very
 * message it is given, also one that no server would send.
 */
export function script(...lines: readonly Line[]): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  const model = async function* (request: ModelRequest): ReturnType<Model> {
    requests.push(request)
    const line = lines[Math.min(requests.length, lines.length) - 1] ?? ''
    const said = typeof line === 'function' ? line(request) : line
    if (said instanceof Error) throw said
    const message = typeof said === 'string' ? { role: 'assistant', content: said } : said
    const text = typeof message.content === 'string' ? message.content : ''
    for (const piece of text.split(/(?<= )/)) yield { type: 'text', text: piece } as const
    yield {
      type: 'end',
      message,
      finish: message.tool_calls ? 'calls' : 'stop',
      usage: { prompt: request.messages.length },
    } as const
  }
  return Object.assign(model as Model, { requests })
}
