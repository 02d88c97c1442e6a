import { hash } from 'node:crypto'
import type { Message } from 'minutebook'
import { takeNotes } from 'minutebook/wire'
import { fieldsOf } from '../fields.ts'
import { canonicalArguments, canonicalJson } from './canonical.ts'

/**
 * What a message says, however a client writes it: the same for both protocols. Call ids, names of results, thinking,
 * notes and times are not part of it, because clients lose or change them.
 */
export interface NormalForm {
  readonly role: string
  /** Trimmed, and without thinking and notes. */
  readonly text: string
  readonly calls: readonly (readonly [name: string, input: string])[]
  /** A digest of every part that is not text. */
  readonly images: readonly string[]
}

/**
 * The normal forms of a conversation: of all messages but those of the system, and but those that were nothing else
 * than notes. Takes whatever a client may send; never throws.
 *
 * @example
 * normalForms([{ role: 'user', content: ' Hello ' }]) // [{ role: 'user', text: 'Hello', calls: [], images: [] }]
 */
export function normalForms(messages: readonly Message[]): NormalForm[] {
  return messages.flatMap((message) => {
    const role = roleOf(message)
    if (role === 'system' || (role === 'tool' && nameOf(message) === noteToolName)) return []
    if (role !== 'assistant') return [formOf(message, role)]
    const { message: rest, notes } = takeNotes(message)
    const form = formOf(rest, role)
    return notes.length > 0 && saysNothing(form) ? [] : [form]
  })
}

function formOf(message: Message, role: string): NormalForm {
  const { text, images } = contentOf(message.content)
  return {
    role,
    text: (role === 'assistant' ? withoutThinking(text) : text).trim(),
    calls: role === 'assistant' ? listOf(message.tool_calls).map(callOf) : [],
    images: [...images, ...listOf(message.images).map((image) => imageDigest(String(image)))],
  }
}

function roleOf({ role }: Message): string {
  const given = String(role).toLowerCase()
  return aliases.get(given) ?? given
}

function nameOf(message: Message): unknown {
  return message.tool_name ?? fieldsOf(message)['name']
}

function saysNothing({ text, calls, images }: NormalForm): boolean {
  return text === '' && calls.length === 0 && images.length === 0
}

function contentOf(content: unknown): { text: string; images: string[] } {
  if (typeof content === 'string') return { text: content, images: [] }
  const texts: string[] = []
  const images: string[] = []
  for (const part of listOf(content)) {
    const text = typeof part === 'string' ? part : fieldsOf(part)['text']
    if (typeof text === 'string') texts.push(text)
    else images.push(partDigest(part))
  }
  return { text: texts.join(''), images }
}

/** Servers without a parser for it leave the thinking in the text; clients take it off. */
function withoutThinking(text: string): string {
  const said = text.trimStart()
  const end = said.startsWith('<think>') ? said.indexOf('</think>') : -1
  return end < 0 ? text : said.slice(end + '</think>'.length)
}

function callOf(call: unknown): readonly [string, string] {
  const { function: called, custom } = fieldsOf(call)
  const { name, arguments: given, input } = fieldsOf(called ?? custom)
  return [String(name), canonicalArguments(given ?? input)]
}

function partDigest(part: unknown): string {
  const { image_url: image } = fieldsOf(part)
  const address = typeof image === 'string' ? image : fieldsOf(image)['url']
  return typeof address === 'string' ? imageDigest(address) : hash('sha256', canonicalJson(part))
}

/** Of the data, where there is any: Ollama's clients send it bare, OpenAI's in an address. */
function imageDigest(image: string): string {
  const comma = image.startsWith('data:') ? image.indexOf(',') : -1
  const isData = comma > 0 && image.slice(0, comma).endsWith(';base64')
  return hash('sha256', isData ? image.slice(comma + 1) : image)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

const noteToolName = 'note_to_self'
const aliases: ReadonlyMap<string, string> = new Map([
  ['developer', 'system'],
  ['function', 'tool'],
])
