import { memoryStore, openBook, type Book, type Message, type Model, type Store, type ThreadOptions } from 'minutebook'
import type { EndEvent } from 'minutebook/wire'
import { words } from '@minutebook/testing'

/** Only its name and its wire are used: whoever relays makes the call. */
export function namedModel(wire?: 'ollama' | 'openai', model: string = 'm'): Model {
  return Object.assign(
    (): never => {
      throw new Error('a relay calls no model')
    },
    { model, ...(wire && { wire }) },
  )
}

/** A book as a gateway opens it. */
export function relayBook(options: ThreadOptions = {}, store: Store = memoryStore()): Book {
  return openBook({
    store,
    model: namedModel('openai'),
    window: 100_000,
    reserve: 100,
    journal: false,
    counter: words,
    ...options,
  })
}

export function said(content: string | Message, fields: Partial<EndEvent> = {}): EndEvent {
  return {
    type: 'end',
    message: typeof content === 'string' ? { role: 'assistant', content } : content,
    finish: 'stop',
    ...fields,
  }
}
