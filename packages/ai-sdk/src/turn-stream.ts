import { createUIMessageStreamResponse, type UIMessageChunk } from 'ai'
import { MinutebookError, type Turn, type TurnEvent, type TurnResult } from 'minutebook'
import { createPage, type Ending, type Page } from './page.ts'
import { answerIdOf } from './to-ui.ts'

/** What else a response has, such as headers. */
export type StreamResponseInit = Omit<Parameters<typeof createUIMessageStreamResponse>[0], 'stream'>

/**
 * A turn of a book as the stream that `useChat` reads. In the end the page has what `uiMessagesOf` makes of the record,
 * under the same ids. Leaving the stream does not stop the turn.
 *
 * @example
 * const stream = uiMessageStream(book.thread(id).send(text))
 */
export function uiMessageStream(turn: Turn): ReadableStream<UIMessageChunk> {
  return streamOf(chunksOf(turn))
}

/**
 * The same as a response. If the turn is refused, the response has a status that says so: 409 if another turn runs, or
 * if the message's id is that of another message.
 *
 * @example
 * app.post('/api/chat', async (c) => uiMessageResponse(book.thread(id).send(message)))
 */
export async function uiMessageResponse(turn: Turn, init: StreamResponseInit = {}): Promise<Response> {
  if (await turn.recorded) return createUIMessageStreamResponse({ ...init, stream: uiMessageStream(turn) })
  const { status, reason } = await turn.done
  const isConflict = status === 'busy' || reason?.code === 'id_taken'
  return new Response(reason?.message ?? 'The message was not recorded.', { status: isConflict ? 409 : 500 })
}

async function* chunksOf(turn: Turn): AsyncGenerator<UIMessageChunk, void, void> {
  const asked = await turn.recorded
  const page = createPage(asked ? answerIdOf(asked) : 'answer', restartedError)
  const unseen = createReplay()
  try {
    for await (const event of turn)
      yield* event.type === 'end' ? page.end(endingOf(event.result)) : eventChunks(page, event, unseen)
  } catch (error) {
    yield* endWithError(page, error)
  }
}

/** What a page is sent for an event of a turn. The end of a turn may not be the end of the page. */
export function eventChunks(page: Page, event: TurnEvent, unseen: Replay): UIMessageChunk[] {
  switch (event.type) {
    case 'text':
      return page.text(unseen.take(event.text))
    case 'reset':
      unseen.restart()
      return []
    case 'reasoning':
      return page.reasoning(event.text)
    case 'receipt':
      return page.recorded()
    case 'wait':
      return page.wait(event.calls)
    case 'call':
      return page.call(event.call)
    case 'result':
      return page.result(event.call, event.text, event.status)
    default:
      return []
  }
}

/** An error that comes after the response has begun is told to the page. */
export function endWithError(page: Page, error: unknown): UIMessageChunk[] {
  const reason = MinutebookError.isInstance(error) ? error.message : 'The answer could not be read.'
  return page.end({ status: 'failed', reason })
}

/** What of a text is new, if the text comes again from its beginning. */
export interface Replay {
  /** Throws `turn_restarted` if the text is another one than before. */
  take(piece: string): string
  restart(): void
}

export function createReplay(): Replay {
  let shown = ''
  let at = 0
  return {
    take: (piece) => {
      const known = shown.slice(at, at + piece.length)
      if (!piece.startsWith(known)) throw restartedError()
      at += piece.length
      const fresh = piece.slice(known.length)
      shown += fresh
      return fresh
    },
    restart: () => {
      at = 0
    },
  }
}

export function restartedError(): MinutebookError {
  return new MinutebookError(
    'turn_restarted',
    'The answer began again on another instance.',
    'Call resumeStream() of useChat: the page then gets the new answer.',
  )
}

function endingOf({ status, reason }: TurnResult): Ending {
  const told = { reason: reason?.message }
  return { status: status === 'busy' || status === 'fenced' ? 'failed' : status, ...told }
}

/** `leave` is called when the reader leaves. The generator must end soon after that. */
export function streamOf(
  chunks: AsyncGenerator<UIMessageChunk, void, void>,
  leave: () => void = () => undefined,
): ReadableStream<UIMessageChunk> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => {
      leave()
      void chunks.return().catch(() => undefined)
    },
  })
}
