import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestHash } from 'minutebook/inspect'
import { diceOf, type Dice } from '../../../support/dice.ts'
import { passage } from '../../../../packages/server/test/gateway/support/random-talk.ts'
import { oddArguments } from './odd-tools.ts'

/** An upstream that remembers what it was sent, of which it says something, and a tool that says something, too. */
export interface Scribe extends AsyncDisposable {
  readonly url: string
  /** How many chats came. */
  chats(): number
  /** Whether a chat came with exactly these messages and tools. */
  received(messages: readonly unknown[], tools: readonly unknown[]): boolean
}

/** By how much each model counts otherwise than the estimate, so that something is learnt of each. */
const counts = [0.8, 1, 1.3] as const

export async function startScribe(): Promise<Scribe> {
  const seen = new Set<string>()
  let chats = 0
  const chat = (response: ServerResponse, path: string, text: string): void => {
    const { model, messages, tools = [], stream = path === '/api/chat' } = JSON.parse(text) as ChatBody
    chats++
    const hash = requestHash(messages, tools)
    seen.add(hash)
    const dice = diceOf(Number.parseInt(hash.slice(0, 8), 16))
    const said = answerOf(dice, messages, tools)
    const factor = counts[model.charCodeAt(model.length - 1) % counts.length] ?? 1
    const usage = dice.isLucky(0.9) ? { prompt: Math.ceil((text.length / 4) * factor), answer: 20 } : undefined
    const answer = path === '/api/chat' ? ollama : openAi
    answer(response, model, said, usage, stream)
  }
  const server = createServer((request, response) => {
    const answer = (text: string): void => {
      if (request.url === '/tool') answerTool(response, text)
      else if (request.url === '/api/chat' || request.url === '/v1/chat/completions') chat(response, request.url, text)
      else response.writeHead(404).end()
    }
    // Who leaves in the middle of a request is told nothing.
    bodyOf(request).then(answer, () => response.destroy())
  })
  // On a busy machine, an instance may ask over a connection that is about to be closed because it was idle.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chats: () => chats,
    received: (messages, tools) => seen.has(requestHash(messages, tools)),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

interface ChatBody {
  readonly model: string
  readonly messages: readonly { readonly role: string }[]
  readonly tools?: readonly unknown[]
  readonly stream?: boolean
}

interface Said {
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: object }[]
}

interface Counted {
  readonly prompt: number
  readonly answer: number
}

/** Mostly a text; a call of a tool now and then, but no third one in a row. */
function answerOf(dice: Dice, messages: ChatBody['messages'], tools: readonly unknown[]): Said {
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role === 'user'))
    .filter(({ role }) => role === 'tool').length
  const names = tools.map(nameOf).filter((name) => name !== undefined)
  if (names.length === 0 || results > 1 || !dice.isLucky(0.4))
    return { text: passage(dice, dice.pick([40, 200, 900])), calls: [] }
  const calls = Array.from({ length: 1 + dice.below(2) }, (_, index) => ({
    id: `call_${dice.below(1e9)}_${index}`,
    name: dice.pick(names),
    arguments: oddArguments(dice),
  }))
  return { text: dice.isLucky(0.3) ? 'I look.' : '', calls }
}

function nameOf(tool: unknown): string | undefined {
  const name = (tool as { function?: { name?: unknown } } | null)?.function?.name
  return typeof name === 'string' ? name : undefined
}

function ollama(
  response: ServerResponse,
  model: string,
  { text, calls }: Said,
  usage: Counted | undefined,
  stream: boolean,
): void {
  const message = {
    role: 'assistant',
    content: text,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, arguments: given }) => ({ function: { name, arguments: given } })),
    }),
  }
  const end = {
    model,
    created_at: '2026-01-01T00:00:00Z',
    message: stream ? { role: 'assistant', content: '' } : message,
    done: true,
    done_reason: 'stop',
    ...(usage && { prompt_eval_count: usage.prompt, eval_count: usage.answer }),
  }
  const lines = stream ? [{ model, created_at: '2026-01-01T00:00:00Z', message, done: false }, end] : [end]
  response
    .writeHead(200, { 'content-type': stream ? 'application/x-ndjson' : 'application/json' })
    .end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

function openAi(
  response: ServerResponse,
  model: string,
  { text, calls }: Said,
  usage: Counted | undefined,
  stream: boolean,
): void {
  const made = calls.map(({ id, name, arguments: given }, index) => ({
    ...(stream && { index }),
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }))
  const message = { role: 'assistant', content: text, ...(made.length > 0 && { tool_calls: made }) }
  const counted = usage && {
    usage: { prompt_tokens: usage.prompt, completion_tokens: usage.answer, total_tokens: usage.prompt + usage.answer },
  }
  const finish = made.length > 0 ? 'tool_calls' : 'stop'
  const head = { id: 'chatcmpl-1', created: 1, model }
  if (!stream)
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finish }],
        ...counted,
      }),
    )
  const chunk = (delta: object, reason: string | null): object => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const chunks = [
    chunk(message, null),
    chunk({}, finish),
    ...(counted ? [{ ...head, object: 'chat.completion.chunk', choices: [], ...counted }] : []),
  ]
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end([...chunks.map((each) => JSON.stringify(each)), '[DONE]'].map((each) => `data: ${each}\n\n`).join(''))
}

function answerTool(response: ServerResponse, text: string): void {
  const dice = diceOf(text.length * 7919)
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ...oddArguments(dice), said: passage(dice, 300) }))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
