import { linesOf } from '../lines.ts'

/** The JSON values of a streamed answer: a line each, as NDJSON or as server-sent events. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  for await (const line of linesOf(body)) {
    const text = line.startsWith('data:') ? line.slice('data:'.length).trim() : line.trim()
    // What is neither of the two is a comment, a blank, or a field that says nothing here.
    if (text.startsWith('{')) yield JSON.parse(text)
  }
}
