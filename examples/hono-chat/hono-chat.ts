// A chat in the browser with Hono: answers stream, each user has a thread, and a turn goes on when the page is closed.
//
//   node examples/hono-chat/hono-chat.ts               with a model of Ollama
//   node examples/hono-chat/hono-chat.ts --scripted    without a model

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { sqliteStore } from '@minutebook/sqlite'
import { Hono, type Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { csrf } from 'hono/csrf'
import { openBook, type Thread } from 'minutebook'
import { eventStream } from 'minutebook/http'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'
import { scriptedChat } from '../scripted-chat.ts'

const {
  OLLAMA_HOST = 'http://127.0.0.1:11434',
  CHAT_MODEL = 'gemma3:4b',
  CHAT_FILE = 'hono-chat.db',
  PORT = '3000',
} = process.env

const book = openBook({
  store: sqliteStore(CHAT_FILE),
  model: process.argv.includes('--scripted')
    ? scriptedChat()
    : ollamaModel(new Ollama({ host: OLLAMA_HOST }), { model: CHAT_MODEL }),
  window: 4096,
  system: 'You help to plan a garden. Answer in a few sentences.',
})
await book.work({ onError: console.error }) // finishes the turns that a crash cut short

/** Of a user, as this server makes them. */
const isId = /^[0-9a-f-]{36}$/

const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8')
const app = new Hono()
app.use(csrf())
app.get('/', (c) => c.html(page))
// What the page shows first, and the position from which it then watches.
app.get('/chat', async (c) => c.json(await threadOf(c).page()))
app.get('/chat/stream', (c) => eventStream(threadOf(c), c.req.raw))
app.post('/chat', async (c) => {
  const turn = threadOf(c).send(await c.req.text())
  if (await turn.recorded) return c.body(null, 202) // the page sees the rest in its stream
  const { reason } = await turn.done
  return c.text(reason?.message ?? 'The message was not recorded.', 409)
})
app.post('/chat/stop', async (c) => c.json({ stopped: await threadOf(c).cancel() }))

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
)

/** The thread of the user. Here a user is a browser: put your login in the place of the cookie. */
function threadOf(c: Context): Thread {
  const known = getCookie(c, 'user') ?? ''
  const user = isId.test(known) ? known : randomUUID()
  if (user !== known) setCookie(c, 'user', user, { httpOnly: true, sameSite: 'Lax', maxAge: 30 * 24 * 3600 })
  return book.thread(`chat-${user}`)
}
