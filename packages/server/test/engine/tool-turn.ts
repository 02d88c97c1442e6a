import { Ollama, type Message as OllamaMessage, type Tool as OllamaTool } from 'ollama'
import OpenAI, { APIError } from 'openai'
import type { StrictUpstream, UpstreamAnswer, UpstreamRequest } from '@minutebook/testing/server'

/** One turn of many tool calls by a client that knows nothing of us: it runs the tools and re-sends everything. */
export interface ToolTurn {
  /** Results that the client sent. */
  readonly results: number
  /** The call after which a request was refused, and why. */
  readonly rejectedAt?: number
  readonly reason?: string
  readonly answer: string
}

export type ClientName = 'ollama' | 'openai'

const question = 'Read every page of the ledger and say what the harbour owes.'
export const finalAnswer = 'The harbour owes nothing.'

/** For a strict upstream: asks for one page after the other, then answers. */
export function reader(pages: number): (request: UpstreamRequest) => UpstreamAnswer {
  let asked = 0
  return () =>
    asked++ < pages ? { calls: [{ name: 'read_page', arguments: { page: asked } }] } : { text: finalAnswer }
}

/** About sixty words. */
function pageText(page: number): string {
  return `Page ${page} of the ledger. ${'The clerk wrote down what came in and what went out, and the sum of it. '.repeat(4)}Seal ${page}.`
}

/** Without what is asked about the server itself. */
export function chatsOf({ requests }: StrictUpstream): UpstreamRequest[] {
  return requests.filter(({ path }) => path === '/api/chat' || path === '/v1/chat/completions')
}

/** What a request of the turn must hold: the question, and every call with its result; the newest result as it was. */
export function faultOf({ messages, status, path }: UpstreamRequest, page: number): string | undefined {
  if (status !== 200) return `${path} was answered with ${status}`
  const text = messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n')
  if (!text.includes(question)) return `the question is gone after ${page} pages`
  if (page > 0 && !text.includes(pageText(page))) return `page ${page} is not there whole`
  const calls = messages.flatMap((message) =>
    'tool_calls' in message && Array.isArray(message.tool_calls) ? message.tool_calls : [],
  ).length
  const results = messages.filter(({ role }) => role === 'tool').length
  return calls === results ? undefined : `${calls} calls and ${results} results after ${page} pages`
}

export const clients: Readonly<
  Record<ClientName, (url: string, pages: number, streams: boolean) => Promise<ToolTurn>>
> = { ollama: throughOllama, openai: throughOpenAi }

async function throughOpenAi(url: string, pages: number, streams: boolean): Promise<ToolTurn> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }]
  const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: schema }]
  for (let results = 0; results <= pages; results++) {
    try {
      const body = { model: 'strict', messages, tools }
      const message = streams
        ? await client.chat.completions.stream(body).finalMessage()
        : (await client.chat.completions.create(body)).choices[0]!.message
      messages.push(message)
      if (message.tool_calls === undefined || message.tool_calls.length === 0)
        return { results, answer: message.content ?? '' }
      for (const { id } of message.tool_calls)
        messages.push({ role: 'tool', tool_call_id: id, content: pageText(results + 1) })
    } catch (error) {
      if (!(error instanceof APIError)) throw error
      return { results, rejectedAt: results, reason: String(error.code ?? error.message), answer: '' }
    }
  }
  return { results: pages, answer: '' }
}

async function throughOllama(url: string, pages: number, streams: boolean): Promise<ToolTurn> {
  const client = new Ollama({ host: url })
  const messages: OllamaMessage[] = [{ role: 'user', content: question }]
  const tools: OllamaTool[] = [{ type: 'function', function: schema }]
  for (let results = 0; results <= pages; results++) {
    try {
      const body = { model: 'strict', messages, tools }
      const message = streams ? await streamed(client, body) : (await client.chat({ ...body, stream: false })).message
      messages.push(message)
      if (message.tool_calls === undefined || message.tool_calls.length === 0)
        return { results, answer: message.content }
      for (const { function: called } of message.tool_calls)
        messages.push({ role: 'tool', tool_name: called.name, content: pageText(results + 1) })
    } catch (error) {
      if (!(error instanceof Error) || !('status_code' in error)) throw error
      return { results, rejectedAt: results, reason: error.message, answer: '' }
    }
  }
  return { results: pages, answer: '' }
}

async function streamed(
  client: Ollama,
  body: { readonly model: string; readonly messages: OllamaMessage[]; readonly tools: OllamaTool[] },
): Promise<OllamaMessage> {
  const whole: OllamaMessage = { role: 'assistant', content: '' }
  for await (const { message } of await client.chat({ ...body, stream: true })) {
    whole.content += message.content
    if (message.tool_calls) whole.tool_calls = [...(whole.tool_calls ?? []), ...message.tool_calls]
  }
  return whole
}

const schema = {
  name: 'read_page',
  description: 'Reads a page of the ledger.',
  parameters: { type: 'object', properties: { page: { type: 'number' } }, required: ['page'] },
}
