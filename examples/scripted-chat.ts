import { setTimeout as pause } from 'node:timers/promises'
import type { Model } from 'minutebook'

/** What a scripted model says of its answers. */
export interface ScriptedChatOptions {
  /** Milliseconds between two words. Default: 80, as a small model on a small machine. */
  readonly pace?: number
}

/**
 * A chat model without a language model, for those who have none at hand: it says what it was sent, word by word, so
 * that there is something to watch, to stop and to reload.
 */
export function scriptedChat({ pace = 80 }: ScriptedChatOptions = {}): Model {
  const model: Model = async function* ({ messages, window, signal }) {
    const asked = messages.findLast(({ role }) => role === 'user')?.content
    const length = JSON.stringify(messages).length.toLocaleString('en')
    const answer = `You said “${typeof asked === 'string' ? asked : ''}”. With it I was sent ${messages.length} messages of ${length} characters for a window of ${window.toLocaleString('en')} tokens. I am a script and cannot say more about it, but I can say it slowly.`
    for (const word of answer.match(/\S+\s*/g) ?? []) {
      await pause(pace, undefined, { signal })
      yield { type: 'text', text: word }
    }
    yield { type: 'end', message: { role: 'assistant', content: answer }, finish: 'stop' }
  }
  return Object.assign(model, { model: 'scripted' })
}
