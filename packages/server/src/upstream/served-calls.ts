import { LRUCache } from 'lru-cache'
import type { Message } from 'minutebook'
import type { Receipt } from 'minutebook/inspect'
import { readMessage } from 'minutebook/wire'
import { createHash } from 'node:crypto'

/**
 * What did an upstream answer between two calls of a thread? A server keeps few prompts in its cache, often only the
 * last one. Knows only calls of this instance, separately for each tenant, and only their kinds get into receipts.
 */
export interface ServedCalls {
  /**
   * Notes that a call is about to be sent. Returns what the same upstream and model answered since the previous call of
   * the thread: another thread, or only side requests of the same client, such as for a title. Undefined if nothing, or
   * if that call is not known here.
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

/** What is remembered of a call: nothing of its text. */
interface CallTrace extends Pick<ServedCall, 'thread' | 'owner'> {
  readonly hasTools: boolean
  /** One question, and no answer before it. */
  readonly isSingle: boolean
  readonly isShort: boolean
  /** The hash of its system text. */
  readonly system: string
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
      const trace = traceOf(call)
      const last = calls.findLastIndex(({ thread }) => thread !== undefined && thread === call.thread)
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

function traceOf({ thread, owner, messages, tools, output }: ServedCall): CallTrace {
  const hash = createHash('sha256')
  let questions = 0
  let others = 0
  for (const message of messages) {
    const { kind, text } = readMessage(message)
    if (kind === 'system') hash.update(text)
    else if (kind === 'user') questions++
    else others++
  }
  return {
    thread,
    owner,
    hasTools: tools.length > 0,
    isSingle: questions === 1 && others === 0,
    isShort: output !== undefined && output <= shortAnswer,
    system: hash.digest('base64'),
  }
}

/** Tokens. A title, a few questions to go on with, tags: clients ask for no more than this. */
const shortAnswer = 1024

/**
 * True if a call looks like a side request of the client that a thread belongs to. A new conversation of the same client
 * has the same system text and the same tools, and no limit that is this low.
 */
function isSideOf(thread: CallTrace, { owner, hasTools, isSingle, isShort, system }: CallTrace): boolean {
  if (owner !== thread.owner || hasTools || !isSingle) return false
  return isShort || thread.hasTools || system !== thread.system
}
