/**
 * Lines as the body of a response, as fast as they are read. The first one is waited for: what fails before it can
 * still be answered with a status. What fails later must break the response off, so that it never looks whole: that is
 * `onBroken`'s to do, because an error of the body would end it as if nothing had happened.
 */
export async function exportBody(
  lines: AsyncIterable<string>,
  onBroken?: () => void,
): Promise<ReadableStream<Uint8Array>> {
  const iterator = lines[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let waiting: IteratorResult<string> | undefined = await iterator.next()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = waiting ?? (await iterator.next())
        waiting = undefined
        if (done) controller.close()
        else controller.enqueue(encoder.encode(`${value}\n`))
      } catch (error) {
        if (!onBroken) throw error
        onBroken()
        controller.close()
      }
    },
    cancel: async () => {
      await iterator.return?.()
    },
  })
}
