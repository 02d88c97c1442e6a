import type { Message } from 'minutebook'

/** What a person said and was answered. */
export type Said = readonly string[]

/** How a client turns a conversation, a question last, into messages. */
export interface Style {
  readonly wire: 'ollama' | 'openai'
  /** The last so many messages only. */
  readonly keeps: number
  readonly isDated: boolean
  readonly stripsThinking: boolean
}

/** What a person does next. */
export type Move =
  | { readonly do: 'ask'; readonly question: string; readonly answer: string }
  /** Takes back what follows the question of that number, modulo their count, and asks this instead. */
  | { readonly do: 'edit'; readonly at: number; readonly question: string; readonly answer: string }
  | { readonly do: 'regenerate'; readonly answer: string }
  /** Asks; no answer comes; the client tries again by itself. */
  | { readonly do: 'fail'; readonly question: string; readonly answer: string; readonly id: boolean }

/** What the client sends of what was said. */
export function kept(said: Said, { keeps }: Style): Said {
  return said.slice(-keeps)
}

export function messagesOf(said: Said, first: number, style: Style, time: number): Message[] {
  const spoken = said.map((text, index): Message =>
    (first + index) % 2 === 0
      ? { role: 'user', content: style.wire === 'ollama' ? text : [{ type: 'text', text }] }
      : sentBack(text, style),
  )
  return style.isDated ? [{ role: 'system', content: `It is ${time}.` }, ...spoken] : spoken
}

/** An answer as the model gives it: some are calls, and all come with thinking. */
export function answered(text: string, { stripsThinking, wire }: Style): Message {
  const thinking = `thinking of ${text}`
  const [field, block] = stripsThinking ? [{}, `<think>${thinking}</think>`] : [{ thinking }, '']
  if (text !== 'call') return { role: 'assistant', content: block + text, ...field }
  const call =
    wire === 'ollama'
      ? { function: { name: 'lamp', arguments: { on: true } } }
      : { id: 'c1', type: 'function', function: { name: 'lamp', arguments: '{ "on": true }' } }
  return { role: 'assistant', content: block, tool_calls: [call], ...field }
}

/** As the client has it, with the arguments as the other protocol writes them. */
function sentBack(text: string, { stripsThinking, wire }: Style): Message {
  const { content, ...message } = answered(text, {
    stripsThinking: false,
    wire: wire === 'ollama' ? 'openai' : 'ollama',
    keeps: 0,
    isDated: false,
  })
  return stripsThinking
    ? { role: 'assistant', content, ...(message.tool_calls !== undefined && { tool_calls: message.tool_calls }) }
    : { ...message, content }
}
