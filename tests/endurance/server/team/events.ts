/** An event of a stream. */
export interface ServerEvent {
  /** The position behind it; '' where it has none. */
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The events of a response, as they come. Ends with the response; throws where that breaks off. */
export async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) if (!block.startsWith(':')) yield eventOf(block)
  }
  if (rest !== '') throw new Error('The stream ended in the middle of an event.')
}

function eventOf(block: string): ServerEvent {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  )
  return {
    id: fields.get('id') ?? '',
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? '{}') as ServerEvent['data'],
  }
}
