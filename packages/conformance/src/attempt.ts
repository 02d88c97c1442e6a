// What did a function make of a conversation? It is called with copies, and with a counter that notices endless loops.
import type { Message, TokenCounter } from 'minutebook'
import { checkedCount, overheadOf } from 'minutebook/inspect'
import { canonicalJson } from 'minutebook/store'
import { argumentsText, readMessage, type Content } from 'minutebook/wire'
import type { SampleMessage } from './sample.ts'

/** Counts the tokens of messages, with all that the counter adds to texts. */
export type CountMessages = (messages: readonly Message[]) => number

/** What is checked: makes a prompt of a conversation. It may throw if there is no prompt that fits. */
export type ContextFunction<M extends Message = Message> = (
  messages: M[],
  window: number,
  count: (messages: readonly M[]) => number,
) => readonly Message[] | Promise<readonly Message[]>

/** What became of one call of the function. */
export interface Attempt {
  /** Undefined if the function threw. */
  readonly prompt: readonly SentMessage[] | undefined
  readonly error?: unknown
  /** The function changed the messages that it was given. */
  readonly isInputChanged: boolean
  /** The counter was asked so often that the function seems to loop. */
  readonly isEndless: boolean
}

/** A message of a prompt with what it says. */
export interface SentMessage extends Content {
  readonly message: Message
  /** The text, and the arguments of calls. */
  readonly allText: string
  /** Equal for messages that say the same. */
  readonly key: string
}

/** The sum for messages: of their texts, and of what the counter adds to each message, to each call and to a prompt. */
export function messageCounter(counter: TokenCounter): CountMessages {
  const { prompt, message: each, call } = overheadOf(counter)
  const count = (text: string): number => checkedCount(counter, text)
  return (messages) =>
    messages.reduce((sum, message) => {
      const { text, calls } = readMessage(message)
      const called = calls.reduce((total, { name, ...rest }) => {
        return total + call + count(name) + count(argumentsText({ name, ...rest }))
      }, 0)
      return sum + each + count(text) + called
    }, prompt)
}

/** Calls the function. Throws `PromptError` if it returns something else than messages. */
export async function attempt(
  fit: ContextFunction,
  messages: readonly SampleMessage[],
  window: number,
  count: CountMessages,
): Promise<Attempt> {
  const given = copyOf(messages)
  let asked = 0
  let isEndless = false
  const limit = 2000 + 20 * messages.length ** 2
  const watched: CountMessages = (list) => {
    if (++asked <= limit) return count(list)
    isEndless = true
    throw new Error(`The counter was asked ${limit} times for ${messages.length} messages.`)
  }
  let outcome: Pick<Attempt, 'prompt' | 'error'>
  try {
    outcome = { prompt: sentMessages(await fit(given, window, watched)) }
  } catch (error) {
    if (error instanceof PromptError) throw error
    outcome = { prompt: undefined, error }
  }
  return { ...outcome, isEndless, isInputChanged: JSON.stringify(given) !== JSON.stringify(messages) }
}

/** The function returned something else than messages. */
export class PromptError extends Error {}

function sentMessages(prompt: unknown): SentMessage[] {
  if (!Array.isArray(prompt)) throw new PromptError(`It returned no list of messages, but ${typeof prompt}.`)
  return prompt.map((message: Message) => sentMessage(message))
}

/** Reads a message. Throws `PromptError` if it is not a message. */
export function sentMessage(message: Message): SentMessage {
  try {
    const content = readMessage(message)
    const { kind, text, calls, answers } = content
    const allText = [text, ...calls.map(argumentsText)].join(' ')
    return { ...content, message, allText, key: canonicalJson([kind, text, calls, answers?.id ?? null]) }
  } catch (error) {
    throw new PromptError(`It returned something that is not a message: ${String(error)}`)
  }
}

/** Plain JSON, half characters included. */
function copyOf(messages: readonly SampleMessage[]): SampleMessage[] {
  return messages.map((message) => ({
    ...message,
    ...(message.tool_calls && {
      tool_calls: message.tool_calls.map((call) => ({ ...call, function: { ...call.function } })),
    }),
  }))
}
