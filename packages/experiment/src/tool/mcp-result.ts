import { isFields } from '../shape/fields.ts'

/** What an MCP tool answered, as text for the model: its texts, and of anything else only that it was there. */
export function resultText(content: readonly unknown[] = [], structured?: unknown): string {
  const texts = content.map(textOf)
  if (texts.length > 0) return texts.join('\n')
  return structured === undefined ? '' : JSON.stringify(structured)
}

function textOf(part: unknown): string {
  const { type, text, resource } = isFields(part) ? part : {}
  if (typeof text === 'string') return text
  const embedded = isFields(resource) ? resource['text'] : undefined
  return typeof embedded === 'string' ? embedded : `[${typeof type === 'string' ? type : 'part'} left out]`
}
