import type { Message } from '../conversation.ts'
import type { Strategy } from '../strategy.ts'
import { promptOfKept } from '../strategy.ts'

interface PromptMessage {
  readonly role: Message['role']
  readonly content: unknown
}
interface TokenLimiter {
  processLLMRequest(arguments_: { prompt: PromptMessage[] }): Promise<{ prompt: PromptMessage[] } | undefined>
}
interface Mastra {
  readonly TokenLimiterProcessor: new (options: { limit: number }) => TokenLimiter
}

export interface MastraTrimmer {
  convert(message: Message): PromptMessage
  /** The indexes that were kept, oldest first; none when the limiter refuses to send anything. */
  trim(messages: readonly PromptMessage[], limit: number): Promise<number[]>
}

/** As it ships: its own estimator counts (tokenx), in its default mode (best-fit, which may leave gaps). */
export async function loadMastra(): Promise<MastraTrimmer> {
  const mastra = (await import(String('@mastra/core/processors'))) as Mastra
  return {
    convert,
    trim: async (messages, limit) => {
      const limiter = new mastra.TokenLimiterProcessor({ limit })
      const kept = new Set(
        await limiter
          .processLLMRequest({ prompt: [...messages] })
          .then((answer) => answer?.prompt ?? messages, nothingFits),
      )
      return messages.flatMap((message, index) => (kept.has(message) ? [index] : []))
    },
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

function nothingFits(thrown: unknown): PromptMessage[] {
  if (thrown instanceof Error && thrown.message.includes('No messages fit')) return []
  throw thrown
}
