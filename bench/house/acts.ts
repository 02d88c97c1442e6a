import type { EndEvent } from 'minutebook/wire'
import type { Message, Model, Thread } from 'minutebook'
import { generate } from '../synthetic.ts'
import { toWire } from '../wire-message.ts'

/** Something that users do, for `npm run house -- --touched`. */
export interface Act {
  readonly name: string
  /**
   * Loads what the act needs, and returns the act, which is counted. It imports packages here and not above: if a
   * commit lacks one of their names, only this act fails there.
   */
  readonly prepare: () => Promise<() => Check | Promise<Check>>
}

/** What an act returns. Throws if the act was not what its name says. */
type Check = () => void

export const acts: readonly Act[] = [
  {
    name: 'compile a long conversation with tools',
    prepare: async () => {
      const { compile } = await import('minutebook')
      const messages = longConversation()
      return () => {
        const { messages: prompt, plan } = compile(messages, { window })
        return () => {
          const tiers = new Set(plan.parts.map(({ tier }) => tier))
          must(plan.epoch.number > 0, 'compacts')
          must(tiers.has('outline'), 'has an outline')
          must(tiers.has('recall'), 'recalls')
          must(
            prompt.some(({ tool_calls: calls }) => calls !== undefined),
            'has a tool call in the prompt',
          )
        }
      }
    },
  },
  {
    name: `thread.send('hi'), the first message`,
    prepare: async () => {
      const { memoryStore, openBook } = await import('minutebook')
      const store = memoryStore()
      return async () => {
        const { status, text } = await openBook({ store, model, window }).thread('t').send('hi').done
        return () => must(status === 'complete' && text === answer.message.content, 'is answered')
      }
    },
  },
  {
    name: 'a proxied chat, rewritten',
    prepare: async () => {
      const { memoryStore, openBook } = await import('minutebook')
      const store = memoryStore()
      // A fresh book each time, as after a restart.
      const relay = async (messages: readonly Message[]): ReturnType<Thread['relay']> => {
        const thread = openBook({ store, model, window }).thread('t')
        const relayed = await thread.relay(messages, { trusted: true, onlySent: true })
        await relayed.answer(answer)
        return relayed
      }
      const asked = longConversation()
      await relay(asked)
      return async () => {
        const { mode } = await relay([...asked, answer.message, { role: 'user', content: 'And before that?' }])
        return () => must(mode === 'rewritten', 'is rewritten')
      }
    },
  },
  {
    name: 'a dump of the newest call',
    prepare: async () => {
      const { memoryStore, openBook } = await import('minutebook')
      const store = memoryStore()
      const thread = (): Thread => openBook({ store, model, window }).thread('t')
      await thread().send('hi').done
      const receipt = (await thread().receipts()).at(-1)?.id
      return async () => {
        const { same, messages } = await thread().dump({ receipt })
        return () => must(receipt !== undefined && same && messages.length > 0, 'shows what was sent')
      }
    },
  },
]

const window = 4096

/** About four times as long as the window. Its last message asks for something that was said in the first quarter. */
function longConversation(): Message[] {
  const { messages, questions } = generate('tools', 1, 40)
  const early = questions.find(({ evidence }) => evidence.every((place) => place < messages.length / 4))
  if (early === undefined) throw new Error('The conversation has no question about its first quarter.')
  const system = { role: 'system', content: 'You answer questions of customers of a shop.' }
  return [system, ...messages.map(toWire), { role: 'user', content: early.text }]
}

const answer: EndEvent & { readonly message: { readonly content: string } } = {
  type: 'end',
  message: { role: 'assistant', content: 'Yes.' },
  finish: 'stop',
}

/** Answers at once. */
const model: Model = Object.assign(
  async function* () {
    yield answer
  },
  { model: 'instant', wire: 'openai' as const },
)

function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`This was not an act that ${what}.`)
}
