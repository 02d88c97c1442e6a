import type { UIMessage } from 'ai'
import { createGroup, type Group } from './group.ts'
import { toFields } from './json.ts'
import { writePieces } from './piece.ts'
import type { SdkMessage } from './sdk-message.ts'
import type { UIPart } from './sdk-types.ts'
import { isToolPart, uiPiece, uiResult } from './ui-part.ts'

/**
 * The AI SDK's UI messages as messages. An assistant's message becomes one for each step and one for each result, as a
 * model gets them. `toUIMessages` returns what came in.
 *
 * @example
 * const messages = fromUIMessages(await request.json())
 */
export function fromUIMessages(messages: readonly UIMessage[]): SdkMessage[] {
  return messages.flatMap(({ role, parts, ...more }) => {
    const group = createGroup(role, 'ui', { fields: toFields(more) })
    if (role === 'assistant') addSteps(group, parts)
    else for (const part of parts) group.add(uiPiece(part))
    return group.messages()
  })
}

function addSteps(group: Group, parts: readonly UIPart[]): void {
  let results: SdkMessage[] = []
  const endStep = (): void => {
    group.close()
    for (const result of results) group.insert(result)
    results = []
  }
  for (const part of parts) {
    if (part.type === 'step-start' || part.type === 'steering-message') endStep()
    if (part.type === 'steering-message') group.insert(steering(part))
    else group.add(uiPiece(part))
    const result = isToolPart(part) ? uiResult(part) : undefined
    if (!result) continue
    // What the provider ran itself was answered before it went on.
    if (isToolPart(part) && part.providerExecuted) group.insert(result)
    else results.push(result)
  }
  endStep()
}

/** What a user said while the answer was written keeps its place. */
function steering(part: Extract<UIPart, { type: 'steering-message' }>): SdkMessage {
  const { type: _, parts, ...more } = part
  return writePieces('user', parts.map(uiPiece), 'ui', { extras: { steering: toFields(more) } })
}
