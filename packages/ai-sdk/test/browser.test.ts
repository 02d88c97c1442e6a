import { createServer, type Server } from 'node:http'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { UIMessage } from 'ai'
import { memoryStore, openBook, type Thread } from 'minutebook'
import { rolldown } from 'rolldown'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { chatHandler, uiMessagesOf } from '@minutebook/ai-sdk'
import { scriptedModel, type ScriptedLine } from '@minutebook/testing'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { createGate, gated, type Gate } from './support/chat.ts'

/** The page of the README, which shows its messages as JSON and leaves the hook to the test. */
const page = `
import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport } from 'ai'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const id = 't'
const chat = await (await fetch('/api/chat/' + id)).json()
const after = chat.messages.at(-1)?.id
const transport = new DefaultChatTransport({
  prepareReconnectToStreamRequest: ({ api }) => ({ api: api + '/' + id + '/stream?after=' + after }),
})
function Chat() {
  globalThis.hook = useChat({ id, ...chat, transport })
  return createElement('pre', { id: hook.status }, JSON.stringify(hook.messages))
}
createRoot(document.getElementById('root')).render(createElement(Chat))
`

const browser = testBrowser()
let script = ''
beforeAll(async () => {
  const here = fileURLToPath(new URL('entry-of-this-bundle.js', import.meta.url))
  const build = await rolldown({
    input: 'entry',
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'entry',
        resolveId: (name) => (name === 'entry' ? here : null),
        load: (name) => (name === here ? page : null),
      },
    ],
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false })
  script = output[0].code
  await build.close()
})

interface Site {
  readonly thread: Thread
  readonly gate: Gate
  readonly url: string
}

async function siteOf(lines: readonly ScriptedLine[]): Promise<Site> {
  const gate = createGate()
  const book = openBook({ store: memoryStore(), model: gated(scriptedModel(lines), gate), window: 8192 })
  const chat = chatHandler((id) => book.thread(id))
  const server = createServer((incoming, outgoing) => {
    if (!incoming.url?.startsWith('/api/')) {
      const isScript = incoming.url === '/page.js'
      outgoing.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      outgoing.end(
        isScript ? script : '<link rel=icon href=data:><div id=root></div><script type=module src=/page.js></script>',
      )
      return
    }
    const { method = 'GET', url } = incoming
    const body = method === 'POST' ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' as const } : {}
    void chat(new Request(`http://app.test${url}`, { method, ...body })).then((response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      if (response.body)
        Readable.fromWeb(response.body as never)
          .on('error', () => undefined)
          .pipe(outgoing)
      else outgoing.end()
    })
  })
  return { thread: book.thread('t'), gate, url: await listening(server) }
}

function listening(server: Server): Promise<string> {
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
    })
  })
}

const never = new Promise<never>(() => undefined)

async function shown(visit: Visit): Promise<UIMessage[]> {
  return JSON.parse((await visit.page.locator('pre').textContent()) ?? '[]') as UIMessage[]
}

async function isReady(visit: Visit): Promise<void> {
  await visit.page.locator('pre#ready').waitFor()
}

const does = (visit: Visit, what: string): Promise<unknown> => visit.page.evaluate(`void (${what})`)

async function recorded(thread: Thread): Promise<unknown> {
  return JSON.parse(JSON.stringify(uiMessagesOf(await thread.entries())))
}

test('useChat in a browser: a reload in the middle, two tabs, stop, edit and regenerate', async () => {
  const { thread, gate, url } = await siteOf([
    'One two three four.',
    'Five six seven.',
    'Edited answer.',
    'Another answer.',
  ])
  const first = await browser.open(url)
  await isReady(first)
  await does(first, `hook.sendMessage({ text: 'Hello' })`)
  await gate.allow(2, never)
  await expect.poll(async () => JSON.stringify(await shown(first))).toContain('One two')

  await first.page.reload()
  await expect.poll(async () => JSON.stringify(await shown(first))).toContain('One two')
  const second = await browser.open(url)
  await expect.poll(async () => JSON.stringify(await shown(second))).toContain('One two')
  await gate.allow(3, Promise.resolve())
  await Promise.all([isReady(first), isReady(second)])
  expect(await shown(first)).toEqual(await recorded(thread))
  expect(await shown(second)).toEqual(await recorded(thread))

  await does(second, `hook.sendMessage({ text: 'More' })`)
  await gate.allow(2, never)
  await second.page.reload()
  await expect.poll(async () => JSON.stringify(await shown(second))).toContain('Five six')
  await does(second, `fetch('/api/chat/t', { method: 'DELETE' })`)
  await isReady(second)
  expect(JSON.stringify(await shown(second))).not.toContain('seven')
  expect(await shown(second)).toEqual(await recorded(thread))

  gate.open()
  await does(second, `hook.sendMessage({ text: 'Better', messageId: hook.messages[0].id })`)
  await expect.poll(async () => JSON.stringify(await shown(second))).toContain('Edited answer.')
  await isReady(second)
  expect(await shown(second)).toEqual(await recorded(thread))
  await does(second, `hook.regenerate()`)
  await expect.poll(async () => JSON.stringify(await shown(second))).toContain('Another answer.')
  await isReady(second)
  expect(await shown(second)).toEqual(await recorded(thread))
  await first.page.reload()
  await isReady(first)
  expect(await shown(first)).toEqual(await shown(second))
  expect([...first.complaints, ...second.complaints]).toEqual([])
})
