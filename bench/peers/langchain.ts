import type { Message } from '../conversation.ts'
import type { Strategy } from '../strategy.ts'
import { promptOfKept } from '../strategy.ts'
import type { Counter } from '../tokens.ts'
import { messageTokens } from '../tokens.ts'

interface LangChainMessage {
  readonly id?: string
}
interface LangChainOptions {
  readonly maxTokens: number
  readonly tokenCounter: (messages: readonly LangChainMessage[]) => number
  readonly strategy: 'last'
  readonly includeSystem: boolean
  readonly startOn: 'human'
}
type MessageClass = new (fields: Record<string, unknown>) => LangChainMessage
interface LangChain {
  readonly HumanMessage: MessageClass
  readonly AIMessage: MessageClass
  readonly SystemMessage: MessageClass
  readonly ToolMessage: MessageClass
  trimMessages(
    messages: readonly LangChainMessage[],
    options: LangChainOptions,
  ): Promise<(LangChainMessage | undefined)[]>
}

export interface LangChainTrimmer {
  convert(message: Message, index: number): LangChainMessage
  /** The indexes that were kept, oldest first. */
  trim(messages: readonly LangChainMessage[], limit: number, cost: (index: number) => number): Promise<number[]>
}

/** The options are those its documentation recommends for chat histories. */
export async function loadLangChain(): Promise<LangChainTrimmer> {
  const langchain = (await import(String('@langchain/core/messages'))) as LangChain
  const classes = {
    user: langchain.HumanMessage,
    assistant: langchain.AIMessage,
    system: langchain.SystemMessage,
    tool: langchain.ToolMessage,
  }
  return {
    convert: (message, index) => new classes[message.role](fields(message, index)),
    trim: async (messages, limit, cost) => {
      // It copies the messages but keeps their ids, so counts can be looked up: it never pays for tokenizing.
      const tokenCounter = (list: readonly LangChainMessage[]): number =>
        list.reduce((total, { id }) => total + cost(Number(id)), 0)
      const kept = await langchain.trimMessages(messages, {
        maxTokens: limit,
        tokenCounter,
        strategy: 'last',
        includeSystem: true,
        startOn: 'human',
      })
      // With nothing kept it may answer [undefined].
      return kept.flatMap((message) => (message === undefined ? [] : [Number(message.id)]))
    },
  }
}

export async function langchainStrategy(counter: Counter): Promise<Strategy> {
  const trimmer = await loadLangChain()
  return {
    name: 'LangChain trimMessages',
    pins: { first: false, latest: true },
    ours: false,
    open: ({ window, reserve }) => {
      const log: Message[] = []
      const converted: LangChainMessage[] = []
      const costs: number[] = []
      const add = (message: Message): void => {
        converted.push(trimmer.convert(message, log.length))
        costs.push(messageTokens(message, counter))
        log.push(message)
      }
      const cost = (index: number): number => costs[index] ?? 0
      return {
        add,
        prompt: async () => promptOfKept(log, await trimmer.trim(converted, window - reserve, cost)),
        ask: async (question) => {
          const asked = [...converted, trimmer.convert(question, log.length)]
          const askedCost = (index: number): number =>
            index === log.length ? messageTokens(question, counter) : cost(index)
          return promptOfKept([...log, question], await trimmer.trim(asked, window - reserve, askedCost))
        },
      }
    },
  }
}

function fields(message: Message, index: number): Record<string, unknown> {
  const base = { id: String(index), content: message.text }
  if (message.calls !== undefined)
    return {
      ...base,
      tool_calls: message.calls.map(({ id, name, input }) => ({ id, name, args: input, type: 'tool_call' })),
    }
  if (message.answers !== undefined) return { ...base, tool_call_id: message.answers.id }
  return base
}
