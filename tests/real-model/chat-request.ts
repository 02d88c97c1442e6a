/** What a chat asks of the engine, in either protocol. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly object[]
  readonly tools?: readonly object[]
  readonly streams: boolean
  /** The most tokens of the answer. */
  readonly limit: number
  /** Whether a stream ends with the token counts. */
  readonly countsStream: boolean
}

export type Fields = Readonly<Record<string, unknown>>

/** Why a request is refused. */
export class BadRequest extends Error {}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** The fields that both protocols have. Answers are short unless the request wants them long. */
export function commonOf({ model, messages, tools }: Fields): Pick<ChatRequest, 'model' | 'messages' | 'tools'> {
  if (!Array.isArray(messages)) throw new BadRequest("'messages' is not a list")
  const given = Array.isArray(tools) && tools.length > 0 ? { tools: tools.map(fieldsOf) } : {}
  return { model: typeof model === 'string' ? model : 'tiny', messages: messages.map(textMessage), ...given }
}

export function limitOf(...asked: readonly unknown[]): number {
  const limit = asked.find((value) => typeof value === 'number')
  return limit === undefined || limit < 1 ? usualLimit : limit
}

const usualLimit = 24

/** A message with its text in one piece; the engine reads nothing but text. */
function textMessage(value: unknown): object {
  const message = fieldsOf(value)
  if (typeof message['role'] !== 'string') throw new BadRequest('a message has no role')
  if ('images' in message) throw new BadRequest('this model reads no images')
  const { content } = message
  if (!Array.isArray(content)) return message
  const texts = content.map(fieldsOf).map(({ type, text }) => {
    if (type !== 'text' || typeof text !== 'string') throw new BadRequest('this model reads only text')
    return text
  })
  return { ...message, content: texts.join('') }
}
