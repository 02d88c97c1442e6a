import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { pipedChat } from './support/chatting.ts'
import { dataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([301, 302, 303, 307, 308])(
  'A9: an upstream that sends us elsewhere (%i) is not obeyed by any command',
  async (status) => {
    using data = dataFolder()
    let fetched = 0
    const decoy = await listening((_, response) => {
      fetched++
      response.end(models)
    })
    const elsewhere: RequestListener = (request, response) => {
      request.resume()
      response.writeHead(status, { location: `${decoy}${request.url}` }).end()
    }
    const [some, all] = [
      await listening((request, response) =>
        request.url === '/api/tags' ? response.end(models) : elsewhere(request, response),
      ),
      await listening(elsewhere),
    ]
    const chat = await pipedChat(['--upstream', some, 'hi'], data.path, [])
    expect([chat.code, chat.output, chat.errors]).toEqual([1, '', expect.stringContaining(`(${status})`)])
    expect((await pipedChat(['--upstream', all, 'hi'], data.path, [])).code).toBe(1)
    for (const upstream of [some, all])
      await runCommand(['doctor'], data.path, { environment: { MINUTEBOOK_UPSTREAMS: upstream } })
    expect(fetched).toBe(0)
  },
)

const models = '{"models":[{"name":"strict"}]}'

test('an answer that is no JSON, such as a page of a proxy, is told by its status', async () => {
  using data = dataFolder()
  const proxy = await listening((_, response) => void response.writeHead(502).end('<h1>Bad Gateway</h1>'))
  const { code, errors } = await runCommand(['threads', '--server', proxy], data.path)
  expect([code, errors]).toEqual([1, '✗ The server answered with status 502. Look into its log.\n'])
})
