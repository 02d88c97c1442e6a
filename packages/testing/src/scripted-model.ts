import {
  MinutebookError,
  type Finish,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type Usage,
} from 'minutebook'
import { toOllama } from 'minutebook/wire'
import { call } from './builders.ts'
import { piecesOf, wholeOf, type UpstreamCall } from './upstream/protocols.ts'

/** One line of a script. Text and reasoning come first; then it fails, hangs until it is aborted, or ends. */
export interface ScriptedAnswer {
  /** A text comes word by word, a list piece by piece. */
  readonly text?: string | readonly string[]
  readonly reasoning?: string | readonly string[]
  readonly calls?: readonly UpstreamCall[]
  readonly finish?: Finish
  readonly usage?: Usage
  /** Thrown in place of an end. */
  readonly fail?: Error
  readonly hang?: boolean
}

/** What the model does when it is asked: says a text, fails, answers in detail, or decides by the request. */
export type ScriptedLine =
  | string
  | Error
  | ScriptedAnswer
  | ((request: ModelRequest) => string | Error | ScriptedAnswer)

/** A model that says its script and remembers what it was asked. */
export interface ScriptedModel extends Model {
  /** What it was asked, oldest first. */
  readonly requests: readonly ModelRequest[]
}

/** What a scripted model says of itself. */
export interface ScriptedModelOptions {
  readonly model?: string
  /** The form of its answers. Default: OpenAI's. */
  readonly wire?: NonNullable<Model['wire']>
}

/**
 * A model without a server that says its lines in order. If it is called more often than it has lines, it throws
 * `script_over`.
 *
 * @example
 * const model = scriptedModel(['Hello.', { calls: [{ name: 'now' }] }, new Error('down'), { text: 'Well', hang: true }])
 */
export function scriptedModel(lines: readonly ScriptedLine[], options: ScriptedModelOptions = {}): ScriptedModel {
  const requests: ModelRequest[] = []
  const model = (request: ModelRequest): AsyncIterable<ModelEvent> => {
    const line = lines[requests.length]
    requests.push(request)
    return perform(line, request, requests.length, options)
  }
  return Object.assign(model, { requests, ...options })
}

async function* perform(
  line: ScriptedLine | undefined,
  request: ModelRequest,
  number: number,
  options: ScriptedModelOptions,
): AsyncGenerator<ModelEvent> {
  const { text, reasoning, fail, hang = false, ...answer } = readLine(line, request, number)
  for (const piece of piecesOf(reasoning)) yield heard({ type: 'reasoning', text: piece }, request)
  for (const piece of piecesOf(text)) yield heard({ type: 'text', text: piece }, request)
  if (fail) throw fail
  if (hang) await abortion(request.signal)
  const calls = answer.calls ?? []
  const message = messageOf(wholeOf(text), wholeOf(reasoning), calls, number)
  const [shaped = message] = options.wire === 'ollama' ? toOllama([message]) : []
  yield heard(
    {
      type: 'end',
      message: shaped,
      finish: answer.finish ?? (calls.length > 0 ? 'calls' : 'stop'),
      ...(answer.usage && { usage: answer.usage }),
    },
    request,
  )
}

function readLine(line: ScriptedLine | undefined, request: ModelRequest, number: number): ScriptedAnswer {
  const said = typeof line === 'function' ? line(request) : line
  if (said === undefined)
    throw new MinutebookError(
      'script_over',
      `The scripted model was called ${number} times and has fewer lines.`,
      'Give it more lines, or find out who calls.',
    )
  if (said instanceof Error) return { fail: said }
  return typeof said === 'string' ? { text: said } : said
}

function messageOf(text: string, reasoning: string, calls: readonly UpstreamCall[], number: number): Message {
  const made = calls.map(({ id, name, arguments: given }, index) => call(id ?? `call_${number}_${index}`, name, given))
  return {
    role: 'assistant',
    content: text,
    ...(reasoning && { reasoning_content: reasoning }),
    ...(made.length > 0 && { tool_calls: made }),
  }
}

/** An event, as long as the call is not aborted. */
function heard(event: ModelEvent, { signal }: ModelRequest): ModelEvent {
  if (signal.aborted) throw modelAbortedError()
  return event
}

function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(modelAbortedError())
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}

function modelAbortedError(): MinutebookError {
  return new MinutebookError(
    'model_aborted',
    'The call of the scripted model was aborted.',
    'Retry the turn (thread.retry()) or call the model again.',
  )
}
