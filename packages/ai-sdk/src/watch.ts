/** How a stream ended: complete, with an error, or because the reader stopped. */
export type Ending = 'complete' | 'failed' | 'cancelled'

/** What is done with a stream while it is read. */
export interface Watcher<P> {
  /** The parts to pass on. */
  take(part: P): readonly P[]
  /** Whether this part is the last that says anything: it is passed on when `ended` is done. */
  isLast(part: P): boolean
  /** Called once. */
  ended(how: Ending, last: P | undefined): Promise<void>
}

/** The stream, part by part through a watcher. Errors pass unchanged. */
export function watched<P>(
  stream: ReadableStream<P>,
  watcher: Watcher<P>,
  signal: AbortSignal | undefined,
): ReadableStream<P> {
  const reader = stream.getReader()
  let ending: Promise<void> | undefined
  const end = (how: Ending, last?: P): Promise<void> => {
    signal?.removeEventListener('abort', abort)
    return (ending ??= watcher.ended(how, last))
  }
  const abort = (): void => void end('cancelled').catch(() => undefined)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })

  return new ReadableStream<P>({
    pull: async (controller) => {
      for (let passed = 0; passed === 0;) {
        const next = await readOr(reader, () => end(signal?.aborted ? 'cancelled' : 'failed'))
        if (next.done) {
          await end('failed')
          controller.close()
          return
        }
        const parts = watcher.take(next.value)
        if (watcher.isLast(next.value)) await end('complete', next.value)
        for (const part of parts) controller.enqueue(part)
        passed = parts.length
      }
    },
    cancel: async (reason) => {
      await Promise.all([end('cancelled'), reader.cancel(reason)])
    },
  })
}

/** The next part. An error is thrown when the ending is done. */
async function readOr<P>(
  reader: ReadableStreamDefaultReader<P>,
  failed: () => Promise<void>,
): ReturnType<ReadableStreamDefaultReader<P>['read']> {
  try {
    return await reader.read()
  } catch (error) {
    await failed().catch(() => undefined)
    throw error
  }
}
