import { MinutebookError } from '../log/error.ts'
import type { FoundWindow, ServerSource } from './model.ts'
import { errorText, fieldsOf, type Fields } from './wire.ts'

/**
 * Asks a server about itself: GET, or POST with a body. Resolves with the JSON of the answer, or with undefined for any
 * other answer.
 */
export type AskServer = (path: string, body?: object) => Promise<unknown>

/** How the window of a model is discovered. */
export interface DiscoverOptions {
  readonly model: string
  /** Whether the server may be an Ollama server. Default: true. */
  readonly ollama?: boolean | undefined
  /** Whether an idle Ollama server may be asked to load the model. It knows the window only then. Default: true. */
  readonly load?: boolean | undefined
  /** True if the window is known, because the request sets it: then only the limit is asked for. Default: false. */
  readonly limitOnly?: boolean | undefined
}

/**
 * How large is a model's window really? Asks its server: Ollama, llama.cpp, vLLM, SGLang, LM Studio, and hosts that
 * list it with their models. Never guesses.
 *
 * @example
 * const ask = async (path, body) => {
 *   const init = body && { method: 'POST', body: JSON.stringify(body) }
 *   const response = await fetch(`http://127.0.0.1:11434${path}`, init)
 *   return response.ok ? response.json() : undefined
 * }
 * const { window = 32_768 } = await discoverWindow(ask, { model: 'qwen3:8b' })
 */
export async function discoverWindow(ask: AskServer, options: DiscoverOptions): Promise<FoundWindow> {
  const { model, ollama = true, limitOnly = false } = options
  if (limitOnly) return ollama ? { limit: limitIn(await ask('/api/show', { model })) } : {}
  return (ollama ? await fromOllama(ask, options) : undefined) ?? fromOthers(ask, model)
}

/** The same, asked once: what a server has told is remembered. If it told nothing, it is asked again the next time. */
export function windowFinder(ask: AskServer, options: DiscoverOptions): () => Promise<FoundWindow> {
  let known: FoundWindow | undefined
  return async () => {
    const found = known ?? (await discoverWindow(ask, options))
    if (found.window !== undefined) known = found
    return found
  }
}

/** Undefined if the server is not Ollama, or does not know the model. */
async function fromOllama(ask: AskServer, { model, load = true }: DiscoverOptions): Promise<FoundWindow | undefined> {
  const [running, shown] = await Promise.all([ask('/api/ps'), ask('/api/show', { model })])
  if (!Array.isArray(fieldsOf(running)['models'])) return undefined
  const limit = limitIn(shown)
  const loaded = loadedIn(running, model)
  if (loaded.window !== undefined) return { ...loaded, limit }
  if (shown === undefined) return undefined
  const file = numCtxIn(shown)
  if (file !== undefined) return { window: file, source: 'model file', limit, version: loaded.version }
  if (!load) return { limit }
  // The size depends on the memory of the machine. A request without a prompt loads the model, as the next chat would.
  await ask('/api/generate', { model })
  return { ...loadedIn(await ask('/api/ps'), model), limit }
}

async function fromOthers(ask: AskServer, model: string): Promise<FoundWindow> {
  const [studio, props, list] = await Promise.all([ask('/api/v0/models'), ask('/props'), ask('/v1/models')])
  const found: readonly (readonly [number | undefined, ServerSource])[] = [
    [sizeOf(namedIn(studio, model)['loaded_context_length']), '/api/v0/models'],
    [propsSize(props), '/props'],
    [listedSize(list, model), '/v1/models'],
  ]
  const [window, source] = found.find(([size]) => size !== undefined) ?? []
  return { window, source, limit: sizeOf(namedIn(studio, model)['max_context_length']) }
}

/** The model that Ollama has in memory. */
function loadedIn(running: unknown, model: string): FoundWindow {
  const found = listIn(running, 'models').find(({ name, model: own }) =>
    [name, own].some((each) => typeof each === 'string' && isSameModel(each, model)),
  )
  const window = sizeOf(found?.['context_length'])
  const digest = found?.['digest']
  return window === undefined
    ? {}
    : { window, source: '/api/ps', ...(typeof digest === 'string' && { version: digest }) }
}

