import type { Entry, TokenCounter } from 'minutebook'
import { entryOf } from 'minutebook/store'

/** Messages in the shape that OpenAI's clients use, a word each to write down. */
export interface TestMessage {
  role: string
  content: string | null
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/** A system message. */
export function system(content: string): TestMessage {
  return { role: 'system', content }
}

/** A user message. */
export function user(content: string): TestMessage {
  return { role: 'user', content }
}

/** An assistant message, with the calls that it makes. */
export function assistant(content: string | null, ...calls: ReturnType<typeof call>[]): TestMessage {
  return { role: 'assistant', content, ...(calls.length && { tool_calls: calls }) }
}

/** A call for an assistant message; what it is given becomes JSON. */
export function call(
  id: string,
  name: string,
  given: unknown = {},
): { id: string; type: 'function'; function: { name: string; arguments: string } } {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(given) } }
}

/** The result of the call that has the id. */
export function result(id: string, content: string): TestMessage {
  return { role: 'tool', content, tool_call_id: id }
}

/** A user message with images in base64. */
export function picture(content: string, ...images: readonly string[]): TestPicture {
  return {
    role: 'user',
    content: [
      { type: 'text', text: content },
      ...images.map((image) => ({ type: 'image_url' as const, image_url: { url: `data:image/png;base64,${image}` } })),
    ],
  }
}

/** A user message of a text and images, in the shape that OpenAI's clients use. */
export interface TestPicture {
  role: 'user'
  content: ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[]
}

/** The smallest image there is: one dot, as base64 of a PNG. */
export const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Messages in the shape that Ollama's clients use. System and user messages look the same in both. */
export interface OllamaTestMessage {
  role: string
  content: string
  thinking?: string
  images?: string[]
  tool_calls?: { function: { name: string; arguments: Record<string, unknown> } }[]
  tool_name?: string
}

/** An assistant message in Ollama's shape, with the calls that it makes. */
export function ollamaAssistant(content: string, ...calls: ReturnType<typeof ollamaCall>[]): OllamaTestMessage {
  return { role: 'assistant', content, ...(calls.length && { tool_calls: calls }) }
}

/** A call in Ollama's shape: it has no id, and what it is given stays an object. */
export function ollamaCall(
  name: string,
  given: Record<string, unknown> = {},
): { function: { name: string; arguments: Record<string, unknown> } } {
  return { function: { name, arguments: given } }
}

/** The result of a call of the tool that has the name, in Ollama's shape. */
export function ollamaResult(name: string, content: string): OllamaTestMessage {
  return { role: 'tool', content, tool_name: name }
}

/** A user message with images in base64. */
export function ollamaPicture(content: string, ...images: readonly string[]): OllamaTestMessage {
  return { role: 'user', content, images: [...images] }
}

/** The entry of a note that the model wrote after another entry. */
export function note(content: string, after: Entry): Entry {
  return entryOf({ role: 'system', content }, after, { kind: 'note' })
}

/** The journal entry that Minutebook wrote after another entry. */
export function journal(content: string, after: Entry): Entry {
  return entryOf({ role: 'system', content }, after, { kind: 'journal' })
}

/** One word, one token, and nothing for the message around it: budgets that a person can count. */
export const words: TokenCounter = {
  name: 'words',
  count: (text) => {
    let count = 0
    let inWord = false
    for (const character of text) {
      const blank = character.trim() === ''
      if (!blank && !inWord) count++
      inWord = !blank
    }
    return count
  },
  overhead: { message: 0, prompt: 0, call: 0, image: 1 },
}
