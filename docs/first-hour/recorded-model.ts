// What did the real model answer when the tutorial was recorded? The same prompt gets the same answer again, without the model.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ChatAnswer, ChatModel } from '../../bench/answers/chat-model.ts'
import type { WireMessage } from '../../bench/wire-message.ts'

interface Recorded {
  /** The SHA-256 of the messages and of the limit. */
  readonly prompt: string
  /** The text of the last message, for people who read the file. */
  readonly asked: string
  readonly answer: ChatAnswer
}

/**
 * Answers what the file has, and asks the model only for what is not recorded. `save` writes down what this run has
 * used.
 */
export function recordedModel(model: ChatModel, file: string): { readonly model: ChatModel; save(): void } {
  const before = existsSync(file) ? answersIn(file) : new Map<string, ChatAnswer>()
  const used = new Map<string, Recorded>()
  return {
    model: {
      answer: async (messages, limit, tell) => {
        const prompt = hashOf(messages, limit)
        // The model does not always say the same to the same prompt.
        const known = used.get(prompt)?.answer ?? before.get(prompt)
        const answer = known ?? (await model.answer(messages, limit, tell))
        if (known) tellWords(known, tell)
        else console.error(`${newestOf(messages)} → ${answer.text}`)
        used.set(prompt, { prompt, asked: newestOf(messages), answer })
        return answer
      },
    },
    save: () => writeFileSync(file, `${JSON.stringify([...used.values()], undefined, 2)}\n`),
  }
}

/** In place of a model that is not there: a prompt that is not recorded means that the prompts have changed. */
export const refusing: ChatModel = {
  answer: (messages) => {
    const said = `The prompt of "${newestOf(messages)}" is not recorded, so it has changed. Record it: sh bench/answers/install.sh, then npm run docs:first-hour -- --record`
    console.error(said)
    return Promise.reject(new Error(said))
  },
}

function newestOf(messages: readonly WireMessage[]): string {
  return messages.at(-1)?.content ?? ''
}

function answersIn(file: string): ReadonlyMap<string, ChatAnswer> {
  return new Map((JSON.parse(readFileSync(file, 'utf8')) as Recorded[]).map(({ prompt, answer }) => [prompt, answer]))
}

function tellWords({ text }: ChatAnswer, tell: ((piece: string) => void) | undefined): void {
  for (const piece of text.match(/\s*\S+/g) ?? []) tell?.(piece)
}

function hashOf(messages: readonly WireMessage[], limit: number): string {
  const said = messages.map(({ role, content }) => [role, content])
  return createHash('sha256')
    .update(JSON.stringify([said, limit]))
    .digest('hex')
}
