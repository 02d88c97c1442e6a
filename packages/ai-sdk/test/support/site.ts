import { createServer, type Server } from 'node:http'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { UIMessage } from 'ai'
import { memoryStore, openBook, type Model, type Thread, type Tool } from 'minutebook'
import { rolldown } from 'rolldown'
import { expect, onTestFinished } from 'vitest'
import { chatHandler, uiMessagesOf, type ChatOptions } from '@minutebook/ai-sdk'
import type { Visit } from '../../../../tests/support/browser/browser.ts'

/** The page of the README, which shows its messages as JSON and leaves the hook to the test. */
const page = `
import { useChat } from '@ai-sdk/react'
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses as isDecided,
  lastAssistantMessageIsCompleteWithToolCalls as isAnswered,
} from 'ai'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const id = 't'
const chat = await (await fetch('/api/chat/' + id)).json()
const after = chat.messages.at(-1)?.id
const transport = new DefaultChatTransport({
  prepareReconnectToStreamRequest: ({ api }) => ({ api: api + '/' + id + '/stream?after=' + after }),
})
const sendAutomaticallyWhen = (chat) => isDecided(chat) || isAnswered(chat)
function Chat() {
  globalThis.hook = useChat({ id, ...chat, transport, sendAutomaticallyWhen })
  return createElement('pre', { id: hook.status }, JSON.stringify(hook.messages))
}
createRoot(document.getElementById('root')).render(createElement(Chat))
`

let bundled: Promise<string> | undefined

/** The script of the page, bundled once for all test files of a process. */
export function pageScript(): Promise<string> {
  return (bundled ??= bundle())
}

async function bundle(): Promise<string> {
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
  await build.close()
  return output[0].code
}

/** A server with one thread, and the page of its chat. */
export interface Site {
  readonly thread: Thread
  readonly url: string
}

export async function openSite(
  model: Model,
  { tools = [], ...options }: ChatOptions & { readonly tools?: readonly Tool[] } = {},
): Promise<Site> {
  const script = await pageScript()
  const book = openBook({ store: memoryStore(), model, window: 8192, tools })
  const chat = chatHandler((id) => book.thread(id), options)
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
    const send = (response: Response): void => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      if (response.body)
        Readable.fromWeb(response.body as never)
          .on('error', () => undefined)
          .pipe(outgoing)
      else outgoing.end()
    }
    // A page may leave in the middle of its question.
    chat(new Request(`http://app.test${url}`, { method, ...body })).then(send, () => outgoing.destroy())
  })
  return { thread: book.thread('t'), url: await listening(server) }
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

/** The messages that a page shows. */
export async function shown(visit: Visit): Promise<UIMessage[]> {
  return JSON.parse((await visit.page.locator('pre').textContent()) ?? '[]') as UIMessage[]
}

export async function shows(visit: Visit, text: string): Promise<void> {
  await expect.poll(async () => JSON.stringify(await shown(visit))).toContain(text)
}

export async function isReady(visit: Visit): Promise<void> {
  await visit.page.locator('pre#ready').waitFor()
}

/** Lets the page do something, and does not wait for it. */
export function does(visit: Visit, what: string): Promise<unknown> {
  return visit.page.evaluate(`void (${what})`)
}

/** What a page has after a reload. */
export async function recorded(thread: Thread): Promise<unknown> {
  return JSON.parse(JSON.stringify(uiMessagesOf(await thread.entries())))
}
