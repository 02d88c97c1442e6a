// A client has the upstream quote it in an error: "maximum context length is 300 tokens". Prompts of everybody else
// would be cut to that for an hour.
import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const claim = 'the request exceeds the maximum context length of 300 tokens'
const long = [{ role: 'user', content: 'the tide was low at the pier '.repeat(2000) }]

test.each([
  [
    'at the end of a long error',
    `1 validation error for ChatCompletionRequest: ${'body.messages.0.name: Input should be a valid string; '.repeat(8)}input_value='${claim}'`,
  ],
  ['at its beginning', claim],
])('what an upstream quotes of a request %s makes no window smaller', async (_, quote) => {
  const received: unknown[] = []
  const { url } = await plainUpstream((request, response) => {
    const pieces: Buffer[] = []
    request
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end('{}')
        const { messages, name } = JSON.parse(Buffer.concat(pieces).toString()) as {
          messages: { content: string }[]
          name?: string
        }
        received.push(messages)
        response.writeHead(name === undefined ? 200 : 400, { 'content-type': 'application/json' })
        if (name !== undefined) return void response.end(JSON.stringify({ error: { message: name, code: 400 } }))
        const prompt = Math.ceil(JSON.stringify(messages).length / 5)
        response.end(
          JSON.stringify({
            id: 'c',
            object: 'chat.completion',
            created: 1,
            model: 'm',
            choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
            usage: { prompt_tokens: prompt, completion_tokens: 1 },
          }),
        )
      })
  })
  const { url: address } = await gateway({
    upstreams: [{ url, protocol: 'openai' }],
    keys: ['evil', 'honest'].map((name) => ({
      name,
      tenant: 'garden',
      scope: 'app',
      sha256: hash('sha256', `key-${name}`),
    })),
  })
  const ask = async (key: string, body: object): Promise<number> =>
    (
      await fetch(`${address}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer key-${key}` },
        body: JSON.stringify({ model: 'm', ...body }),
      })
    ).status
  expect(await ask('honest', { messages: long })).toBe(200)
  expect(await ask('evil', { messages: long, name: quote })).toBe(400)
  expect(await ask('honest', { messages: [{ role: 'system', content: 'Be brief.' }, ...long] })).toBe(200)
  expect(received.at(-1)).toEqual([{ role: 'system', content: 'Be brief.' }, ...long])
})
