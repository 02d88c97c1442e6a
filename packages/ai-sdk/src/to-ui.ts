import type { UIMessage } from 'ai'
import { visible, type Entry, type Message } from 'minutebook'
import { takeNotes } from 'minutebook/wire'
import type { Fields } from './file.ts'
import { fromFields, fromJson } from './json.ts'
import { openCalls, type OpenCalls } from './to-model.ts'
import { readPieces } from './read-pieces.ts'
import { extrasOf, roleOf, type Extras } from './sdk-message.ts'
import { answeredPart, uiPart } from './ui-part.ts'

/**
 * Messages as the AI SDK's UI messages: those that `fromUIMessages` got, and any others as well as possible. Everything
 * that an assistant does up to the next user message is one UI message. `id` names those without an id.
 *
 * @example
 * const initialMessages = toUIMessages(messages)
 */
export function toUIMessages(
  messages: readonly Message[],
  options: { readonly id?: (index: number) => string } = {},
): UIMessage[] {
  const { id = (index) => `message-${index}` } = options
  const done: Written[] = []
  const calls = openCalls()
  for (const [index, message] of messages.entries()) {
    const extras = extrasOf(message, 'ui')
    const role = roleOf(message)
    const target =
      belongsTo(done.at(-1), role, extras) ??
      started(done, role, { id: id(index), ...fromFields(extras?.fields) }, extras)
    if (role === 'tool') addResult(target.parts, message, calls)
    else target.parts.push(...saidParts(message, role, extras, calls))
    target.parts.push(...(extras?.rest ?? []).map((part) => fromJson(part) as Fields))
  }
  return done.map(({ fields, role, parts }) => ({ ...fields, role, parts }) as unknown as UIMessage)
}

/**
 * What people may see of a thread, as UI messages under the ids of its entries: without notes, and without system
 * entries. Pass whole turns.
 *
 * @example
 * const initialMessages = uiMessagesOf(history(await store.read(thread)))
 */
export function uiMessagesOf(entries: readonly Entry[]): UIMessage[] {
  const seen = new Map(visible(entries).map((entry) => [entry.id, entry]))
  const shown = entries.filter(({ id, kind, status }) => seen.has(id) && kind !== 'stop' && status !== 'erased')
  const messages = shown.map(({ raw, origin }) => (origin === 'model' ? takeNotes(raw, 'exact').message : raw))
  return toUIMessages(messages, { id: (index) => shown[index]!.id })
}

interface Written {
  readonly role: UIMessage['role']
  readonly parts: Fields[]
  readonly fields: Fields
}

/** The UI message that this one is a part of: the assistant's, unless a message has an id of its own. */
function belongsTo(last: Written | undefined, role: string, extras: Extras | undefined): Written | undefined {
  if (last?.role !== 'assistant' || extras?.fields) return undefined
  return role === 'tool' || role === 'assistant' || extras?.continues ? last : undefined
}

function started(
  done: Written[],
  role: ReturnType<typeof roleOf>,
  fields: Fields,
  extras: Extras | undefined,
): Written {
  const target: Written = { role: role === 'tool' || extras?.steering ? 'assistant' : role, parts: [], fields }
  done.push(target)
  return target
}

function saidParts(message: Message, role: string, extras: Extras | undefined, calls: OpenCalls): Fields[] {
  const parts = readPieces(message, 'ui').map((piece) =>
    uiPart(piece.at === 'call' ? { ...piece, id: calls.open(piece.id, piece.name) } : piece),
  )
  if (extras?.steering) return [{ type: 'steering-message', ...fromFields(extras.steering), parts }]
  return role === 'assistant' && extras === undefined ? [{ type: 'step-start' }, ...parts] : parts
}

/** Puts a result next to its call; a result without a call is a part of its own. */
function addResult(parts: Fields[], message: Message, calls: OpenCalls): void {
  const { toolCallId, toolName } = calls.answer(message)
  const at = parts.findLastIndex((part) => part['toolCallId'] === toolCallId)
  const part = parts[at] ?? { type: `tool-${toolName}`, toolCallId, input: {} }
  parts.splice(at < 0 ? parts.length : at, at < 0 ? 0 : 1, answeredPart(part, message))
}
