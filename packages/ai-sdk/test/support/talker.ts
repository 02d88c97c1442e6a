import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import type { AnswerPart, CallOptions, GenerateResult, StreamPart } from '../../src/sdk-types.ts'

/** What the model says: a text, or parts. */
export type Line = string | readonly AnswerPart[]

const usage: GenerateResult['usage'] = {
  inputTokens: { total: 11, noCache: 8, cacheRead: 3, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

/**
 * A model that says one line after the other, in pieces of `size` characters where it streams, and keeps what it was
 * asked.
 */
export function talker(
  lines: readonly Line[] | ((call: number) => Line),
  options: { readonly size?: number } = {},
): { model: MockLanguageModelV4; prompts: CallOptions['prompt'][] } {
  const prompts: CallOptions['prompt'][] = []
  const next = (params: CallOptions): AnswerPart[] => {
    const line = typeof lines === 'function' ? lines(prompts.length) : (lines[prompts.length] ?? 'done')
    prompts.push(params.prompt)
    return typeof line === 'string' ? [{ type: 'text', text: line }] : [...line]
  }
  const model = new MockLanguageModelV4({
    doGenerate: async (params) => {
      const content = next(params)
      return { content, finishReason: finishOf(content), usage, warnings: [] }
    },
    doStream: async (params) => ({
      stream: simulateReadableStream({
        chunks: streamed(next(params), options.size ?? 7),
        initialDelayInMs: null,
        chunkDelayInMs: null,
      }),
    }),
  })
  return { model, prompts }
}

export function streamed(content: readonly AnswerPart[], size: number): StreamPart[] {
  const parts = content.flatMap((part, index): StreamPart[] => {
    if (part.type !== 'text' && part.type !== 'reasoning') return [part as StreamPart]
    const id = String(index)
    const deltas = Array.from({ length: Math.ceil(part.text.length / size) }, (_, at): StreamPart => ({
      type: `${part.type}-delta`,
      id,
      delta: part.text.slice(at * size, (at + 1) * size),
    }))
    return [{ type: `${part.type}-start`, id }, ...deltas, { type: `${part.type}-end`, id }]
  })
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason: finishOf(content), usage }]
}

function finishOf(content: readonly AnswerPart[]): GenerateResult['finishReason'] {
  const calls = content.some(({ type }) => type === 'tool-call')
  return { unified: calls ? 'tool-calls' : 'stop', raw: undefined }
}

export function called(id: string, name: string, input: unknown): AnswerPart {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) }
}
