import { asObject } from '../http/json.ts'

/**
 * What a list of messages has too much of; undefined if nothing. Work that cannot be sliced has a limit, so that no
 * request blocks others.
 */
export function excessIn(
  messages: readonly { readonly role?: unknown; readonly tool_calls?: unknown }[],
): Excess | undefined {
  if (messages.length > mostMessages) return { what: `more than ${mostMessages} messages`, fix: 'Send fewer.' }
  const systems = messages.reduce((count, { role }) => count + (role === 'system' || role === 'developer' ? 1 : 0), 0)
  if (systems > mostSystems) return { what: `more than ${mostSystems} system messages`, fix: 'Send fewer.' }
  if (messages.some(({ tool_calls: calls }) => Array.isArray(calls) && calls.length > mostCalls))
    return { what: `a message with more than ${mostCalls} tool calls`, fix: 'Send fewer.' }
  let sum = 0
  for (const message of messages) {
    const { text, image } = charactersIn(message)
    if (text > longestMessage) return { what: `a message of more than ${longestMessage} characters`, fix: 'Send less.' }
    if (image > longestImage)
      return { what: `an image of more than ${longestImage} characters`, fix: 'Send a smaller one.' }
    sum += text
  }
  return sum > longestText
    ? { what: `more than ${longestText} characters, not counting images`, fix: 'Send less.' }
    : undefined
}

export interface Excess {
  /** Follows "messages holds". */
  readonly what: string
  readonly fix: string
}

const mostMessages = 20_000
const mostSystems = 1000
/** Of one message. */
const mostCalls = 1000
/** Characters: some two million tokens in one message, four million in all. */
const longestMessage = 8 << 20
const longestText = 16 << 20
const longestImage = 32 << 20

/** How long the texts of a message are together, and its longest image. */
function charactersIn(message: unknown): { readonly text: number; readonly image: number } {
  let [text, image] = [0, 0]
  const { images, content, ...rest } = asObject(message)
  for (const part of Array.isArray(content) ? (content as unknown[]) : [content]) {
    if (typeof part === 'string' || typeof asObject(part)['text'] === 'string') text += lengthOf(part, deepest)
    else image = Math.max(image, lengthOf(part, deepest))
  }
  for (const each of Array.isArray(images) ? (images as unknown[]) : [])
    image = Math.max(image, lengthOf(each, deepest))
  return { text: text + lengthOf(rest, deepest), image }
}

function lengthOf(value: unknown, levels: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || levels === 0) return 0
  let length = 0
  for (const name of Object.keys(value))
    length += name.length + lengthOf((value as Readonly<Record<string, unknown>>)[name], levels - 1)
  return length
}

/** Levels: a body that nests deeper was refused. */
const deepest = 200
