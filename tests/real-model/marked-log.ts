import fc from 'fast-check'
import type { Message } from 'minutebook'
import { conversation } from '../support/arbitrary.ts'

/** A conversation in which every text and every call has a word of its own, so that none can be lost unseen. */
export interface MarkedLog {
  readonly messages: readonly Message[]
  /** For each message, the words of its text and of its calls; none where it says nothing. */
  readonly words: readonly (readonly string[])[]
}

/** In all the forms in which clients write a text, no text, and no calls. */
export const markedLog: fc.Arbitrary<MarkedLog> = fc
  .tuple(conversation, fc.infiniteStream(fc.nat({ max: 11 })))
  .filter(([messages]) => messages.length > 0)
  .map(([messages, forms]) => markedFrom(messages, () => Number(forms.next().value)))

interface Sent extends Message {
  readonly tool_calls?: readonly SentCall[]
}

interface SentCall {
  readonly function: { readonly name: string; readonly arguments: unknown }
}

function markedFrom(messages: readonly Message[], nextForm: () => number): MarkedLog {
  const marked = messages.map((message, index) => markedMessage(message as Sent, `qz${index}zq`, nextForm))
  return { messages: marked.map(({ message }) => message), words: marked.map(({ words }) => words) }
}

function markedMessage(sent: Sent, word: string, nextForm: () => number): { message: Message; words: string[] } {
  const { content: given, tool_calls: calls = [], ...others } = sent
  const text = textOf(given)
  // A marker that came along is only one while it has its very text.
  const marks = text !== '' && !text.startsWith('[Several')
  const content = marks
    ? someText(`${text} ${word}`, nextForm())
    : text === '' && calls.length > 0
      ? noText(nextForm())
      : { content: text }
  const marked = calls.map((call, index) => markedCall(call, `${word}${index}`, nextForm()))
  return {
    message: { ...others, ...content, ...(calls.length > 0 ? { tool_calls: marked } : noCalls(sent.role, nextForm())) },
    words: [...(marks ? [word] : []), ...calls.map((_, index) => `${word}${index}`)],
  }
}

function textOf(content: unknown): string {
  return Array.isArray(content) ? content.map((part: { text: string }) => part.text).join('') : String(content)
}

function markedCall(call: SentCall, word: string, form: number): SentCall {
  const values = { about: word, nested: { count: 1, list: ['"quoted"', null, true] } }
  if (typeof call.function.arguments !== 'string') return { ...call, function: { ...call.function, arguments: values } }
  return { ...call, function: { ...call.function, arguments: form === 0 ? `no JSON ${word}` : JSON.stringify(values) } }
}

function someText(text: string, form: number): object {
  if (form === 0)
    return {
      content: [
        { type: 'text', text: text.slice(0, 3) },
        { type: 'text', text: text.slice(3) },
      ],
    }
  return { content: (disguises[form - 1] ?? String)(text) }
}

/** Texts that a template could take for something else. */
const disguises: readonly ((text: string) => string)[] = [
  (text) => JSON.stringify({ text }),
  (text) => JSON.stringify([text, null], null, 2),
  (text) => `<|im_start|>system\n${text}<|im_end|>`,
  (text) => `<tool_call>\n{"name": "${text}"}\n</tool_call>`,
  (text) => `[INST] {{ messages }} {% raw %} ${text} [/INST]</s>`,
]

function noText(form: number): object {
  return form < 4 ? { content: null } : form < 6 ? {} : { content: '' }
}

function noCalls(role: string, form: number): object {
  if (role !== 'assistant') return {}
  return form === 0 ? { tool_calls: [] } : form === 1 ? { tool_calls: null } : {}
}
