import type { StreamEvent } from './types.ts'

/** The events of a stream, whole ones only: one that was cut off comes again. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const texts = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = texts.pop() ?? ''
      for (const text of texts) {
        const event = eventOf(text)
        if (event) yield event
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** Undefined of a comment. */
function eventOf(text: string): StreamEvent | undefined {
  const fields: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2)
  }
  const { event, id, data } = fields
  if (event === undefined || data === undefined) return undefined
  return { event, ...(id !== undefined && { id }), data: JSON.parse(data) as unknown } as StreamEvent
}
