import type { ServerResponse } from 'node:http'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

/** How a kind of server tells its window, and refuses what is longer: by its documentation. */
export interface Kind {
  readonly name: string
  /** What it says of itself, by path. `loaded`: whether it has the model in memory. */
  pages(window: number, loaded: boolean): Readonly<Record<string, unknown>>
  /** How it refuses a prompt. Undefined: it never does, it cuts. */
  readonly refusal?: (window: number, prompt: number) => { readonly status: number; readonly body: object }
}

const model = 'qwen3'
const listed = (fields: object): Readonly<Record<string, unknown>> => ({
  '/v1/models': { object: 'list', data: [{ id: model, object: 'model', ...fields }] },
})
const limit = 262_144

export const kinds: readonly Kind[] = [
  {
    name: 'Ollama',
    pages: (window, loaded) => ({
      '/api/ps': {
        models: loaded
          ? [{ name: `${model}:latest`, model: `${model}:latest`, digest: 'd1', context_length: window }]
          : [],
      },
      '/api/show': {
        model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': limit },
        parameters: 'temperature 0.6',
      },
      '/api/generate': { done: true },
    }),
  },
  {
    name: 'llama.cpp',
    pages: (window) => ({
      '/props': { default_generation_settings: { n_ctx: window } },
      ...listed({ meta: { n_ctx_train: limit } }),
    }),
    refusal: (window, prompt) => ({
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: prompt,
          n_ctx: window,
        },
      },
    }),
  },
  {
    name: 'vLLM',
    pages: (window) => listed({ max_model_len: window }),
    refusal: (window, prompt) => ({
      status: 400,
      body: {
        object: 'error',
        message: `This model's maximum context length is ${window} tokens. However, you requested ${prompt + 64} tokens (${prompt} in the messages, 64 in the completion). Please reduce the length of the messages or completion.`,
        type: 'BadRequestError',
        code: 400,
      },
    }),
  },
  {
    name: 'SGLang',
    pages: (window) => listed({ max_model_len: window }),
    refusal: (window, prompt) => ({
      status: 400,
      body: {
        object: 'error',
        message: `Requested token count exceeds the model's maximum context length of ${window} tokens. You requested a total of ${prompt + 64} tokens: ${prompt} tokens from the input messages and 64 tokens for the completion.`,
        type: 'BadRequestError',
        code: 400,
      },
    }),
  },
  {
    name: 'LM Studio',
    pages: (window, loaded) => ({
      '/api/v0/models': {
        data: [
          {
            id: model,
            state: loaded ? 'loaded' : 'not-loaded',
            max_context_length: limit,
            ...(loaded && { loaded_context_length: window }),
          },
        ],
      },
      ...listed({}),
    }),
    refusal: (window, prompt) => ({
      status: 400,
      body: {
        error: `Trying to keep the first ${prompt} tokens when context the overflows. However, the model is loaded with context length of only ${window} tokens, which is not enough.`,
      },
    }),
  },
  {
    name: 'OpenRouter',
    pages: (window) => listed({ context_length: limit, top_provider: { context_length: window } }),
    refusal: (window, prompt) => ({
      status: 400,
      body: {
        error: {
          message: `This endpoint's maximum context length is ${window} tokens. However, you requested about ${prompt + 64} tokens (${prompt} of text input, 64 in the output).`,
          code: 400,
        },
      },
    }),
  },
  {
    name: 'Mistral',
    pages: (window) => listed({ max_context_length: window }),
    refusal: (window, prompt) => ({
      status: 400,
      body: {
        object: 'error',
        message: `Prompt contains ${prompt} tokens and 0 draft tokens, too large for model with ${window} maximum context length`,
        type: 'invalid_request_error',
      },
    }),
  },
  {
    name: 'Groq',
    pages: (window) => listed({ context_window: window }),
    refusal: (window, prompt) => ({
      status: 413,
      body: {
        error: {
          message: `This model's maximum context length is ${window.toLocaleString('en')} tokens. However, your messages resulted in ${prompt.toLocaleString('en')} tokens.`,
          code: 'context_length_exceeded',
        },
      },
    }),
  },
]

/** What a host of a kind has, says and does. */
export interface HostTerms {
  readonly window: number
  /** What it says that it has. Undefined: nothing. */
  readonly says?: number | undefined
  /** Whether it has the model in memory from the beginning. */
  readonly loaded?: boolean | undefined
  /** Whether it refuses in the first event of a stream. */
  readonly late?: boolean | undefined
  /** Whether it cuts what is too long, and says what it read. */
  readonly cuts?: boolean | undefined
}

export interface Host {
  readonly url: string
  /** The chats that came, oldest first: how many messages, how many tokens, and whether they were answered. */
  readonly chats: {
    readonly messages: readonly { readonly content: string }[]
    readonly tokens: number
    readonly isAnswered: boolean
  }[]
  readonly asked: string[]
}

/** About four characters a token, as most tokenizers have it, and a few for the frame of each message. */
export function tokensIn(messages: readonly { readonly content: string }[]): number {
  return messages.reduce((sum, { content }) => sum + Math.ceil(content.length / 4) + 4, 3)
}

export async function host(kind: Kind, terms: HostTerms): Promise<Host> {
  const [chats, asked]: [Host['chats'][number][], string[]] = [[], []]
  let isLoaded = terms.loaded ?? true
  const { url } = await plainUpstream((request, response) => {
    const pieces: Buffer[] = []
    request
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const [path = ''] = (request.url ?? '').split('?')
        asked.push(path)
        if (path === '/api/generate') isLoaded = true
        if (path !== '/v1/chat/completions')
          return answer(response, terms.says === undefined ? undefined : kind.pages(terms.says, isLoaded)[path])
        isLoaded = true
        const { messages, stream = false } = JSON.parse(Buffer.concat(pieces).toString()) as {
          messages: { content: string }[]
          stream?: boolean
        }
        const tokens = tokensIn(messages)
        const isTooLong = tokens > terms.window
        chats.push({ messages, tokens, isAnswered: !isTooLong || terms.cuts === true })
        if (!isTooLong || terms.cuts) return say(response, stream, Math.min(tokens, terms.window))
        const refusal = kind.refusal!(terms.window, tokens)
        if (!terms.late || !stream) return answer(response, refusal.body, refusal.status)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(
          `: processing\n\ndata: ${JSON.stringify('error' in refusal.body ? refusal.body : { error: refusal.body })}\n\n`,
        )
      })
  })
  return { url, chats, asked }
}

function answer(response: ServerResponse, body: unknown, status: number = body === undefined ? 404 : 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? { error: 'not found' }))
}

function say(response: ServerResponse, stream: boolean, prompt: number): void {
  const usage = { prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 }
  const chunk = (choices: readonly object[], more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices, ...more })}\n\n`
  if (!stream)
    return answer(response, {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }],
      usage,
    })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(
    `${chunk([{ index: 0, delta: { role: 'assistant', content: 'Fine.' } }])}${chunk([{ index: 0, delta: {}, finish_reason: 'stop' }])}${chunk([], { usage })}data: [DONE]\n\n`,
  )
}
