// Finding 4: many large bodies at once, bodies that never come to their end, and small bodies that become large values,
// fill the memory.
import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  heapFlags,
  measuredServer,
  type Answered,
  type MeasuredServer,
  type Sent,
} from '../../../../tests/endurance/server/complexity/measured-server.ts'

const mega = 1 << 20
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const keys = ['evil', 'other'].map((name) => ({ name, tenant: name, scope: 'app', sha256: sha256(`key-${name}`) }))

let server: MeasuredServer
beforeAll(async () => {
  server = await measuredServer({
    flags: heapFlags(192),
    settings: { MINUTEBOOK_KEYS: JSON.stringify(keys), MINUTEBOOK_MODELS: '{}' },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

type Who = 'evil' | 'other'
const as = (who: Who): Readonly<Record<string, string>> => ({ authorization: `Bearer key-${who}` })
const chat = (who: Who, content: string): Sent => ({
  path: '/v1/chat/completions',
  headers: as(who),
  body: { model: 'plain', messages: [{ role: 'user', content }] },
})
const codeOf = ({ text }: Answered): string => (JSON.parse(text) as { error: { code: string } }).error.code

/** Everything at once, and small chats of another tenant all the while. */
async function survived(sent: readonly Sent[]): Promise<readonly Answered[]> {
  let isOver = false
  const all = Promise.all(sent.map((each) => server.send(each))).finally(() => (isOver = true))
  for (let count = 0; !isOver; count++)
    expect((await server.send(chat('other', `How are you, ${count}?`))).status).toBe(200)
  const answers = await all
  expect(server.ended()).toBeUndefined()
  return answers
}

test('20 chats of 3 MB at once, 10 times the memory that there is for them, are answered or told to come again', async () => {
  const answers = await survived(
    Array.from({ length: 20 }, (_, index) => chat('evil', `${index} 中 ${'lemon '.repeat(mega / 2)}`)),
  )
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  // A client that has no time to send, since it does all of this, may be told that as well.
  for (const answer of answers.filter(({ status }) => status !== 200 && status !== 408))
    expect([answer.status, codeOf(answer), answer.headers.get('retry-after')]).toEqual([503, 'overloaded', '2'])
})

test('bodies that are small as bytes and large as values are refused, before they are read', async () => {
  const answers = await survived(
    Array.from({ length: 10 }, () => ({
      path: '/minutebook/v1/experiments/check',
      headers: as('evil'),
      body: `{"definition":[${'[],'.repeat(mega)}[]]}`,
    })),
  )
  for (const answer of answers) expect([answer.status, codeOf(answer)]).toEqual([413, 'body_too_long'])
})

test('bodies that stop in the middle keep no memory from those that come', async () => {
  const { hostname, port } = new URL(server.url)
  const sockets: Socket[] = Array.from({ length: 40 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer key-evil\r\nContent-Length: ${4 * mega}\r\n\r\n{"model":"${'x'.repeat(100_000)}`,
    )
    return socket
  })
  const large = (who: Who): Promise<Answered> => server.send(chat(who, `${Math.random()} ${'lemon '.repeat(mega / 3)}`))
  // At once for another tenant, and when they are seen to be slow for their own.
  expect((await large('other')).status).toBe(200)
  await expect.poll(async () => (await large('evil')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
})
