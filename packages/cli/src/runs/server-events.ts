import { linesOf } from '../lines.ts'

/** The events of a stream of server-sent events, with their names. */
export async function* serverEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly event: string; readonly data: unknown }, void, void> {
  let event = ''
  for await (const line of linesOf(body)) {
    if (line.startsWith('event: ')) event = line.slice('event: '.length).trimEnd()
    // A line that was cut off is told again when the stream is opened anew.
    else if (line.startsWith('data: ') && line.endsWith('\n'))
      yield { event, data: JSON.parse(line.slice('data: '.length)) as unknown }
  }
}
