import { checkedCount, countTools, overheadOf, type TokenCounter } from '../../tokens/tokens.ts'
import { canonicalJson } from '../../log/json.ts'
import { readMessage, type Message } from '../../log/message.ts'
import { printedArguments } from '../../compiler/cost.ts'
import type { Profile } from '../../compiler/profile.ts'
import type { PrefixReuse } from './request.ts'

/** A prompt with its tokens, message by message. */
export interface Measured {
  readonly messages: readonly Message[]
  readonly tools: readonly unknown[]
  readonly each: readonly number[]
  /** What stands before all messages: the prompt's own overhead and the tools. */
  readonly head: number
  readonly total: number
}

export function measure(messages: readonly Message[], tools: readonly unknown[], counter: TokenCounter, profile: Profile): Measured {
  const head = overheadOf(counter).prompt + countTools(counter, tools)
  const each = messages.map((message) => messageTokens(message, counter, profile))
  return { messages, tools, each, head, total: head + sum(each) }
}

function messageTokens(message: Message, counter: TokenCounter, profile: Profile): number {
  const overhead = overheadOf(counter)
  const { text, reasoning, calls, images } = readMessage(message)
  const texts = [text, reasoning, ...calls.flatMap((call) => [call.name, printedArguments(call, profile)])].filter((part) => part !== '')
  return overhead.message + images.length * overhead.image + calls.length * overhead.call + sum(texts.map((part) => checkedCount(counter, part)))
}

export function reuseOf(prompt: Measured, before: Measured | undefined): PrefixReuse {
  let messages = 0
  if (before && canonicalJson(before.tools) === canonicalJson(prompt.tools)) {
    while (messages < prompt.messages.length && canonicalJson(prompt.messages[messages]) === canonicalJson(before.messages[messages])) messages++
  }
  const tokens = messages > 0 ? prompt.head + sum(prompt.each.slice(0, messages)) : 0
  return { messages, tokens, share: prompt.total > 0 ? tokens / prompt.total : 0 }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
