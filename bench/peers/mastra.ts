import type { Message } from '../conversation.ts'
import type { Strategy } from '../strategy.ts'
import { promptOfKept } from '../strategy.ts'

interface PromptMessage {
  readonly role: Message['role']
  readonly content: unknown
}
interface TokenLimiter {
  countPromptMessageTokens(message: PromptMessage): number
  processLLMRequest(arguments_: { prompt: PromptMessage[] }): Promise<{ prompt: PromptMessage[] } | undefined>
}
interface Mastra {
  readonly TokenLimiterProcessor: (new (options: { limit: number }) => TokenLimiter) & {
    readonly TOKENS_PER_CONVERSATION: number
  }
}

export interface MastraTrimmer {
  convert(message: Message): PromptMessage
  /** The indexes that were kept, oldest first; none when the limiter refuses to send anything. */
  trim(messages: readonly PromptMessage[], limit: number): Promise<number[]>
  /** The same. Throws when the limiter refuses. */
  limit(messages: readonly PromptMessage[], limit: number): Promise<number[]>
  /** What the limiter itself counts for a prompt. */
  count(messages: readonly PromptMessage[]): number
}

/** As it ships: its own estimator counts (tokenx), in its default mode (best-fit, which may leave gaps). */
export async function loadMastra(): Promise<MastraTrimmer> {
  const mastra = (await import(String('@mastra/core/processors'))) as Mastra
  const { TokenLimiterProcessor } = mastra
  const limitTo = async (messages: readonly PromptMessage[], limit: number): Promise<number[]> => {
    const answer = await new TokenLimiterProcessor({ limit }).processLLMRequest({ prompt: [...messages] })
    const kept = new Set(answer?.prompt ?? messages)
    return messages.flatMap((message, index) => (kept.has(message) ? [index] : []))
  }
  const counting = new TokenLimiterProcessor({ limit: 1 })
  return {
    convert,
    limit: limitTo,
    trim: (messages, limit) => limitTo(messages, limit).catch(nothingFits),
    count: (messages) =>
      messages.reduce(
        (sum, message) => sum + counting.countPromptMessageTokens(message),
        TokenLimiterProcessor.TOKENS_PER_CONVERSATION,
      ),
  }
}

export async function mastraStrategy(): Promise<Strategy> {
  const trimmer = await loadMastra()
  return {
    name: 'Mastra TokenLimiterProcessor',
    pins: { first: false, latest: true },
    ours: false,
    open: ({ window, reserve }) => {
      const log: Message[] = []
      const converted: PromptMessage[] = []
      return {
        add: (message) => {
          log.push(message)
          converted.push(trimmer.convert(message))
        },
        prompt: async () => promptOfKept(log, await trimmer.trim(converted, window - reserve)),
        ask: async (question) => {
          const asked = [...converted, trimmer.convert(question)]
          return promptOfKept([...log, question], await trimmer.trim(asked, window - reserve))
        },
      }
    },
  }
}

function convert(message: Message): PromptMessage {
  const { role, text, calls, answers } = message
  if (role === 'system') return { role, content: text }
  const said = text === '' ? [] : [{ type: 'text', text }]
  if (calls !== undefined)
    return {
      role,
      content: [
        ...said,
        ...calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input })),
      ],
    }
  if (answers !== undefined)
    return {
      role,
      content: [
        { type: 'tool-result', toolCallId: answers.id, toolName: answers.name, output: { type: 'text', value: text } },
      ],
    }
  return { role, content: said }
}

function nothingFits(thrown: unknown): number[] {
  if (thrown instanceof Error && thrown.message.includes('No messages fit')) return []
  throw thrown
}
