import { Buffer } from 'node:buffer'
import { dataIn, frameEnd } from '../chat/frame.ts'
import { ollama } from '../chat/ollama.ts'
import { openAi } from '../chat/openai.ts'
import { answerTooLong } from '../chat/chat-refusal.ts'
import { framingOf, type Framing } from '../chat/tap.ts'
import { heapShares } from '../memory/heap-shares.ts'
import type { UpstreamCaller, UpstreamRequest } from '../upstream-call.ts'
import type { ChosenModel } from './chosen-model.ts'
import { aborted, refusedWith, unanswered } from './model-failure.ts'

/**
 * The JSON texts of a streamed answer, as fast as they are read; throws where there is none, and soon after the signal
 * aborts.
 */
export async function* upstreamFrames(
  caller: UpstreamCaller,
  request: UpstreamRequest,
  { model, protocol }: ChosenModel,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const queue: string[] = []
  let [isOver, ring]: [boolean, () => void] = [false, () => undefined]
  let failure: Error | undefined
  /** Bytes that have come, and that may come. */
  let size = 0
  const { answer: longest } = heapShares()
  let refusal: { readonly status: number; body: string } | undefined
  let frames: Frames | undefined
  const over = (error?: Error): void => {
    failure ??= error
    isOver = true
    ring()
  }
  const call = caller.call(request, {
    head: (status, headers) => {
      if (status === 200) frames = createFrames(framingOf(headers, protocol === 'ollama' ? ollama : openAi, true))
      else refusal = { status, body: '' }
    },
    data: (bytes) => {
      if (refusal) refusal.body += refusal.body.length < longestRefusal ? bytes.toString('utf8') : ''
      const found = frames?.push(bytes) ?? []
      size += bytes.length
      if (size > longest) {
        over(unanswered(answerTooLong, model))
        return false
      }
      queue.push(...found)
      ring()
      return queue.length < mostWaiting
    },
    end: () => {
      queue.push(...(frames?.end() ?? []))
      over(refusal && refusedWith(refusal.status, refusal.body, model))
    },
    failed: (failed) => over(unanswered(failed, model)),
  })
  const stop = (): void => over(aborted(model))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    for (;;) {
      // What was asked to stop must not go on with what came before.
      if (signal.aborted) throw aborted(model)
      yield* queue.splice(0)
      call.resume()
      if (queue.length > 0) continue
      if (failure) throw failure
      if (isOver) return
      await new Promise<void>((resolve) => (ring = resolve))
    }
  } finally {
    signal.removeEventListener('abort', stop)
    call.abort()
  }
}

const mostWaiting = 1024
const longestRefusal = 65_536

/** Puts bytes together to the texts of whole lines or events. */
interface Frames {
  push(bytes: Buffer): string[]
  end(): string[]
}

function createFrames(framing: Framing): Frames {
  const endOf = framing === 'whole' ? () => 0 : frameEnd(framing)
  const textsIn = (bytes: Buffer): readonly string[] =>
    framing === 'events'
      ? dataIn(bytes.toString('utf8')).filter((data) => data !== '[DONE]')
      : [bytes.toString('utf8')].filter((line) => line.trim() !== '')
  let rest: Buffer[] = []
  return {
    push: (bytes) => {
      const found: string[] = []
      let from = 0
      for (let end = endOf(bytes, 0); end > 0; end = endOf(bytes, end)) {
        found.push(...textsIn(Buffer.concat([...rest, bytes.subarray(from, end)])))
        rest = []
        from = end
      }
      if (from < bytes.length) rest.push(bytes.subarray(from))
      return found
    },
    end: () => [...textsIn(Buffer.concat(rest))],
  }
}
