import fc from 'fast-check'
import type { Message } from 'minutebook'
import { toOllama, toOpenAi } from 'minutebook/wire'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { conversation } from '../../../../tests/support/arbitrary.ts'
import { diceOf, type Dice } from '../../../../tests/support/dice.ts'
import { anthropicChat } from '../../../../tests/support/anthropic-chat.ts'
import { withSure } from '../../../../tests/support/runs.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { inMemory } from './support/interposed.ts'
import { oddAnswer, oddRequest, type OddAnswer } from './support/odd-chat.ts'
import { oddAnthropic } from './support/odd-anthropic.ts'
import { paths } from './support/post.ts'
import { numerals } from './support/spelling.ts'

/** Of each protocol: CHATS=1000 for the figure of the record. */
const chats = Number(process.env['CHATS'] ?? 40)
const models = { strict: { window: 1_000_000, reserve: 100 } }

type Spell = (dice: Dice) => string
const someMessages: fc.Arbitrary<Message[]> = conversation.filter((messages) => messages.length > 0)
const requests: Readonly<Record<keyof typeof paths, fc.Arbitrary<Spell>>> = {
  ollama: someMessages.map((messages) => (dice) => oddRequest(toOllama(messages), 'ollama', dice)),
  openai: someMessages.map((messages) => (dice) => oddRequest(toOpenAi(messages), 'openai', dice)),
  anthropic: anthropicChat(fc.constantFrom(...numerals)).map((chat) => (dice) => oddAnthropic(chat, dice)),
}

describe.each(['ollama', 'openai', 'anthropic'] as const)('chats of %s that fit', (wire) => {
  test(`reach the upstream and come back byte for byte, ${chats} of them`, async () => {
    const upstream = await scribe()
    const running = await gateway({ upstreams: [{ url: upstream.url }], models }, { chat: inMemory() })
    let [count, answered, bytes] = [0, 0, 0]
    const drawn = [requests[wire], fc.nat()] as const
    const property = fc.asyncProperty(...drawn, async (spell, seed) => {
      const dice = diceOf(seed)
      const body = spell(dice)
      const { stream } = JSON.parse(body) as { stream?: boolean }
      upstream.say(oddAnswer(wire, stream ?? wire === 'ollama', dice))
      const bare = await exchanged(upstream.url + paths[wire], body)
      const through = await exchanged(running.url + paths[wire], body)
      expectSame(through.bytes, bare.bytes)
      expect(through.seen).toEqual(bare.seen)
      const [straight, relayed] = upstream.bodies.splice(0)
      expectSame(straight!, Buffer.from(body))
      expectSame(relayed!, straight!)
      expect(through.recorded).toBe('yes')
      count++
      if (through.seen.status === 200) answered++
      bytes += bare.bytes.length + body.length
    })
    await fc.assert(property, withSure(10, chats, drawn))
    console.log(
      `${wire}: ${count} random chats as they came, ${answered} answered, ${bytes} bytes of requests and responses: 0 differences`,
    )
    expect(running.services.metrics.text()).toContain(`minutebook_relays_total{mode="unchanged"} ${count}\n`)
    expect(answered).toBeGreaterThan(0)
  })
})

function expectSame(bytes: Buffer, expected: Buffer): void {
  // As text first, since that shows what differs.
  expect(bytes.toString()).toBe(expected.toString())
  expect(bytes.equals(expected)).toBe(true)
}

const sent = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }

/** What a client sees of a response: its bytes, and what it tells of itself. */
async function exchanged(
  url: string,
  body: string,
): Promise<{
  readonly bytes: Buffer
  readonly seen: { readonly status: number; readonly type: unknown; readonly own: unknown }
  readonly recorded: unknown
}> {
  const { statusCode, headers, body: stream } = await request(url, { method: 'POST', headers: sent, body })
  const bytes = Buffer.from(await stream.arrayBuffer())
  return {
    bytes,
    seen: { status: statusCode, type: headers['content-type'], own: headers['x-request-id'] },
    recorded: headers['minutebook-recorded'],
  }
}

interface Scribe {
  readonly url: string
  /** Of the chats that came, in their order. */
  readonly bodies: Buffer[]
  say(answer: OddAnswer): void
}

/** An upstream that writes down the bytes that come, and says what it is told. */
async function scribe(): Promise<Scribe> {
  const bodies: Buffer[] = []
  let answer: OddAnswer | undefined
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = []
    incoming
      .on('data', (piece: Buffer) => void pieces.push(piece))
      .on('end', () => {
        if (!answer || !Object.values<string | undefined>(paths).includes(incoming.url))
          return void response.writeHead(404).end()
        bodies.push(Buffer.concat(pieces))
        response.writeHead(answer.status, { 'content-type': answer.type, 'x-request-id': 'of the upstream' })
        void said(
          answer,
          (piece) => new Promise((resolve) => void response.write(piece, () => setImmediate(resolve))),
        ).then(() => response.end())
        return undefined
      })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    say: (next) => void (answer = next),
  }
}

async function said({ pieces }: OddAnswer, write: (piece: Buffer) => Promise<void>): Promise<void> {
  for (const piece of pieces) await write(piece)
}
