import type { Message } from 'minutebook'
import { createBreaks } from 'minutebook/clock'
import { takeNotes } from 'minutebook/wire'
import { hash } from 'node:crypto'
import { canonicalArguments, canonicalJson, asObject } from '../http/json.ts'

/** A conversation as texts: two conversations with equal texts are the same. System messages are not part of it. */
export interface Fingerprints {
  /** Each message in its normal form, as JSON. Of a very long one, the hash of that. */
  readonly texts: readonly string[]
  /** The places of the assistant's messages. */
  readonly answers: readonly number[]
  /** The hashes of messages that were needed so far, by their places. */
  readonly digests: (string | undefined)[]
  /** The hashes of all messages up to the end of each block, as far as they were needed. */
  readonly blocks: string[]
}

/**
 * The chain of a client's messages. A message is hashed only when needed: every request waits for it.
 *
 * @example
 * const before = fingerprintsOf(request.messages)
 * const after = fingerprintsOf([answer], before)
 */
export function fingerprintsOf(messages: readonly Message[], before?: Fingerprints): Fingerprints {
  const chain = {
    texts: [...(before?.texts ?? [])],
    answers: [...(before?.answers ?? [])],
    digests: [...(before?.digests ?? [])],
    blocks: [...(before?.blocks ?? [])],
  }
  for (const message of messages) add(chain, message)
  return chain
}

/** The chain of any number of messages, with pauses for other requests. All its blocks are hashed. */
export async function longFingerprintsOf(messages: readonly Message[]): Promise<Fingerprints> {
  const chain: { texts: string[]; answers: number[]; digests: string[]; blocks: string[] } = {
    texts: [],
    answers: [],
    digests: [],
    blocks: [],
  }
  const takeBreak = createBreaks()
  for (const message of messages) {
    add(chain, message)
    hashBlocks(chain, chain.texts.length)
    const waiting = takeBreak()
    if (waiting) await waiting
  }
  return chain
}

/** Messages that are hashed together: one hash of many texts takes a fraction of the time of many hashes. */
const blockSize = 16
/** From this number of characters on, a message is represented by its hash: its block may be hashed several times. */
const longMessage = 1 << 16

function add({ texts, answers }: { readonly texts: string[]; readonly answers: number[] }, message: Message): void {
  for (const { role, text, calls, images } of normalForms([message])) {
    if (role === 'assistant') answers.push(texts.length)
    const form = JSON.stringify([role, text, calls, images])
    texts.push(form.length < longMessage ? form : JSON.stringify(hash('sha256', form)))
  }
}

/** The hash of one message. */
export function digestAt(chain: Fingerprints, at: number): string {
  return (chain.digests[at] ??= hash('sha256', `message ${chain.texts[at]}`))
}

/** The hash of a message with the one before it: a client that drops its oldest messages still sends both. */
export function pairHash(chain: Fingerprints, at: number): string {
  return hash('sha256', `pair ${at > 0 ? digestAt(chain, at - 1) : ''} ${digestAt(chain, at)}`)
}

/** The hash of all messages up to and including one. It continues from the hash of the last whole block. */
export function lineHash(chain: Fingerprints, at: number): string {
  hashBlocks(chain, at + 1)
  const blocks = Math.floor((at + 1) / blockSize)
  return hashAfter(chain.blocks[blocks - 1], chain.texts.slice(blocks * blockSize, at + 1))
}

/** Hashes the whole blocks among this number of messages. */
function hashBlocks({ texts, blocks }: Fingerprints, count: number): void {
  for (let end = (blocks.length + 1) * blockSize; end <= count; end += blockSize)
    blocks.push(hashAfter(blocks.at(-1), texts.slice(end - blockSize, end)))
}

/** Each text is a JSON value, so where one ends is clear. */
function hashAfter(before: string | undefined, texts: readonly string[]): string {
  return hash('sha256', `line ${before ?? ''} ${texts.join(' ')}`)
}

/** The hash of everything that is asked, together with the sender's id for it if there is one. */
export function questionOf(chain: Fingerprints, id: string | undefined): string {
  return hash('sha256', JSON.stringify(['question', lineHash(chain, chain.texts.length - 1), id ?? null]))
}

/**
 * The content of a message, however a client writes it: the same for all protocols. Call ids, names of results,
 * reasoning, notes and times are not part of it, because clients lose or change them.
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
 * The normal forms of a conversation, without system messages and without messages that were only notes. Takes anything
 * that a client may send; never throws.
 *
 * @example
 * normalForms([{ role: 'user', content: ' Hello ' }]) // [{ role: 'user', text: 'Hello', calls: [], images: [] }]
 */
export function normalForms(messages: readonly Message[]): NormalForm[] {
  return messages.flatMap((message) => {
    const role = roleOf(message)
    if (role === 'system' || (role === 'tool' && nameOf(message) === noteToolName)) return []
    if (role !== 'assistant') return [formOf(message, role)]
    const { message: rest, notes } = takeNotes(message, 'exact')
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
  return message.tool_name ?? asObject(message)['name']
}

function saysNothing({ text, calls, images }: NormalForm): boolean {
  return text === '' && calls.length === 0 && images.length === 0
}

function contentOf(content: unknown): { text: string; images: string[] } {
  if (typeof content === 'string') return { text: content, images: [] }
  const texts: string[] = []
  const images: string[] = []
  for (const part of listOf(content)) {
    const text = typeof part === 'string' ? part : asObject(part)['text']
    if (typeof text === 'string') texts.push(text)
    else images.push(partDigest(part))
  }
  return { text: texts.join(''), images }
}

/** Servers without a parser for it leave the reasoning in the text; clients remove it. */
function withoutThinking(text: string): string {
  const said = text.trimStart()
  const end = said.startsWith('<think>') ? said.indexOf('</think>') : -1
  return end < 0 ? text : said.slice(end + '</think>'.length)
}

function callOf(call: unknown): readonly [string, string] {
  const { function: called, custom } = asObject(call)
  const { name, arguments: given, input } = asObject(called ?? custom)
  return [String(name), canonicalArguments(given ?? input)]
}

function partDigest(part: unknown): string {
  const { image_url: image } = asObject(part)
  const address = typeof image === 'string' ? image : asObject(image)['url']
  return typeof address === 'string' ? imageDigest(address) : hash('sha256', canonicalJson(part))
}

/** Of the image data, if there is any: Ollama's clients send it bare, OpenAI's in an address. */
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
