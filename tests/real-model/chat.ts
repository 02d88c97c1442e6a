import type { ServerResponse } from 'node:http'
import type { ChatProtocol } from './chat-protocol.ts'
import type { ChatRequest } from './chat-request.ts'
import type { EngineAnswer } from './answer.ts'
import type { Engine } from './engine.ts'
import { PromptTooLarge } from './evaluation.ts'
import type { Seen } from './seen.ts'
import { compileTemplate } from './templates.ts'
import { tinyChatTemplate } from './tiny-model.ts'

/** What a server has at hand for every chat. */
export interface Desk {
  readonly engine: Engine
  readonly contextSize: number
  readonly model: string
  readonly seen: Seen[]
}

export async function answerChat(
  desk: Desk,
  protocol: ChatProtocol,
  request: ChatRequest,
  response: ServerResponse,
): Promise<void> {
  const { engine, contextSize, seen } = desk
  const prompt = promptOf(request)
  const facts = { request, number: seen.length, time: Date.now() }
  const given = { messages: request.messages, prompt, sent: engine.tokenize(prompt) }
  const speaker = speak(response, protocol.streamType)
  const tell = (piece: string): void => speaker.say(protocol.piece(facts, piece), protocol.first(facts))
  try {
    const answer = await engine.answer(prompt, contextSize, {
      limit: request.limit,
      signal: speaker.gone,
      ...(request.streams && { tell }),
    })
    seen.push({ ...given, evaluated: answer.tokens, reused: answer.reused, isRefused: false })
    finish(answer)
  } catch (error) {
    if (!(error instanceof PromptTooLarge)) throw error
    seen.push({ ...given, evaluated: 0, reused: 0, isRefused: true })
    const text = `request (${error.tokens} tokens) exceeds the available context size (${contextSize} tokens), try increasing it`
    send(
      response,
      400,
      protocol.error(400, text, {
        type: 'exceed_context_size_error',
        n_prompt_tokens: error.tokens,
        n_ctx: contextSize,
      }),
    )
  }

  function finish(answer: EngineAnswer): void {
    if (!request.streams) return send(response, 200, protocol.whole(facts, answer))
    speaker.say(protocol.last(facts, answer), protocol.first(facts))
    response.end()
  }
}

/** Sends pieces as they come, and knows when nobody listens any more. */
function speak(
  response: ServerResponse,
  type: string,
): { say(piece: string, opening: string): void; readonly gone: AbortSignal } {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return {
    gone: gone.signal,
    say: (piece, opening) => {
      if (!response.headersSent) {
        response.writeHead(200, { 'content-type': type })
        response.write(opening + piece)
      } else response.write(piece)
    },
  }
}

const template = compileTemplate('tiny', tinyChatTemplate)

export function promptOf({ messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>): string {
  return template.render(messages, tools)
}

export function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body)
}
