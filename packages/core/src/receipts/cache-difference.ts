import type { CompileResult } from '../compiler/compile.ts'
import { canonicalJson } from '../log/json.ts'
import { readMessage, type Message } from '../log/message.ts'
import { itemWork, type Steps } from '../log/time.ts'
import { messageTokens } from '../tokens/prediction.ts'
import { checkedCount, countTools, overheadOf, type TokenCounter } from '../tokens/tokens.ts'
import { leading } from './message-reference.ts'

/** A prompt, with all that decides whether a server can use its cache for it. */
export interface CachePrompt {
  readonly messages: readonly Message[]
  readonly tools: readonly unknown[]
  readonly model: string | null
  /** The options of the request that change how a server reads a prompt, by name. */
  readonly options: Readonly<Record<string, string>>
  /** For each message, the pieces that it is made of. */
  readonly pieces: CompileResult['pieces']
  /** The number of compactions by Minutebook before it. */
  readonly epoch: number
  /** True if Minutebook made it. False if it is what a client sent. */
  readonly isCompiled: boolean
}

/** The first difference between two prompts. */
export interface PromptChange {
  /** The field, such as `messages[3].content`, `tools[0].function.description`, `options.num_ctx` or `model`. */
  readonly place: string
  /** The index of the message that it is in, if it is in one. */
  readonly message?: number
  /** How many bytes are equal before it, in the canonical JSON of the tools and then of the messages. */
  readonly byte: number
}

/** What two prompts have in common. In tokens, except for `difference`. */
export interface CacheMatch {
  /** The whole of the new prompt. */
  readonly total: number
  /** What both begin with. */
  readonly kept: number
  /** What the new prompt has behind the first difference, and the prompt before had too. */
  readonly lost: number
  /** Absent if one of the prompts is the beginning of the other. */
  readonly difference?: PromptChange
}

/** Compares prompts, and counts each message only once. */
export type CacheMatcher = (now: CachePrompt, before: CachePrompt) => Steps<CacheMatch>

/**
 * How much of a prompt was there before? The tools come first here, then the messages. So does the text that most
 * templates make of them: tools are printed with the system text, at the beginning. Another model or another option
 * of the request counts as a difference before the first byte.
 */
export function createCacheMatcher(counter: TokenCounter): CacheMatcher {
  const weigh = createWeigher(counter)
  return function* (now, before) {
    const total = yield* weigh.all(now)
    const other = otherRequest(now, before)
    if (other !== undefined) {
      const lost = yield* lostBehind(now, before, { tools: 0, messages: 0 }, weigh)
      return { total, kept: 0, lost, difference: { place: other, byte: 0 } }
    }
    const tools = leading(before.tools, now.tools)
    const areToolsEqual = tools === now.tools.length && tools === before.tools.length
    const messages = areToolsEqual ? leading(before.messages, now.messages) : 0
    const whole = {
      tools: now.tools.slice(0, tools),
      messages: now.messages.slice(0, messages),
    }
    const kept = yield* weigh.all(whole)
    if (areToolsEqual && messages === Math.min(now.messages.length, before.messages.length))
      return { total, kept, lost: 0 }
    const [mine, theirs] = areToolsEqual
      ? [now.messages[messages], before.messages[messages]]
      : [now.tools[tools], before.tools[tools]]
    const shared = sharedText(mine, theirs, areToolsEqual)
    const behind = { tools: areToolsEqual ? tools : tools + 1, messages: areToolsEqual ? messages + 1 : 0 }
    const isInPlace = mine !== undefined && theirs !== undefined
    const lost = yield* lostBehind(now, before, isInPlace ? behind : { tools, messages }, weigh)
    return {
      total,
      kept: Math.min(total, kept + weigh.text(shared.start)),
      lost: lost + weigh.text(shared.end),
      difference: {
        place: `${areToolsEqual ? 'messages' : 'tools'}[${areToolsEqual ? messages : tools}]${pathTo(mine, theirs) ?? ''}`,
        ...(areToolsEqual && { message: messages }),
        byte: (yield* bytesOf([...whole.tools, ...whole.messages])) + sharedBytes(mine, theirs),
      },
    }
  }
}

/** The name of the first field of the request that differs and makes a server read everything again. */
function otherRequest(now: CachePrompt, before: CachePrompt): string | undefined {
  if (now.model !== before.model) return 'model'
  const names = [...new Set([...Object.keys(before.options), ...Object.keys(now.options)])].toSorted()
  const other = names.find((name) => now.options[name] !== before.options[name])
  return other === undefined ? undefined : `options.${other}`
}

