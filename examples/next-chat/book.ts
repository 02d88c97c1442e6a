// The book of this server: where chats are kept, and which model answers.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { sdkModel } from '@minutebook/ai-sdk'
import { sqliteStore } from '@minutebook/sqlite'
import { openBook, type Book } from 'minutebook'

const {
  CHAT_UPSTREAM = 'http://127.0.0.1:11434/v1',
  CHAT_MODEL = 'gemma3:4b',
  CHAT_WINDOW = '4096',
  CHAT_FILE = 'chats.db',
} = process.env

/** Next.js loads a module again when a file changes, and once for pages and once for routes: the book stays. */
const kept = globalThis as { book?: Book }

export const book: Book = (kept.book ??= openBook({
  store: sqliteStore(CHAT_FILE),
  // Any provider of the AI SDK.
  model: sdkModel(createOpenAICompatible({ name: 'local', baseURL: CHAT_UPSTREAM })(CHAT_MODEL)),
  window: Number(CHAT_WINDOW),
  system: 'You help to plan a garden. Answer in a few sentences.',
}))
