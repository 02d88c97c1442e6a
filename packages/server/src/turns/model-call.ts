import type { Model, ModelEvent, ModelRequest } from 'minutebook'
import { Buffer } from 'node:buffer'
import { heapShares } from '../config/settings.ts'
import { answerTooLong } from '../gateway/refusals.ts'
import { anthropicVersion, keyHeaders } from '../http/headers.ts'
import { parseObject } from '../http/json.ts'
import { dataIn, frameEnd } from '../protocol/frames.ts'
import { askingBody, protocols } from '../protocol/protocols.ts'
import { framingOf, type Framing } from '../protocol/tap.ts'
import type { UpstreamClient, UpstreamRequest } from '../upstream/call.ts'
import { modelAbortedError, modelFailedError, modelRefusedError, noAnswerError } from './model-failure.ts'
import type { ChosenModel } from './models.ts'

/**
 * A model of an upstream, in the upstream's protocol. Each call is sent once. An Ollama server gets the window that the
 * prompt was compiled for, and is asked to refuse a longer prompt instead of cutting it.
 *
 * @example
 * const model = upstreamModel(services.upstreamClient, await chooseModel(services, 'gemma3:4b'))
 */
export function upstreamModel(
  upstreamClient: UpstreamClient,
  chosen: ChosenModel,
  { options, digest }: UpstreamModelOptions = {},
): Model {
  const facts = { ...(options && { options }), ...(digest !== undefined && { digest }) }
  const answering = (request: ModelRequest): AsyncGenerator<ModelEvent> =>
    answer(upstreamClient, chosen, request, options)
  return Object.assign(answering, {
    model: chosen.model,
    wire: chosen.protocol,
    ...(Object.keys(facts).length > 0 && { facts }),
  })
}

/** What is sent with every call of a model, and recorded with it. What a thread or a message asks for replaces it. */
export interface UpstreamModelOptions {
  /** In the upstream's own terms: within `options` for an Ollama server, next to the messages for others. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
  /** Of the model, as its upstream reports it. */
  readonly digest?: string | undefined
}

async function* answer(
  upstreamClient: UpstreamClient,
  chosen: ChosenModel,
  request: ModelRequest,
  options: UpstreamModelOptions['options'],
): AsyncGenerator<ModelEvent> {
  const protocol = protocols[chosen.protocol]
  const reply = protocol.reply()
  for await (const text of upstreamFrames(
    upstreamClient,
    requestOf(chosen, request, options),
    chosen,
    request.signal,
  )) {
    const chunk = parseObject(text)
    if (!chunk || chunk['error']) throw modelFailedError(text, chosen.model)
    yield* reply.push(chunk)
    // Nothing after it counts; an OpenAI server still sends its counts.
    if (reply.done && !protocol.endsWithDone) break
  }
  yield reply.end()
}

/**
 * The body of a call, as it is sent.
 *
 * @example
 * const sent = bodyText(chosen, request, { top_k: 40 })
 */
export function bodyText(
  { model, protocol }: Pick<ChosenModel, 'model' | 'protocol'>,
  request: Omit<ModelRequest, 'signal'>,
  options: UpstreamModelOptions['options'],
): string {
  return JSON.stringify(askingBody(protocol, model, request, options))
}

function requestOf(
  chosen: ChosenModel,
  request: ModelRequest,
  options: UpstreamModelOptions['options'],
): UpstreamRequest {
  const { upstream, protocol: name } = chosen
  const { path, streamType } = protocols[name]
  const body = Buffer.from(bodyText(chosen, request, options))
  return {
    upstream,
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'content-length': String(body.length),
      accept: streamType,
      'accept-encoding': 'identity',
      ...(name === 'anthropic' && { 'anthropic-version': anthropicVersion }),
      ...keyHeaders(upstream, name),
    },
    body,
  }
}

/**
 * The JSON texts of a streamed answer, as fast as they are read. Throws if there is no answer, and soon after the
 * signal aborts.
 */
async function* upstreamFrames(
  upstreamClient: UpstreamClient,
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
  const call = upstreamClient.call(request, {
    head: (status, headers) => {
      if (status === 200) frames = createFrames(framingOf(headers, protocols[protocol], true))
      else refusal = { status, body: '' }
    },
    data: (bytes) => {
      if (refusal) refusal.body += refusal.body.length < longestRefusal ? bytes.toString('utf8') : ''
      const found = frames?.push(bytes) ?? []
      size += bytes.length
      if (size > longest) {
        over(noAnswerError(answerTooLong, model))
        return false
      }
      queue.push(...found)
      ring()
      return queue.length < mostWaiting
    },
    end: () => {
      queue.push(...(frames?.end() ?? []))
      over(refusal && modelRefusedError(refusal.status, refusal.body, model))
    },
    failed: (failed) => over(noAnswerError(failed, model)),
  })
  const stop = (): void => over(modelAbortedError(model))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    for (;;) {
      // After an abort, what came before must not be processed.
      if (signal.aborted) throw modelAbortedError(model)
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

/** Joins bytes to the texts of whole lines or events. */
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
