/** The lines of a body, each with the break that ends it; one without was cut off there. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.map((line) => `${line}\n`)
  }
  if (rest !== '') yield rest
}
