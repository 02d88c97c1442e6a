// How is a model server asked? Over Ollama's protocol or an OpenAI-compatible one, at temperature 0.
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { WireMessage } from '../wire-message.ts'

export interface Upstream {
  readonly protocol: 'Ollama' | 'OpenAI'
  ask(messages: readonly WireMessage[]): Promise<Reply>
}

export interface Reply {
  /** Empty if it was refused. */
  readonly text: string
  /** What the server says about a prompt that it does not take. */
  readonly refusal?: string
  /** Tokens that the server read, by its own count. */
  readonly promptTokens?: number
}

export interface UpstreamOptions {
  readonly url: string
  readonly model: string
  readonly window: number
  /** The most tokens of an answer. */
  readonly limit: number
  /** Sent as a bearer token if there is one. */
  readonly key?: string | undefined
}

/** An address that ends with `/v1` is OpenAI's; else the server is asked whether it is an Ollama. */
export async function openUpstream(options: UpstreamOptions): Promise<Upstream> {
  const base = options.url.replace(/\/+$/, '')
  if (base.endsWith('/v1')) return openAi(`${base}/chat/completions`, options)
  const version = await fetch(`${base}/api/version`).catch((error: unknown) => {
    throw new Error(`No server answers at ${base}. Pass its address with --upstream.`, { cause: error })
  })
  await version.body?.cancel()
  return version.ok ? ollama(`${base}/api/chat`, options) : openAi(`${base}/v1/chat/completions`, options)
}

function openAi(address: string, { model, limit, key }: UpstreamOptions): Upstream {
  return {
    protocol: 'OpenAI',
    ask: async (messages) => {
      const { body, refusal } = await post(address, key, {
        model,
        messages,
        temperature: 0,
        seed: 1,
        max_tokens: limit,
      })
      const { choices, usage } = body as OpenAiBody
      return replyOf(choices?.[0]?.message?.content, refusal, usage?.prompt_tokens)
    },
  }
}

function ollama(address: string, { model, limit, window, key }: UpstreamOptions): Upstream {
  const options = { temperature: 0, seed: 1, num_predict: limit, num_ctx: window }
  return {
    protocol: 'Ollama',
    ask: async (messages) => {
      const { body, refusal } = await post(address, key, { model, messages, stream: false, options })
      const { message, prompt_eval_count: read } = body as OllamaBody
      return replyOf(message?.content, refusal, read)
    },
  }
}

interface OpenAiBody {
  readonly choices?: readonly { readonly message?: { readonly content?: string | null } }[]
  readonly usage?: { readonly prompt_tokens?: number }
}

interface OllamaBody {
  readonly message?: { readonly content?: string }
  readonly prompt_eval_count?: number
}

function replyOf(text: string | null | undefined, refusal: string | undefined, read: number | undefined): Reply {
  return {
    text: text ?? '',
    ...(refusal !== undefined && { refusal }),
    ...(read !== undefined && { promptTokens: read }),
  }
}

/** Statuses with which servers refuse a prompt that is too long. */
const refusals = [400, 413, 422]
const tries = 3

async function post(
  address: string,
  key: string | undefined,
  request: object,
): Promise<{ readonly body: object; readonly refusal?: string }> {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) }
  for (let attempt = 1; ; attempt++) {
    const { status, text } = await send(address, headers, JSON.stringify(request))
    if (status === 200) return { body: JSON.parse(text) as object }
    if (refusals.includes(status)) return { body: {}, refusal: `${status}: ${text.slice(0, 200)}` }
    if (attempt === tries || (status < 500 && status !== 429))
      throw new Error(`${address} answered ${status}: ${text.slice(0, 500)}`)
    await pause(1000 * attempt)
  }
}

/** Not with `fetch`, which gives up after five minutes: a small machine may read a prompt for longer. */
function send(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const request = address.startsWith('https:') ? overHttps : overHttp
  return new Promise((resolve, reject) => {
    const sending = request(address, { method: 'POST', headers }, (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
    })
    sending.once('error', reject)
    sending.end(body)
  })
}
