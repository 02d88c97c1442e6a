import { Ollama } from 'ollama'
import OpenAI from 'openai'

/** How a client asks: every word of the answer as it comes, or all at once. */
export interface Manner {
  readonly client: 'ollama' | 'openai'
  readonly streams: boolean
}

/** One question, and what became of it as far as its client could tell. */
export interface Asked {
  readonly manner: Manner
  readonly question: string
  /** What came of the answer. */
  readonly text: string
  /** Whether it looked complete: it ended without an error, or the chunk had come that says that the model is done. */
  readonly isWhole: boolean
  /** What the client threw. */
  readonly error?: ClientError
}

/** What an error of either client tells. */
export interface ClientError {
  readonly name: string
  readonly message: string
  /** Of the response, where there was one. */
  readonly status?: unknown
  readonly code?: unknown
}

/** What a client has just been sent: some of an answer, or the chunk that says that the model is done. */
export type Moment = 'piece' | 'end'

export interface Listener {
  readonly isOver: () => boolean
  /** At once, before anything else happens in this process. */
  readonly notice: (moment: Moment) => void
  readonly tell: (asked: Asked) => void
}

/** What the model says to a question. Its last word is its own, so that an answer without its end is another. */
export function answerTo(question: string): string {
  return `Answer to ${question}: ${'and then there was a little more to say about it '.repeat(2)}end of ${question}`
}

/**
 * Holds a conversation with an official client, until told to stop: what was answered is sent again with every
 * question.
 */
export async function keepAsking(name: string, manner: Manner, url: string, listener: Listener): Promise<void> {
  const ask = manner.client === 'ollama' ? askOllama(url, manner.streams) : askOpenAi(url, manner.streams)
  let history: Said[] = []
  for (let count = 0; !listener.isOver(); count++) {
    // A new conversation now and then.
    if (count % 25 === 0) history = []
    const question = `question ${count} of ${name}`
    const asked = await attempt(ask, [...history, { role: 'user', content: question }], listener)
    listener.tell({ manner, question, ...asked })
    if (asked.isWhole) history.push({ role: 'user', content: question }, { role: 'assistant', content: asked.text })
    else await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

interface Said {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

interface Piece {
  readonly text: string
  /** Whether it says that the model is done. */
  readonly isEnd: boolean
}

type Ask = (messages: Said[]) => AsyncIterable<Piece>

async function attempt(
  ask: Ask,
  messages: Said[],
  { notice }: Listener,
): Promise<Pick<Asked, 'text' | 'isWhole' | 'error'>> {
  let text = ''
  let isWhole = false
  try {
    for await (const piece of ask(messages)) {
      notice(piece.isEnd ? 'end' : 'piece')
      text += piece.text
      isWhole ||= piece.isEnd
    }
    return { text, isWhole: true }
  } catch (thrown) {
    const {
      name,
      message,
      status,
      status_code: ollamaStatus,
      code,
    } = thrown as ClientError & { readonly status_code?: unknown }
    return { text, isWhole, error: { name, message, status: status ?? ollamaStatus, code } }
  }
}

function askOllama(host: string, streams: boolean): Ask {
  const client = new Ollama({ host })
  return async function* (messages) {
    if (!streams)
      return yield {
        text: (await client.chat({ model: 'strict', messages, stream: false })).message.content,
        isEnd: true,
      }
    for await (const { message, done } of await client.chat({ model: 'strict', messages, stream: true }))
      yield { text: message.content, isEnd: done }
  }
}

function askOpenAi(url: string, streams: boolean): Ask {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
  return async function* (messages) {
    if (!streams)
      return yield {
        text: (await client.chat.completions.create({ model: 'strict', messages })).choices[0]?.message.content ?? '',
        isEnd: true,
      }
    for await (const {
      choices: [choice],
    } of await client.chat.completions.create({ model: 'strict', messages, stream: true })) {
      yield { text: choice?.delta.content ?? '', isEnd: choice?.finish_reason != null }
    }
  }
}
