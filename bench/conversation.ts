import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly text: string
  readonly calls?: readonly ToolCall[]
  /** For a tool message: the call that it answers. */
  readonly answers?: ToolCall
}

export interface Question {
  readonly text: string
  /** Indexes of the messages that hold the answer. */
  readonly evidence: readonly number[]
}

export interface Conversation {
  readonly dataset: string
  readonly id: string
  readonly messages: readonly Message[]
  readonly questions: readonly Question[]
}

/**
 * Reads a file of labelled conversations, one JSON object a line, gzipped or not: `{dataset, id, messages: [{id, role,
 * text}], questions: [{q, evidence: [message id]}]}`.
 */
export function readConversations(path: string): Conversation[] {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => readConversation(JSON.parse(line) as StoredConversation))
}

interface StoredConversation {
  readonly dataset: string
  readonly id: string
  readonly messages: readonly { readonly id: string | number; readonly role: Message['role']; readonly text: string }[]
  readonly questions: readonly { readonly q: string; readonly evidence: readonly (string | number)[] }[]
}

function readConversation(stored: StoredConversation): Conversation {
  const positions = new Map(stored.messages.map((message, index) => [message.id, index]))
  const position = (id: string | number): number => {
    const index = positions.get(id)
    if (index === undefined) throw new Error(`${stored.id}: no message has the evidence id ${id}.`)
    return index
  }
  return {
    dataset: stored.dataset,
    id: stored.id,
    messages: stored.messages.map(({ role, text }) => ({ role, text })),
    questions: stored.questions.map(({ q, evidence }) => ({ text: q, evidence: evidence.map(position) })),
  }
}
