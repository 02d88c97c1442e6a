import { fieldsOf } from '../fields.ts'
import { unusable } from './problem.ts'

/**
 * The content of an input item as a chat message has it: a text where it is one, else parts.
 *
 * @example
 * chatContent([{ type: 'input_text', text: 'Hello' }], 'input[0].content') // 'Hello'
 */
export function chatContent(content: unknown, param: string): unknown {
  if (typeof content === 'string') return content
  if (!Array.isArray(content))
    throw unusable(param, `${param} is neither a text nor a list of parts. Send one of them.`)
  const parts = content.map((part, index) => chatPart(fieldsOf(part), `${param}[${index}]`))
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? first.text : parts
}

interface ChatPart {
  readonly type: string
  readonly text?: unknown
}

function chatPart(part: Readonly<Record<string, unknown>>, param: string): ChatPart {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: textIn(part['text'], `${param}.text`) }
    case 'refusal':
      return { type: 'text', text: textIn(part['refusal'], `${param}.refusal`) }
    case 'input_image':
      return imagePart(part, param)
    default:
      throw unusable(
        `${param}.type`,
        `${param}.type is none that goes to a chat model here. Send input_text, input_image, output_text or refusal.`,
        'unsupported_value',
      )
  }
}

function imagePart(
  { image_url: url, detail, file_id: file }: Readonly<Record<string, unknown>>,
  param: string,
): ChatPart & { readonly image_url: object } {
  if (file !== undefined && file !== null)
    throw unusable(
      `${param}.file_id`,
      `${param}.file_id names a file, and no files are kept here. Send the image as image_url: its address, or a data URL.`,
      'unsupported_parameter',
    )
  if (typeof url !== 'string' || url === '')
    throw unusable(`${param}.image_url`, `${param}.image_url is missing. Send the address of the image, or a data URL.`)
  return { type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } }
}

function textIn(text: unknown, param: string): string {
  if (typeof text === 'string') return text
  throw unusable(param, `${param} is no text. Send one.`)
}

/** The same for a client that reads it back. */
export function inputContent(content: unknown, isOutput: boolean): object[] {
  const kind = isOutput ? 'output_text' : 'input_text'
  const parts: readonly unknown[] = Array.isArray(content)
    ? content
    : typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : []
  return parts.map((part) => {
    const { text, image_url: image } = fieldsOf(part)
    if (typeof part === 'string' || typeof text === 'string')
      return {
        type: kind,
        text: typeof part === 'string' ? part : text,
        ...(isOutput && { annotations: [], logprobs: [] }),
      }
    const { url = image, detail = 'auto' } = fieldsOf(image)
    return { type: 'input_image', image_url: url, detail, file_id: null }
  })
}