interface Weigher {
  all(prompt: Pick<CachePrompt, 'tools' | 'messages'>): Steps<number>
  text(text: string): number
  message(message: Message): number
  tool(tool: unknown): number
}

function createWeigher(counter: TokenCounter): Weigher {
  const counted = new WeakMap<object, number>()
  const once = <T extends object>(item: T, count: (item: T) => number): number => {
    const tokens = counted.get(item) ?? count(item)
    counted.set(item, tokens)
    return tokens
  }
  const message = (item: Message): number => once(item, () => messageTokens(counter, item))
  const tool = (item: unknown): number => once(Object(item) as object, () => countTools(counter, [item]))
  return {
    message,
    tool,
    text: (text) => (text === '' ? 0 : checkedCount(counter, text)),
    all: function* ({ tools, messages }) {
      if (tools.length + messages.length === 0) return 0
      let tokens = overheadOf(counter).prompt
      for (const item of tools) tokens += tool(item)
      for (const item of messages) {
        tokens += message(item)
        yield itemWork
      }
      return tokens
    },
  }
}

/** The tokens of the new prompt from these places on that the prompt before had too, anywhere. */
function* lostBehind(
  now: CachePrompt,
  before: CachePrompt,
  from: { readonly tools: number; readonly messages: number },
  weigh: Weigher,
): Steps<number> {
  const known = new Map<string, number>()
  for (const item of [...before.tools, ...before.messages]) {
    const text = canonicalJson(item)
    known.set(text, (known.get(text) ?? 0) + 1)
    yield itemWork + text.length
  }
  let lost = 0
  const had = (item: unknown): boolean => {
    const text = canonicalJson(item)
    const left = known.get(text) ?? 0
    known.set(text, left - 1)
    return left > 0
  }
  for (const item of now.tools.slice(from.tools)) if (had(item)) lost += weigh.tool(item)
  for (const item of now.messages.slice(from.messages)) {
    if (had(item)) lost += weigh.message(item)
    yield itemWork
  }
  return lost
}

/** The text with which two items begin and end alike: of messages what they say, of tools their JSON. */
function sharedText(now: unknown, before: unknown, areMessages: boolean): { start: string; end: string } {
  if (now === undefined || before === undefined) return { start: '', end: '' }
  const [mine, theirs] = areMessages
    ? [readMessage(now as Message), readMessage(before as Message)]
    : [
        { kind: 'tool', text: canonicalJson(now) },
        { kind: 'tool', text: canonicalJson(before) },
      ]
  if (mine.kind !== theirs.kind) return { start: '', end: '' }
  const at = sharedLength(mine.text, theirs.text)
  const longest = Math.min(mine.text.length, theirs.text.length) - at
  let end = 0
  while (end < longest && mine.text.at(-1 - end) === theirs.text.at(-1 - end)) end++
  return { start: mine.text.slice(0, at), end: end === 0 ? '' : mine.text.slice(-end) }
}

function sharedLength(now: string, before: string): number {
  const longest = Math.min(now.length, before.length)
  let at = 0
  while (at < longest && now.charCodeAt(at) === before.charCodeAt(at)) at++
  return at
}

function sharedBytes(now: unknown, before: unknown): number {
  if (now === undefined || before === undefined) return 0
  const text = canonicalJson(now)
  return utf8Length(text, sharedLength(text, canonicalJson(before)))
}

function* bytesOf(items: readonly unknown[]): Steps<number> {
  let bytes = 0
  for (const item of items) {
    const text = canonicalJson(item)
    bytes += utf8Length(text, text.length)
    yield itemWork + text.length
  }
  return bytes
}

/** The bytes of the first `length` units of a text. */
function utf8Length(text: string, length: number): number {
  let bytes = 0
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at)
    // Each half of a pair counts two: together four.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3
  }
  return bytes
}

/**
 * The path to the first field in which two values differ, in the order of canonical JSON: `.content[0].text`. Undefined
 * if they are equal.
 */
function pathTo(now: unknown, before: unknown): string | undefined {
  if (now === before) return undefined
  if (typeof now !== 'object' || typeof before !== 'object' || now === null || before === null) return ''
  const isList = Array.isArray(now)
  if (isList !== Array.isArray(before)) return ''
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])]
  for (const name of isList ? names : names.toSorted()) {
    const path = pathTo(fieldOf(now, name), fieldOf(before, name))
    if (path !== undefined) return `${isList ? `[${name}]` : `.${name}`}${path}`
  }
  return undefined
}

function fieldOf(value: object, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name]
}
