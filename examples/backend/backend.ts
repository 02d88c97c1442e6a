// A chat backend: a list of each person's threads, tools, ids, busy, interrupt, edit, retry, stop, and streams that a page takes up where it was, also
// after a reload or a crash of this process.
//
//   node examples/backend/backend.ts

import { serve } from '@hono/node-server'
import { sqliteStore } from '@minutebook/sqlite'
import { Hono, type Context } from 'hono'
import { defineTool, openBook } from 'minutebook'
import { eventStream } from 'minutebook/http'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'
import * as z from 'zod'

const { OLLAMA_HOST = 'http://127.0.0.1:11434', BACKEND_FILE = 'backend.db', PORT = '3000' } = process.env

const sow = defineTool({
  name: 'sow',
  description: 'Sows a bed.',
  input: z.object({ bed: z.number(), plant: z.string() }),
  run: ({ bed, plant }) => ({ bed, plant, sown: true }),
})
const book = openBook({
  store: sqliteStore(BACKEND_FILE),
  model: ollamaModel(new Ollama({ host: OLLAMA_HOST }), { model: 'qwen3:8b' }),
  tools: [sow],
})
await book.work({ onError: console.error }) // finishes the turns that a crash cut short

const app = new Hono()
const userOf = (c: Context) => c.req.header('x-user') ?? 'ann' // put your login here
const threadOf = (c: Context) => book.thread(c.req.param('id')!, { metadata: { owner: userOf(c) } })

app.use('/threads/:id/*', async (c, next) => {
  const { owner = userOf(c) } = await threadOf(c).metadata()
  return owner === userOf(c) ? next() : c.notFound()
})
app.get('/threads', async (c) =>
  c.json(await book.threads({ metadata: { owner: userOf(c) }, limit: 50, after: c.req.query('after') })),
)
app.patch('/threads/:id', async (c) => c.json(await threadOf(c).setMetadata({ title: (await c.req.text()).trim() })))
app.delete('/threads/:id', async (c) => c.json(await book.remove(c.req.param('id'))))
// A page first asks for the entries and their position, then opens the stream with `?from=` that position.
app.get('/threads/:id', async (c) => c.json(await threadOf(c).page({ siblings: true })))
app.get('/threads/:id/stream', (c) => eventStream(threadOf(c), c.req.raw))
app.post('/threads/:id/turns', async (c) => {
  const { text, ...options } = (await c.req.json()) as { text: string; id?: string; ifBusy?: 'queue' | 'interrupt' }
  return eventStream(threadOf(c), c.req.raw, { turn: threadOf(c).send(text, options) })
})
app.put('/threads/:id/entries/:entry', async (c) => {
  const { text } = (await c.req.json()) as { text: string }
  return eventStream(threadOf(c), c.req.raw, { turn: threadOf(c).edit(c.req.param('entry'), text) })
})
app.post('/threads/:id/entries/:entry/retry', (c) =>
  eventStream(threadOf(c), c.req.raw, { turn: threadOf(c).retry({ of: c.req.param('entry') }) }),
)
app.post('/threads/:id/stop', async (c) => c.json({ stopped: await threadOf(c).cancel() }))

serve({ fetch: app.fetch, port: Number(PORT) }, ({ port }) => console.log(`http://127.0.0.1:${port}`))
