import { strictUpstream } from '@minutebook/testing/server'
import { expect, onTestFinished, test } from 'vitest'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { native, type Native } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

/** A server whose settings do not say which protocol its upstream speaks. `has`: the paths that the upstream has. */
async function operatorOf(
  has: RegExp,
): Promise<{ readonly operator: Native; readonly chats: () => readonly string[] }> {
  const strict = await strictUpstream({ answer: 'Ferns.' })
  onTestFinished(() => strict.close())
  const { url } = await plainUpstream((request, response) => {
    if (!has.test(request.url ?? '')) return void response.writeHead(404).end('{}')
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = request.method === 'POST' ? { body: Buffer.concat(pieces) } : {}
      void fetch(`${strict.url}${request.url}`, { method: request.method ?? 'GET', ...body })
        .then(async (answer) => {
          const type = answer.headers.get('content-type') ?? ''
          response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()))
        })
        // A gateway may still ask something when the test ends.
        .catch(() => response.destroy())
    })
  })
  const running = await gateway({ defaultModel: 'strict', upstreams: [{ url }] })
  const paths = (): readonly string[] => strict.requests.flatMap(({ method, path }) => (method === 'POST' ? path : []))
  return { operator: native(running.url, running.token), chats: () => paths().filter((path) => path.includes('/chat')) }
}

async function answered(operator: Native): Promise<unknown> {
  await operator.ask('POST', '/threads', { thread: 'garden' })
  const seen = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'What grows here?' } })
  return seen.at(-1)?.data['status']
}

test('a turn asks a server that has only OpenAI’s paths in OpenAI’s protocol', async () => {
  const { operator, chats } = await operatorOf(/^\/v1\//)
  expect([await answered(operator), chats()]).toEqual(['complete', ['/v1/chat/completions']])
})

test('a turn asks an Ollama server in Ollama’s, although it has both', async () => {
  const { operator, chats } = await operatorOf(/^\//)
  expect([await answered(operator), chats()]).toEqual(['complete', ['/api/chat']])
})

test('what was not known is asked again', async () => {
  let isUp = false
  const has = /^\/v1\//
  has.test = (path) => isUp && path.startsWith('/v1/')
  const { operator, chats } = await operatorOf(has)
  expect(await answered(operator)).toBe('failed')
  isUp = true
  await expect
    .poll(async () => (await operator.stream('POST', '/threads/garden/retry')).at(-1)?.data['status'])
    .toBe('complete')
  expect(chats()).toEqual(['/v1/chat/completions'])
})
