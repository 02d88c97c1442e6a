import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isInstalled, skipUnlessInstalled } from './installed.ts'
import { complaintOf, talk } from './re-sending.ts'
import { isTruncated } from './seen.ts'
import type { EngineServer } from './server.ts'

const turns = 8

let server: EngineServer

beforeAll(async () => {
  if (isInstalled) server = await (await import('./server.ts')).serveEngine({ contextSize: 2048 })
})

afterAll(() => server?.close())

type Messages = readonly { readonly role: string }[]

describe('the client that re-sends everything', () => {
  const middlemen: readonly {
    readonly what: string
    readonly send: (messages: Messages) => Messages
    readonly complaint: string | undefined
  }[] = [
    { what: 'sends everything on', send: (messages) => messages, complaint: undefined },
    {
      what: 'drops the beginning',
      send: (messages) => messages.slice(-6),
      complaint: '5 prompts without the first message',
    },
    {
      what: 'drops the latest question',
      send: (messages) => (messages.length > 4 ? messages.slice(0, -1) : messages),
      complaint: '6 prompts without the latest question',
    },
  ]

  test.for(middlemen)('notices a middleman who $what', async ({ send, complaint }, context) => {
    skipUnlessInstalled(context)
    const report = await talk({ url: await middleman(send), turns, seen: server.seen })
    expect(complaintOf(report)).toBe(complaint)
    expect(report.turns).toHaveLength(turns)
  })

  test('notices a prompt that was taken, but not all of it', () => {
    const seen = { messages: [], prompt: '', sent: 100, evaluated: 100, reused: 0, isRefused: false }
    expect(isTruncated(seen)).toBe(false)
    expect(isTruncated({ ...seen, evaluated: 60 })).toBe(true)
    expect(isTruncated({ ...seen, evaluated: 0, isRefused: true })).toBe(false)
  })
})

/** A proxy that changes what is sent. */
async function middleman(send: (messages: Messages) => Messages): Promise<string> {
  const proxy = createServer((incoming, response) => {
    const answered = async (): Promise<void> => {
      const pieces: Uint8Array[] = []
      for await (const piece of incoming) pieces.push(piece as Uint8Array)
      const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { readonly messages: Messages }
      const answer = await fetch(`${server.url}${incoming.url}`, {
        method: 'POST',
        body: JSON.stringify({ ...body, messages: send(body.messages) }),
      })
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      response.end(await answer.text())
    }
    answered().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const address = proxy.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}