/** The window that the model was made for, from its own file. */
function limitIn(shown: unknown): number | undefined {
  const info = fieldsOf(fieldsOf(shown)['model_info'])
  return sizeOf(info[`${String(info['general.architecture'])}.context_length`])
}

/** The window that a model file asks for. It has one parameter per line: name, blanks, value. */
function numCtxIn(shown: unknown): number | undefined {
  const { parameters } = fieldsOf(shown)
  if (typeof parameters !== 'string') return undefined
  for (const line of parameters.split('\n')) {
    const [name, value] = line.trim().split(/\s+/)
    if (name === 'num_ctx') return sizeOf(Number(value))
  }
  return undefined
}

function propsSize(props: unknown): number | undefined {
  return sizeOf(fieldsOf(fieldsOf(props)['default_generation_settings'])['n_ctx']) ?? sizeOf(fieldsOf(props)['n_ctx'])
}

/**
 * The smallest size that a list of models has for this model: a host may serve less than the model can take. An adapter
 * has the window of its base model.
 */
function listedSize(list: unknown, model: string): number | undefined {
  const found = namedIn(list, model)
  const own = sizesIn(found)
  const { parent } = found
  const sizes = own.length === 0 && typeof parent === 'string' ? sizesIn(namedIn(list, parent)) : own
  return sizes.length === 0 ? undefined : Math.min(...sizes)
}

function sizesIn(listed: Fields): readonly number[] {
  const names = ['max_model_len', 'context_length', 'context_window', 'max_context_length', 'max_input_tokens']
  return [
    ...names.map((name) => sizeOf(listed[name])),
    sizeOf(fieldsOf(listed['top_provider'])['context_length']),
  ].filter((size) => size !== undefined)
}

/** The model of this name in a list. Empty if the list does not have it. */
function namedIn(list: unknown, model: string): Fields {
  return listIn(list, 'data').find(({ id }) => typeof id === 'string' && isSameModel(id, model)) ?? {}
}

/** Some hosts answer with the bare list. */
function listIn(answer: unknown, name: string): readonly Fields[] {
  const list = Array.isArray(answer) ? (answer as unknown[]) : fieldsOf(answer)[name]
  return Array.isArray(list) ? list.map(fieldsOf) : []
}

function sizeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/**
 * Where the size of a window comes from: the request, the operator, a page of the server, its refusal of a prompt that
 * was too long, or its counts of prompts that it truncated. `assumed`: from no source.
 */
export type WindowSource = ServerSource | 'request' | 'configuration' | 'refusal' | 'read' | 'assumed'

/** The window that prompts are made for if no source says how large it is. */
export const assumedWindow: number = 32_768

/** True if two names mean the same model. Ollama reads a name without a tag as `latest`. */
export function isSameModel(one: string, other: string): boolean {
  return one === other || tagged(one) === tagged(other)
}

function tagged(model: string): string {
  return model.includes(':', model.lastIndexOf('/') + 1) ? model : `${model}:latest`
}

/** What a server says when it refuses a prompt that is longer than its window. */
export interface ContextOverflow {
  /** The window that it has. Undefined if the server does not say. */
  readonly window?: number | undefined
  /** How many tokens it counted in the prompt. Undefined if the server does not say, or includes the answer. */
  readonly prompt?: number | undefined
}

/**
 * Was a prompt refused because it is too long? Reads a server's refusal. Returns undefined if it is about anything
 * else. `said`: its body, parsed if it is JSON.
 *
 * @example
 * overflowIn({ error: { message: "This model's maximum context length is 8192 tokens." } }) // { window: 8192 }
 */
export function overflowIn(said: unknown): ContextOverflow | undefined {
  const error = fieldsOf(fieldsOf(said)['error'] ?? said)
  const text = withoutSeparators(errorText(said).slice(0, mostText).toLowerCase())
  if (!isOverflow(error, text)) return undefined
  const window = sizeOf(error['n_ctx']) ?? firstOf(windowPhrases, text)
  const prompt =
    sizeOf(error['n_prompt_tokens']) ?? (text.includes('at least') ? undefined : firstOf(promptPhrases, text))
  return { ...(window !== undefined && { window }), ...(prompt !== undefined && { prompt }) }
}

