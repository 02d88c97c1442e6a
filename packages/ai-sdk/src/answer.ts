import type { Usage } from 'minutebook'
import { parseJson } from 'minutebook/store'
import { splitNotes, takeNotes, type TakenNotes } from 'minutebook/wire'
import { fromPrompt } from './from-model.ts'
import { toJson } from './json.ts'
import { modelPiece } from './model-part.ts'
import { writePieces, type Piece } from './piece.ts'
import type { SdkCall, SdkMessage } from './sdk-message.ts'
import type { AnswerPart, AssistantPart, GenerateResult, SdkUsage } from './sdk-types.ts'

/**
 * A model's answer as the messages that a client will send back: one; several if the provider itself ran tools; none if
 * nothing was said.
 */
export function answerMessages(content: readonly AnswerPart[]): SdkMessage[] {
  const parts = content.flatMap(promptPart)
  return parts.length === 0 ? [] : fromPrompt([{ role: 'assistant', content: parts }])
}

/**
 * A model's answer as one message, as a book records it. Calls that the provider ran itself are not calls of the book:
 * they and their results go back to the provider as they came.
 */
export function answerMessage(content: readonly AnswerPart[]): SdkMessage {
  const parts = content.flatMap(promptPart)
  const isOpaque = (id: string): boolean =>
    parts.some((part) => part.type === 'tool-call' && part.toolCallId === id && part.providerExecuted)
  const pieces = parts.map((part): Piece =>
    part.type === 'tool-result' ? { at: 'part', part: toJson(part) } : modelPiece(part, isOpaque),
  )
  const message = writePieces('assistant', pieces, 'model')
  const texts = content.flatMap((part) => (part.type === 'tool-call' && !part.providerExecuted ? [part.input] : []))
  return message.tool_calls
    ? { ...message, tool_calls: message.tool_calls.map((call, index) => asSent(call, texts[index]!)) }
    : message
}

/** Arguments that are not JSON stay as the model wrote them, so that the book can tell the model. */
function asSent(call: SdkCall, text: string): SdkCall {
  return text === '' || parseJson(text) !== undefined
    ? call
    : { ...call, function: { ...call.function, arguments: text } }
}

/** What the provider says that a call cost. */
export function usageOf({ inputTokens, outputTokens }: SdkUsage): Usage {
  return {
    ...(inputTokens.total !== undefined && { prompt: inputTokens.total }),
    ...(outputTokens.total !== undefined && { completion: outputTokens.total }),
    ...(inputTokens.cacheRead !== undefined && { cached: inputTokens.cacheRead }),
  }
}

/** Notes of an answer: those that count, and earlier blocks, which are only recorded. */
export type AnswerNotes = Pick<TakenNotes, 'notes' | 'earlier'>

/** The answer without the notes that the model left by tool calls. An answer that was only notes becomes empty. */
export function withoutNotes(
  messages: readonly SdkMessage[],
): AnswerNotes & { readonly answer: readonly SdkMessage[] } {
  const taken = messages.map((message) => ({ came: message, ...takeNotes(message) }))
  return {
    answer: taken
      .filter(({ came, message }) => message === came || message.content !== '' || message.tool_calls !== undefined)
      .map(({ message }) => message as SdkMessage),
    notes: taken.flatMap(({ notes }) => notes),
    earlier: taken.flatMap(({ earlier }) => earlier),
  }
}

/** A result without the notes in its texts. A text that was nothing but a note is not there at all. */
export function shownResult(result: GenerateResult): { readonly shown: GenerateResult; readonly blocks: string[] } {
  const blocks: string[] = []
  const content = result.content.flatMap((part): AnswerPart[] => {
    if (part.type !== 'text') return [part]
    const { text, notes } = splitNotes(part.text)
    blocks.push(...notes)
    return text === '' && notes.length > 0 ? [] : [{ ...part, text }]
  })
  const structured = result.structuredOutputText
  return {
    shown: {
      ...result,
      content,
      ...(structured !== undefined && { structuredOutputText: splitNotes(structured).text }),
    },
    blocks,
  }
}

/** The part under which a prompt holds it. Sources, requests for approval and empty texts are not sent back. */
function promptPart(part: AnswerPart): AssistantPart[] {
  const { providerMetadata } = part as { providerMetadata?: AssistantPart['providerOptions'] }
  const options = providerMetadata && { providerOptions: providerMetadata }
  switch (part.type) {
    case 'text':
      return part.text === '' && !providerMetadata ? [] : [{ type: 'text', text: part.text, ...options }]
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...options }]
    case 'file':
    case 'reasoning-file':
      return [{ type: part.type, mediaType: part.mediaType, data: part.data, ...options }]
    case 'custom':
      return [{ type: 'custom', kind: part.kind, ...options }]
    case 'tool-call': {
      const executed = part.providerExecuted && { providerExecuted: true }
      return [
        {
          type: 'tool-call',
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          input: inputOf(part.input),
          ...executed,
          ...options,
        },
      ]
    }
    case 'tool-result':
      return part.preliminary
        ? []
        : [
            {
              type: 'tool-result',
              toolCallId: part.toolCallId,
              toolName: part.toolName,
              output: outputOf(part),
              ...options,
            },
          ]
    default:
      return []
  }
}

/** A call that cannot be read comes back as one without arguments. */
function inputOf(input: string): unknown {
  try {
    return JSON.parse(input)
  } catch {
    return {}
  }
}

function outputOf({
  result,
  isError,
}: Extract<AnswerPart, { type: 'tool-result' }>): Extract<AssistantPart, { type: 'tool-result' }>['output'] {
  if (isError) return { type: 'error-json', value: result }
  return typeof result === 'string' ? { type: 'text', value: result } : { type: 'json', value: result }
}
