// Finding 2: a stranger with the key that a web page hands out (system: false) reads the chats of the whole tenant, and
// of other strangers.
import { expect, test } from 'vitest'
import { assistant, user } from '@minutebook/testing'
import type { Message } from 'minutebook'
import { operations } from '../../src/api/routes/routes.ts'
import { bearer, keyOf, secretOf } from '../abuse/support/keys.ts'
import { paths, post } from '../gateway/support/post.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'

const keys = [keyOf('app'), keyOf('desk', { scope: 'admin' }), keyOf('guest', { system: false })]
const canary = 'canary-4711'

test('a stranger gets to nothing but chats and the lists of models', async () => {
  const { upstream, running } = await gatewayBefore({}, { keys, defaultModel: 'strict' })
  const app = native(running.url, secretOf('app'))
  await app.ask('POST', '/threads', { thread: 'native', setup: { system: `You know ${canary}.` } })
  await app.stream('POST', '/threads/native/turns', { body: { message: `Remember ${canary}.` } })
  await app.ask('POST', '/runs', {
    definition: 'name: talk\nparticipants: { ann: { model: strict } }\nlimits: { rounds: 1 }\n',
    run: 'talk',
  })
  await app.stream('GET', '/runs/talk/events')
  const response = (await (
    await fetch(`${running.url}/v1/responses`, {
      method: 'POST',
      headers: { ...bearer('app'), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'strict', input: canary }),
    })
  ).json()) as { readonly id: string }
  const asked = upstream.requests.length

  const api = operations.map(
    ({ method, path }) =>
      [
        method.toUpperCase(),
        `/minutebook/v1${
          path === '/'
            ? ''
            : path
                .replace('{thread}', 'native')
                .replace('{run}', 'talk')
                .replace(/\{\w+\}/, 'x')
        }`,
      ] as const,
  )
  const others = [
    ['GET', '/minutebook/v1/openapi.json'],
    ['GET', '/minutebook/v1/threads/native/entries?hidden=1'],
    ['GET', `/minutebook/v1/search?query=${canary}`],
    ['GET', '/metrics'],
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/api/ps'],
    ['GET', '/api/version'],
    ['POST', '/api/show'],
    ['POST', '/api/generate'],
    ['POST', '/api/embed'],
    ['POST', '/v1/completions'],
    ['POST', '/v1/embeddings'],
    ['POST', '/v1/responses'],
    ['GET', `/v1/responses/${response.id}`],
    ['GET', `/v1/responses/${response.id}/input_items`],
    ['POST', '/v1/conversations'],
    ['GET', '/v1/conversations/x'],
    ['GET', '/v1/files'],
    ['GET', '/v1/batches'],
    ['GET', '/v1/chat/completions'],
    ['GET', '/api/chat'],
    ['DELETE', '/v1/models/strict'],
    ['OPTIONS', '/v1/models'],
    ['GET', '/v1/models?x=1'],
    ['POST', '/api/chat?x=1'],
  ] as const
  for (const [method, path] of [...api, ...others]) {
    const answer = await fetch(running.url + path, {
      method,
      headers: { ...bearer('guest'), 'content-type': 'application/json' },
      ...(method !== 'GET' && method !== 'HEAD' && { body: '{}' }),
    })
    const text = await answer.text()
    expect([`${method} ${path}`, answer.status, text.includes(canary)]).toEqual([`${method} ${path}`, 403, false])
  }
  const session = await fetch(`${running.url}/console/session`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ key: secretOf('guest') }),
  })
  expect([session.status, session.headers.get('set-cookie')]).toEqual([403, null])
  const { port } = new URL(running.url)
  expect(
    (
      await fetch(`${running.url}/minutebook/v1/threads`, {
        headers: {
          'sec-fetch-site': 'same-origin',
          cookie: `minutebook-${port}=${secretOf('guest')}`,
          'minutebook-session': secretOf('guest'),
        },
      })
    ).status,
  ).toBeGreaterThanOrEqual(401)
  expect(upstream.requests.length).toBe(asked)

  for (const path of ['/api/tags', '/v1/models', '/v1/models/strict'])
    await fetch(running.url + path, { headers: bearer('guest') })
  expect(upstream.requests.slice(asked).map(({ path }) => path)).toEqual([
    '/api/tags',
    '/v1/models',
    '/v1/models/strict',
  ])
  for (const path of Object.values(paths)) {
    const most = path === paths.anthropic ? { max_tokens: 100 } : {}
    const body = { model: 'strict', stream: false, messages: [user('Hello')], ...most }
    expect([path, (await post(running.url, path, body, bearer('guest'))).status]).toEqual([path, 200])
  }
})

/** Says back what it was sent, so that whatever gets into a prompt comes out. */
const echo = ({ messages }: { readonly messages: readonly Message[] }): string =>
  messages.at(-1)?.content === 'Thanks.' ? 'You are welcome.' : `heard ${JSON.stringify(messages)}`

test('a stranger does not get into what another with the same key said, by the name of a thread', async () => {
  const { upstream, running } = await gatewayBefore({ answer: echo }, { keys })
  const say = (headers: Readonly<Record<string, string>>, ...messages: readonly Message[]): ReturnType<typeof post> =>
    post(running.url, paths.openai, { model: 'strict', messages }, { ...bearer('guest'), ...headers })
  const first = await say({}, user(`I am ${canary}.`))
  const thread = String(first.headers['minutebook-thread'])
  const asked = upstream.requests.length
  for (const name of [thread, thread.split('/')[1] ?? '', 'support']) {
    const { status, text } = await say({ 'minutebook-thread': name }, user('What did I say?'))
    expect([status, text.includes(canary), JSON.parse(text)]).toEqual([
      403,
      false,
      {
        error: expect.objectContaining({
          code: 'not_allowed',
          message: expect.stringContaining('minutebook-thread') as string,
        }) as unknown,
      },
    ])
  }
  expect(upstream.requests.length).toBe(asked)
})

test.each([
  ['with notes, where every prompt is ours', { policy: { preset: 'default', notes: true } as const }, ''],
  [
    'with a message that fills the window',
    { models: { strict: { window: 2000, reserve: 200 } } },
    'word '.repeat(2500),
  ],
])('nor by the words that a chat of another ended with, %s', async (_, settings, filler) => {
  const { upstream, running } = await gatewayBefore({ answer: echo, window: 1_000_000 }, { keys, ...settings })
  const say = (key: string, ...messages: readonly Message[]): ReturnType<typeof post> =>
    post(running.url, paths.openai, { model: 'strict', messages }, bearer(key))
  const ending = [user('Thanks.'), assistant('You are welcome.')]
  const isShown = async (key: string): Promise<boolean> => {
    const opening = [user(`My number is ${canary}.`)]
    const { json } = await say(key, ...opening)
    const answer = (json as { readonly choices: readonly { readonly message: Message }[] }).choices[0]!.message
    await say(key, ...opening, answer, ending[0]!)
    await say(key, ...ending, user(`What is my number? ${filler}`))
    return upstream.requests.at(-1)!.text.includes(canary)
  }
  expect([await isShown('app'), await isShown('guest')]).toEqual([false, false])
})