/**
 * What the server said, read from the error of a refused call. Undefined for any other error.
 *
 * @example
 * overflowOf(new MinutebookError('context_overflow', '…', { told: { window: 8192 } })) // { window: 8192 }
 */
export function overflowOf(error: unknown): ContextOverflow | undefined {
  if (!MinutebookError.isInstance(error) || error.code !== 'context_overflow') return undefined
  const told = fieldsOf(error.details['told'])
  const [window, prompt] = [sizeOf(told['window']), sizeOf(told['prompt'])]
  return { ...(window !== undefined && { window }), ...(prompt !== undefined && { prompt }) }
}

/**
 * Does a request name this window in the words of a refusal? Then a refusal that names it may only quote the request,
 * and says nothing about the server. `sent`: all text of the request, as JSON. A text that is too long to be searched
 * counts as naming it.
 *
 * @example
 * namesWindow('{"name":"maximum context length is 300"}', 300) // true
 */
export function namesWindow(sent: string, window: number): boolean {
  if (sent.length > longestSearched) return true
  const text = withoutSeparators(unescaped(sent).replaceAll(/\s+/g, ' ').toLowerCase())
  // A server may shorten what it quotes.
  return windowPhrases.some((phrase) =>
    Array.from(text.matchAll(new RegExp(phrase, 'g'))).some(([, size]) => size?.startsWith(String(window))),
  )
}

/** Characters. */
const longestSearched = 8_000_000

/** Without JSON's escapes, also those of a JSON text in a JSON text. Other white space becomes a blank. */
function unescaped(json: string): string {
  return json
    .replaceAll(/(?<!\\)\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/(?<!\\)\\+[bfnrt]/g, ' ')
}

/** Decided by the code if there is one, or else by the words that servers use. A limit per minute is not a window. */
function isOverflow({ code, type }: Fields, text: string): boolean {
  if (code === 'context_length_exceeded' || type === 'exceed_context_size_error') return true
  if (['rate limit', 'per minute', 'quota'].some((limit) => text.includes(limit))) return false
  if (
    ['prompt is too long', 'input token count', '`inputs` tokens + `max_new_tokens`'].some((phrase) =>
      text.includes(phrase),
    )
  )
    return true
  return text.includes('context') && tooLong.some((phrase) => text.includes(phrase))
}

const tooLong: readonly string[] = [
  'exceed',
  'longer than',
  'too long',
  'too large',
  'maximum context length',
  'overflow',
  'larger than',
  'does not fit',
  'not enough',
]

/** Servers say it at the beginning. Later text may be quoted from the request, so it is not read. */
const mostText = 300

/** Each finds the window in the words of one kind of server. */
const windowPhrases: readonly RegExp[] = [
  // OpenAI, vLLM, OpenRouter; SGLang; LM Studio
  /context (?:length|size|window)(?: is| of|:)?(?: only)? (\d{1,9})/,
  // llama.cpp, SGLang
  /context (?:length|size|window) \((\d{1,9})/,
  // Mistral; Anthropic
  /(?:with|>) (\d{1,9}) maximum/,
  // Text Generation Inference, Together
  /must be <= (\d{1,9})/,
  // Gemini
  /tokens allowed \((\d{1,9})\)/,
]

/** Each finds the size of the prompt. */
const promptPhrases: readonly RegExp[] = [
  /(\d{1,9})(?: tokens)? (?:in the messages|from the input messages|of text input)/,
  /messages resulted in (\d{1,9}) tokens/,
  /prompt contains (\d{1,9})/,
  /prompt is too long: (\d{1,9}) tokens/,
  /(?:request|input|token count) \((\d{1,9})/,
  /given: (\d{1,9}) `inputs` tokens/,
]

function firstOf(phrases: readonly RegExp[], text: string): number | undefined {
  for (const phrase of phrases) {
    const size = sizeOf(Number(phrase.exec(text)?.[1]))
    if (size !== undefined) return size
  }
  return undefined
}

/** Turns 8,192 into 8192. */
function withoutSeparators(text: string): string {
  return text.replaceAll(/(\d),(?=\d{3})/g, '$1')
}
