import { LRUCache } from 'lru-cache'
import type { Message } from 'minutebook'
import type { Receipt } from 'minutebook/inspect'
import { readMessage } from 'minutebook/wire'
import { hash } from 'node:crypto'

/**
 * What did an upstream answer between two calls of a thread? A server keeps few prompts in its cache, often only the
 * last one. Knows only calls of this instance, separately for each tenant, and only their kinds get into receipts.
 */
export interface ServedCalls {
  /**
   * Notes that a call is about to be sent. Returns what the same upstream and model answered since the previous call of
   * the thread: `thread` if it was another thread, `title` if it was only side requests of the same client. Undefined if
   * nothing, or if that call is not known here.
   */
  take(call: ServedCall): Receipt['between']
}

/** A call, and what tells a side request from a conversation. */
export interface ServedCall {
  readonly tenant: string
  /** The address of the upstream. */
  readonly upstream: string
  readonly model: string
  /** The name of the key. */
  readonly owner: string
  /** Undefined if nothing of it is recorded. */
  readonly thread: string | undefined
  readonly messages: readonly Message[]
  readonly tools: readonly unknown[]
  /** Tokens of the answer, at most. */
  readonly output?: number | undefined
}

/** What is remembered of a call. */
interface CallTrace extends Pick<ServedCall, 'thread' | 'owner'> {
  /** Whether it could be a side request: no tools, and nothing was answered before. */
  readonly isSingle: boolean
  /** Whether it quotes the question of another call of the same client. */
  readonly quotes: boolean
  /** Tokens of the answer, at most. */
  readonly limit: number
  /** The hash of the system text that it begins with. */
  readonly system: string
  /** The last line of its newest question, shortened: a side request about it quotes it. Never leaves this list. */
  readonly line: string | undefined
}

/**
 * @example
 * const between = served.take({ tenant, upstream: upstream.url, model, owner: caller.name, thread, messages, tools })
 */
export function createServedCalls(): ServedCalls {
  const lately = new LRUCache<string, CallTrace[]>({ max: 1000 })
  return {
    take: (call) => {
      const key = JSON.stringify([call.tenant, call.upstream, call.model])
      const calls = lately.get(key) ?? []
      const last = calls.findLastIndex(({ thread }) => thread !== undefined && thread === call.thread)
      const trace = traceOf(call, last < 0 ? calls : undefined)
      const others = last < 0 ? [] : calls.slice(last + 1)
      calls.push(trace)
      if (calls.length > mostCalls) calls.shift()
      lately.set(key, calls)
      if (others.length === 0) return undefined
      return others.every((other) => isSideOf(trace, other)) ? 'title' : 'thread'
    },
  }
}

/** Of one upstream and model. A thread that was not asked for that long is not in any slot. */
const mostCalls = 64

/**
 * True if a call is a side request of the client that a thread belongs to: a single question without tools that quotes
 * what the client asked in a thread, or that asks for a short answer although the thread does not. A title, tags and
 * questions to go on with are such. The first call of another conversation is not: it quotes nothing, and has the limits
 * of its client.
 */
function isSideOf(thread: CallTrace, { owner, isSingle, quotes, limit }: CallTrace): boolean {
  return owner === thread.owner && isSingle && (quotes || (limit <= shortAnswer && limit < thread.limit))
}

/** Tokens. Clients that limit the answer of a side request ask for no more than this. */
const shortAnswer = 1024

/** `earlier`: the calls before it. Undefined if one of them is of the same thread. */
function traceOf(
  { thread, owner, messages, tools, output = Infinity }: ServedCall,
  earlier: readonly CallTrace[] | undefined,
): CallTrace {
  const system = hash('sha256', openingOf(messages), 'base64')
  const question = messages.findLast(({ role }) => String(role).toLowerCase() === 'user')
  const line = lastLine(question ? readMessage(question).text : '')
  const asked = earlier && tools.length === 0 ? onlyQuestions(messages) : undefined
  const isSingle = asked !== undefined
  const said = asked?.join('\n') ?? ''
  const isQuoted = (call: CallTrace): boolean =>
    call.line !== undefined &&
    said.includes(call.line) &&
    // The same question again, in the same words, is another conversation.
    (call.line !== line || call.system !== system)
  const quotes =
    said.length <= longestSide && (earlier?.some((call) => call.owner === owner && isQuoted(call)) ?? false)
  return { thread, owner, isSingle, quotes, limit: output, system, line }
}

/** The system text that a request begins with. */
function openingOf(messages: readonly Message[]): string {
  const texts: string[] = []
  for (const message of messages) {
    const { kind, text } = readMessage(message)
    if (kind !== 'system') break
    texts.push(text)
  }
  return texts.join('')
}

/** The questions of a request. Undefined if something in it was answered, or if it is too long for a side request. */
function onlyQuestions(messages: readonly Message[]): readonly string[] | undefined {
  if (messages.length > mostOfSide) return undefined
  const spoken = messages.map(readMessage).filter(({ kind }) => kind !== 'system')
  return spoken.every(({ kind }) => kind === 'user') ? spoken.map(({ text }) => text) : undefined
}

/** Messages. Side requests have one or two, and a system text. */
const mostOfSide = 16
/** Characters. A longer request is not searched for quotations. */
const longestSide = 200_000

/** Undefined if no line is long enough to be known again by it. */
function lastLine(text: string): string | undefined {
  const lines = text.slice(-longestEnd).split('\n')
  return lines
    .findLast((line) => line.trim().length >= shortestLine)
    ?.trim()
    .slice(-longestLine)
}

/** Characters. */
const longestEnd = 2000
const longestLine = 80
const shortestLine = 12
