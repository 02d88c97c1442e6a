import type { Message, TokenCounter } from 'minutebook'
import {
  checkedCount,
  countTools,
  innermost,
  leading,
  messageTokens,
  overheadOf,
  type CallPrompt,
  type Pause,
} from 'minutebook/inspect'
import { canonicalJson } from 'minutebook/store'
import { readMessage } from 'minutebook/wire'

/** A prompt, with all that decides whether a server can use its cache for it. */
export interface CachePrompt {
  readonly messages: readonly Message[]
  readonly tools: readonly unknown[]
  readonly model: string | null
  /** The options of the request that change how a server reads a prompt, by name. */
  readonly options: Readonly<Record<string, string>>
  /** For each message, the pieces that it is made of. */
  readonly pieces: CallPrompt['pieces']
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

/**
 * What two prompts have in common. In tokens by the counter before calibration, except for `difference`: so a prompt is
 * counted alike while it is sent and when it is derived later, whatever the calibration is by then.
 */
export interface CacheMatch {
  /** The whole of the new prompt. */
  readonly total: number
  /** The whole of the prompt before. */
  readonly previous: number
  /** What both begin with. */
  readonly kept: number
  /** What the new prompt has behind the first difference, and the prompt before had too. */
  readonly lost: number
  /** Absent if one of the prompts is the beginning of the other. */
  readonly difference?: PromptChange
}

/** Compares prompts, and counts each message only once. */
export type CacheMatcher = (now: CachePrompt, before: CachePrompt) => Promise<CacheMatch>

/**
 * How much of a prompt was there before? The tools come first here, then the messages. So does the text that most
 * templates make of them: tools are printed with the system text, at the beginning. Another model or another option
 * of the request counts as a difference before the first byte.
 */
export function createCacheMatcher(counter: TokenCounter, pause: Pause): CacheMatcher {
  const weigh = createWeigher(innermost(counter), pause)
  return async (now, before) => {
    const total = await weigh.all(now)
    const previous = await weigh.all(before)
    const other = otherRequest(now, before)
    if (other !== undefined) {
      const lost = await lostBehind(now, before, { tools: 0, messages: 0, alike: 0 }, weigh, pause)
      return { total, previous, kept: 0, lost, difference: { place: other, byte: 0 } }
    }
    const tools = leading(before.tools, now.tools)
    const areToolsEqual = tools === now.tools.length && tools === before.tools.length
    const messages = areToolsEqual ? leading(before.messages, now.messages) : 0
    const whole = {
      tools: now.tools.slice(0, tools),
      messages: now.messages.slice(0, messages),
    }
    const kept = await weigh.all(whole)
    if (areToolsEqual && messages === Math.min(now.messages.length, before.messages.length))
      return { total, previous, kept, lost: 0 }
    const [mine, theirs] = areToolsEqual
      ? [now.messages[messages], before.messages[messages]]
      : [now.tools[tools], before.tools[tools]]
    const shared = sharedText(mine, theirs, areToolsEqual)
    const alike = shared.behind.reduce((most, text) => Math.max(most, weigh.text(text)), 0)
    return {
      total,
      previous,
      kept: Math.min(total, kept + weigh.text(shared.start)),
      lost: await lostBehind(now, before, { tools, messages, alike }, weigh, pause),
      difference: {
        place: `${areToolsEqual ? 'messages' : 'tools'}[${areToolsEqual ? messages : tools}]${pathTo(mine, theirs) ?? ''}`,
        ...(areToolsEqual && { message: messages }),
        byte: (await bytesOf([...whole.tools, ...whole.messages], pause)) + sharedBytes(mine, theirs),
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
  all(prompt: Pick<CachePrompt, 'tools' | 'messages'>): Promise<number>
  text(text: string): number
  message(message: Message): number
  tool(tool: unknown): number
}

function createWeigher(counter: TokenCounter, pause: Pause): Weigher {
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
    all: async ({ tools, messages }) => {
      if (tools.length + messages.length === 0) return 0
      let tokens = overheadOf(counter).prompt
      for (const item of tools) tokens += tool(item)
      for (const item of messages) {
        tokens += message(item)
        await pause(itemWork)
      }
      return tokens
    },
  }
}

/**
 * The tokens of the whole items of the new prompt from these places on that the prompt before had from there on, too.
 * `alike`: those of the first item that count if it is not one of them.
 */
async function lostBehind(
  now: CachePrompt,
  before: CachePrompt,
  { tools, messages, alike }: { readonly tools: number; readonly messages: number; readonly alike: number },
  weigh: Weigher,
  pause: Pause,
): Promise<number> {
  const known = new Map<string, number>()
  for (const item of [...before.tools.slice(tools), ...before.messages.slice(messages)]) {
    const text = canonicalJson(item)
    known.set(text, (known.get(text) ?? 0) + 1)
    await pause(itemWork + text.length)
  }
  let lost = 0
  const had = (item: unknown): boolean => {
    const text = canonicalJson(item)
    const left = known.get(text) ?? 0
    known.set(text, left - 1)
    return left > 0
  }
  const [laterTools, laterMessages] = [now.tools.slice(tools), now.messages.slice(messages)]
  for (const [index, item] of laterTools.entries()) lost += had(item) ? weigh.tool(item) : index === 0 ? alike : 0
  for (const [index, item] of laterMessages.entries()) {
    const isFirst = index === 0 && laterTools.length === 0
    lost += had(item) ? weigh.message(item) : isFirst ? alike : 0
    await pause(itemWork)
  }
  return lost
}

/** What two items that differ have in common: of messages what they say, of tools their JSON. */
interface SharedText {
  /** What both begin with. */
  readonly start: string
  /** What they have in common behind that, by two ways to look at it. The longer one counts. */
  readonly behind: readonly string[]
}

function sharedText(now: unknown, before: unknown, areMessages: boolean): SharedText {
  if (now === undefined || before === undefined) return { start: '', behind: [] }
  const [mine, theirs] = areMessages
    ? [readMessage(now as Message), readMessage(before as Message)]
    : [
        { kind: 'tool', text: canonicalJson(now) },
        { kind: 'tool', text: canonicalJson(before) },
      ]
  if (mine.kind !== theirs.kind) return { start: '', behind: [] }
  const at = sharedLength(mine.text, theirs.text)
  const [rest, earlier] = [mine.text.slice(at), theirs.text.slice(at)]
  const line = at === 0 ? 0 : mine.text.lastIndexOf('\n', at - 1) + 1
  const lines = sharedLines(mine.text.slice(line), theirs.text.slice(line))
  return { start: mine.text.slice(0, at), behind: [sharedEnd(rest, earlier), lines] }
}

function sharedEnd(now: string, before: string): string {
  const longest = Math.min(now.length, before.length)
  let end = 0
  while (end < longest && now.at(-1 - end) === before.at(-1 - end)) end++
  return end === 0 ? '' : now.slice(-end)
}

/** The lines that both have, in whatever order: a line that was moved makes a server read all lines behind it again. */
function sharedLines(now: string, before: string): string {
  const known = new Map<string, number>()
  for (const line of before.split('\n')) known.set(line, (known.get(line) ?? 0) + 1)
  const shared = now.split('\n').filter((line) => {
    const left = known.get(line) ?? 0
    known.set(line, left - 1)
    return left > 0
  })
  return shared.join('\n')
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

async function bytesOf(items: readonly unknown[], pause: Pause): Promise<number> {
  let bytes = 0
  for (const item of items) {
    const text = canonicalJson(item)
    bytes += utf8Length(text, text.length)
    await pause(itemWork + text.length)
  }
  return bytes
}

/** The work for a message or a tool, in addition to its characters. */
const itemWork = 500

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
