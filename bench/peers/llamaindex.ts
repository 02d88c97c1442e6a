import { words } from '../tokens.ts'
import type { WireMessage } from '../wire-message.ts'

interface ChatMessage {
  readonly role: WireMessage['role']
  readonly content: string
  readonly options?: { readonly index: number }
}
interface MemoryPackage {
  createMemory(
    messages: ChatMessage[],
    options: {
      readonly tokenLimit: number
      readonly shortTermTokenLimitRatio: number
      readonly memoryBlocks: readonly object[]
    },
  ): { getLLM(): Promise<ChatMessage[]> }
  staticBlock(options: { readonly content: string; readonly messageRole: 'system' }): object
}
interface GlobalPackage {
  readonly Settings: { tokenizer: { encode(text: string): { readonly length: number } } }
}

export interface LlamaIndexMemory {
  /** The indexes that were kept, oldest first. */
  trim(messages: readonly WireMessage[], limit: number): Promise<number[]>
  /** What it counts itself: only contents. */
  count(messages: readonly WireMessage[]): number
}

/** System messages at the beginning are static blocks, as its documentation has it; all of the limit is for messages. */
export async function loadLlamaIndex(): Promise<LlamaIndexMemory> {
  const llamaindex = (await import(String('@llamaindex/core/memory'))) as MemoryPackage
  const { Settings } = (await import(String('@llamaindex/core/global'))) as GlobalPackage
  return {
    count: (messages) => messages.reduce((sum, { content }) => sum + words.count(content ?? ''), 0),
    trim: async (messages, limit) => {
      Settings.tokenizer = { encode: (text) => ({ length: words.count(text) }) }
      const opening = messages.findIndex(({ role }) => role !== 'system')
      const fixed = opening < 0 ? messages : messages.slice(0, opening)
      const memory = llamaindex.createMemory(
        messages
          .map(({ role, content }, index) => ({ role, content: content ?? '', options: { index } }))
          .slice(fixed.length),
        {
          tokenLimit: limit,
          shortTermTokenLimitRatio: 1,
          memoryBlocks: fixed.map(({ content }) =>
            llamaindex.staticBlock({ content: content ?? '', messageRole: 'system' }),
          ),
        },
      )
      // Those without an index are the static blocks, in their order.
      return (await memory.getLLM()).map(({ options }, place) => options?.index ?? place)
    },
  }
}
