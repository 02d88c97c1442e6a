import { setTimeout as pause } from 'node:timers/promises'
import { stampsIn } from '../../../support/process/moment.ts'
import { ask, type Answered, type AskOptions } from './asked.ts'

/** Somebody who uses the gateway again and again. Each visit says what went wrong, if anything. */
export interface Visitor {
  readonly name: string
  readonly visit: () => Promise<string | undefined>
}

export const smallModel = 'paced:6:5:small'
const model = 'paced:8:10'
const paths = ['/v1/chat/completions', '/api/chat'] as const
type ChatPath = (typeof paths)[number]

/**
 * Those of an ordinary day: streams in both protocols, short and long ones, impatient ones, and some who do not chat.
 */
export function visitors(url: string): Visitor[] {
  const chat = (path: ChatPath, body: object, options: AskOptions = {}): Promise<Answered | undefined> =>
    ask(url, path, { ...options, body: JSON.stringify(body) })
  const streaming = (number: number): Visitor => {
    const path = paths[number % 2]!
    // Of a small window, so that most chats are rewritten.
    const talk = conversation(`streaming ${number}`, number < 2 ? 60 : 12)
    return {
      name: `streaming ${number}`,
      visit: async () => {
        const answer = await chat(path, { model: number < 2 ? smallModel : model, messages: talk.ask(), stream: true })
        talk.hear(
          stampsIn(answer?.text ?? '')
            .map(({ word }) => word)
            .join(''),
        )
        return faultIn(answer, path === '/api/chat' ? '"done":true' : '[DONE]')
      },
    }
  }
  const leaving = (number: number): Visitor => {
    const path = paths[number % 2]!
    const talk = conversation(`leaving ${number}`, 1)
    return {
      name: `leaving ${number}`,
      visit: async () => {
        await chat(path, { model, messages: talk.ask(), stream: true }, { leaveAfter: Math.random() * 80 })
        await pause(50)
        return undefined
      },
    }
  }
  const again = conversation('again', 4)
  const whole = conversation('whole', 20)
  return [
    ...Array.from({ length: 8 }, (_, number) => streaming(number)),
    ...Array.from({ length: 3 }, (_, number) => leaving(number)),
    {
      name: 'asking twice',
      visit: async () => {
        const body = { model, messages: again.ask(), stream: Math.random() < 0.5 }
        const headers = Math.random() < 0.5 ? { 'idempotency-key': crypto.randomUUID() } : {}
        const first = await chat(paths[0], body, { headers })
        const second = await chat(paths[0], body, { headers: { ...headers, 'x-stainless-retry-count': '1' } })
        again.hear('What was said twice.')
        return faultIn(first, 'choices') ?? faultIn(second, 'choices')
      },
    },
    {
      name: 'not streaming',
      visit: async () => {
        const answer = await chat(paths[0], { model, messages: whole.ask(), stream: false })
        whole.hear('A whole answer.')
        return faultIn(answer, 'A whole answer.')
      },
    },
    {
      name: 'not chatting',
      visit: async () =>
        faultIn(
          await ask(url, '/v1/embeddings', { body: JSON.stringify({ input: 'word '.repeat(20_000) }) }),
          'embedding',
        ) ?? faultIn(await ask(url, '/api/tags', { method: 'GET' }), 'models'),
    },
  ]
}

interface Conversation {
  /** The messages with one more question; a new conversation after so many turns. */
  ask(): object[]
  hear(answer: string): void
}

function conversation(name: string, turns: number): Conversation {
  let messages: object[] = []
  let count = 0
  return {
    ask: () => {
      if (count % turns === 0) messages = [{ role: 'system', content: 'You are brief.' }]
      messages.push({
        role: 'user',
        content: `Question ${count++} of ${name}: ${'what does the ledger say of it? '.repeat(3)}`,
      })
      return messages
    },
    hear: (content) => void messages.push({ role: 'assistant', content }),
  }
}

function faultIn(answer: Answered | undefined, mark: string): string | undefined {
  if (answer === undefined) return 'no answer'
  if (answer.status !== 200) return `status ${answer.status}: ${answer.text.slice(0, 200)}`
  return answer.text.includes(mark) ? undefined : `an answer without ${mark}`
}
