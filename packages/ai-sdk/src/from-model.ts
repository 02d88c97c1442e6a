import type { ModelMessage } from 'ai'
import { createGroup } from './group.ts'
import { toFields, toJson, type Json, type JsonObject } from './json.ts'
import { modelPiece } from './model-part.ts'
import { writePieces } from './piece.ts'
import { resultMessage } from './result.ts'
import { extrasOf, fieldExtras, withExtras, type Place, type SdkMessage } from './sdk-message.ts'
import type { AnyModelMessage, CallOptions, ModelPart, ResultPart } from './sdk-types.ts'

/**
 * The AI SDK's model messages as messages: one for each result, several for an answer in which the provider itself ran
 * tools. `toModelMessages` returns what came in.
 *
 * @example
 * const messages = fromModelMessages([{ role: 'user', content: 'Hello' }])
 */
export function fromModelMessages(messages: readonly ModelMessage[]): SdkMessage[] {
  return messages.reduce<SdkMessage[]>((done, message) => addMessage(done, message, true), [])
}

/**
 * A prompt as a provider or a middleware gets it, as messages. `toPrompt` returns what came in.
 *
 * @example
 * const messages = fromPrompt(params.prompt)
 */
export function fromPrompt(prompt: CallOptions['prompt']): SdkMessage[] {
  return prompt.reduce<SdkMessage[]>((done, message) => addMessage(done, message, false), [])
}

/** `listed`: a text alone and a list of one text are two things. */
function addMessage(done: SdkMessage[], message: AnyModelMessage, listed: boolean): SdkMessage[] {
  const { role, content, ...more } = message
  const fields = toFields(more)
  const extras = fieldExtras(fields)
  if (typeof content === 'string') done.push(withExtras({ role, content }, 'model', extras))
  else if (role === 'assistant') done.push(...assistantMessages(content, fields, listed))
  else if (role === 'tool') addResults(done, content, message, fields)
  else
    done.push(
      writePieces(
        role,
        (content as ModelPart[]).map((part) => modelPiece(part)),
        'model',
        { listed, extras },
      ),
    )
  return done
}

/** Results among the assistant's parts come after what it said up to there. */
function assistantMessages(parts: readonly ModelPart[], fields: JsonObject, listed: boolean): SdkMessage[] {
  const group = createGroup('assistant', 'model', { fields, listed })
  const called = new Set<string>()
  const answers = new Map<string, ResultPart>()
  for (const part of parts) {
    if (part.type === 'tool-call') called.add(part.toolCallId)
    if (part.type === 'tool-result' && called.has(part.toolCallId) && !answers.has(part.toolCallId))
      answers.set(part.toolCallId, part)
  }
  const ranElsewhere = new Set(
    parts.flatMap((part) =>
      part.type === 'tool-call' && part.providerExecuted && !answers.has(part.toolCallId) ? [part.toolCallId] : [],
    ),
  )
  for (const part of parts) {
    if (part.type === 'tool-result' && answers.get(part.toolCallId) === part)
      group.insert(withExtras(resultMessage(part), 'model', { inline: true }))
    else group.add(modelPiece(part, (call) => ranElsewhere.has(call)))
  }
  return group.messages()
}

/** A message for each result. What else is there, answers to requests for approval, goes with them. */
function addResults(
  done: SdkMessage[],
  parts: readonly ModelPart[],
  message: AnyModelMessage,
  fields: JsonObject,
): void {
  const isResult = (part: ModelPart): part is ResultPart => part.type === 'tool-result'
  if (!parts.some(isResult)) return addUnsaid(done, parts, message, fields)
  const ends = parts.flatMap((part, index) => (isResult(part) ? [index + 1] : []))
  const last = ends.length - 1
  for (const [count, end] of ends.entries()) {
    const own = parts.slice(count === 0 ? 0 : ends[count - 1], count === last ? parts.length : end)
    const places = own.map((part): Place => (isResult(part) ? { take: 'result' } : { part: toJson(part) }))
    const extras = count > 0 ? ({ continues: true } as const) : fieldExtras(fields)
    done.push(
      withExtras(resultMessage(parts[end - 1] as ResultPart), 'model', {
        ...extras,
        ...(places.length > 1 && { places }),
      }),
    )
  }
}

/** A message without results says nothing: the one before it carries it. */
function addUnsaid(
  done: SdkMessage[],
  parts: readonly ModelPart[],
  message: AnyModelMessage,
  fields: JsonObject,
): void {
  const before = done.pop()
  if (before) {
    done.push(
      withExtras(before, 'model', { behind: [...(extrasOf(before, 'model')?.behind ?? []), toJson(message) as Json] }),
    )
    return
  }
  const places = parts.map((part): Place => ({ part: toJson(part) }))
  done.push({ role: 'tool', content: '', sdk: { model: { places, ...fieldExtras(fields) } } })
}
