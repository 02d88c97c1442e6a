import { APICallError, wrapLanguageModel } from 'ai'
import type { Finish, MinutebookError, Model, ModelEvent, ModelRequest } from 'minutebook'
import { cutOffError, unlessAborted, callErrors, type CallErrors } from 'minutebook/wire'
import { answerMessage, usageOf } from './answer.ts'
import { createCollector } from './collector.ts'
import { toFields } from './json.ts'
import type { Specification } from './model-part.ts'
import type { CallOptions, GenerateResult, StreamPart } from './sdk-types.ts'
import { toPrompt } from './to-model.ts'

/** A model of any provider of the AI SDK. */
export type ProviderModel = Parameters<typeof wrapLanguageModel>[0]['model']

/**
 * What is sent with every call, in the words of the AI SDK: `maxOutputTokens`, `providerOptions`, `temperature`, … What a
 * thread or a message asks for replaces it.
 */
export type SdkModelOptions = Omit<CallOptions, 'prompt' | 'tools' | 'abortSignal' | 'includeRawChunks'>

/**
 * Makes a model for `openBook` from a model of any provider of the AI SDK. Each call is sent exactly once. Options other
 * than `headers` are recorded with the model's name.
 *
 * @example
 * const book = openBook({ store, model: sdkModel(anthropic('claude-sonnet-4-5')), window: 200_000, tools })
 */
export function sdkModel(model: ProviderModel, options: SdkModelOptions = {}): Model {
  // Without a middleware, this only gives a model of an older specification the shape of the newest one.
  const provider = wrapLanguageModel({ model, middleware: [] })
  const { headers: _, ...facts } = options
  return Object.assign((request: ModelRequest) => answer(provider, options, request), {
    model: provider.modelId,
    wire: 'sdk' as const,
    facts: { provider: provider.provider, ...toFields(facts) },
  })
}

type Provider = ReturnType<typeof wrapLanguageModel>

async function* answer(
  provider: Provider,
  options: SdkModelOptions,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const { messages, tools, window, signal } = request
  const errors = callErrors({ model: provider.modelId, window })
  const specification = provider.specificationVersion as Specification
  const prompt = withObjects(toPrompt(messages, { specification }))
  const call: CallOptions = {
    ...options,
    ...askedOptions(request),
    prompt,
    ...(tools.length > 0 && { tools: tools.map(sdkTool) }),
  }
  try {
    if (signal.aborted) throw errors.aborted()
    const started = provider.doStream({ ...call, abortSignal: signal })
    const { stream } = await unlessAborted(Promise.resolve(started), signal)
    yield* events(stream, signal, errors)
  } catch (error) {
    throw signal.aborted ? errors.aborted() : callError(error, errors)
  }
}

/** What is asked of this answer, in the words of the AI SDK. */
function askedOptions({ options = {}, toolChoice }: ModelRequest): Partial<CallOptions> {
  const { temperature, seed, stop, output } = options
  return {
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(stop && { stopSequences: [...stop] }),
    ...(output && { responseFormat: { type: 'json', schema: output as NonNullable<JsonFormat['schema']> } }),
    ...(toolChoice && { toolChoice: { type: toolChoice } }),
  }
}

type JsonFormat = Extract<NonNullable<CallOptions['responseFormat']>, { type: 'json' }>

async function* events(
  stream: ReadableStream<StreamPart>,
  signal: AbortSignal,
  errors: CallErrors,
): AsyncGenerator<ModelEvent> {
  const reader = stream.getReader()
  const collector = createCollector(false)
  try {
    for (;;) {
      const { done, value: part } = await unlessAborted(reader.read(), signal)
      if (done) throw cutOffError()
      collector.take(part)
      if (part.type === 'text-delta') yield { type: 'text', text: part.delta }
      if (part.type === 'reasoning-delta') yield { type: 'reasoning', text: part.delta }
      if (part.type === 'error')
        throw APICallError.isInstance(part.error) ? part.error : midwayError(part.error, errors)
      if (part.type !== 'finish') continue
      const { unified } = part.finishReason
      if (unified === 'error') throw midwayError(part.finishReason.raw, errors)
      yield {
        type: 'end',
        message: answerMessage(collector.content()),
        finish: finishes[unified] ?? 'unknown',
        usage: usageOf(part.usage),
      }
      return
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

const finishes: Readonly<Partial<Record<GenerateResult['finishReason']['unified'], Finish>>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'calls',
  'content-filter': 'filter',
}

function sdkTool({ function: { name, description, parameters } }: ModelRequest['tools'][number]): SdkTool {
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters as SdkTool['inputSchema'],
  }
}

type SdkTool = Extract<NonNullable<CallOptions['tools']>[number], { type: 'function' }>

/** Providers take only objects as the input of a call. Arguments that were not JSON are a text. */
function withObjects(prompt: CallOptions['prompt']): CallOptions['prompt'] {
  return prompt.map((message) => {
    if (message.role !== 'assistant') return message
    const content = message.content.map((part) =>
      part.type === 'tool-call' && typeof part.input !== 'object' ? { ...part, input: {} } : part,
    )
    return { ...message, content }
  })
}

/** What a provider threw, as the error of a model call. Mistakes of the caller, such as no key, pass unchanged. */
function callError(error: unknown, errors: CallErrors): unknown {
  if (!APICallError.isInstance(error)) return error
  const { statusCode, responseBody, data, message, url } = error
  return statusCode === undefined
    ? errors.unreachable(error, url)
    : errors.refused(statusCode, data ?? parsed(responseBody) ?? message)
}

function midwayError(said: unknown, errors: CallErrors): MinutebookError {
  return errors.midway(said instanceof Error ? said.message : said)
}

/** The body of a response: its JSON, or its text. */
function parsed(body: string | undefined): unknown {
  if (body === undefined || body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
