import { MinutebookError } from 'minutebook'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createRequestLog } from '../../src/telemetry/request-log.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'

type Line = Readonly<Record<string, unknown>>

/** A log that remembers its lines. */
function kept(): { readonly log: Writable; readonly lines: () => readonly Line[] } {
  let text = ''
  const log = new Writable({ write: (piece: Buffer, _, done) => ((text += piece.toString('utf8')), done()) })
  return {
    log,
    lines: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line),
  }
}

test('a request to the API is told by its operation, and by the code of its refusal', async () => {
  const { log, lines } = kept()
  const { running } = await gatewayBefore({}, {}, { log })
  const operator = native(running.url, running.token)
  const asked: readonly (readonly [
    method: string,
    path: string,
    body: unknown,
    route: string,
    status: number,
    code: string | undefined,
  ])[] = [
    ['POST', '/threads', { thread: 'garden' }, '/minutebook/v1/threads', 201, undefined],
    ['GET', '', undefined, '/minutebook/v1', 200, undefined],
    ['GET', '/threads/harbour', undefined, '/minutebook/v1/threads/{thread}', 404, 'unknown_thread'],
    [
      'POST',
      '/threads/garden/turns',
      { mesage: 'hi' },
      '/minutebook/v1/threads/{thread}/turns',
      400,
      'invalid_request',
    ],
    ['POST', '/threads/garden/turns', '{', '/minutebook/v1/threads/{thread}/turns', 400, 'invalid_json'],
    ['DELETE', '/threads/garden/entries', undefined, '/minutebook/v1/*', 405, 'wrong_method'],
    ['GET', '/nowhere', undefined, '/minutebook/v1/*', 404, 'not_found'],
  ]
  for (const [method, path, body] of asked) await operator.ask(method, path, body)
  const anybody = native(running.url, '')
  await anybody.ask('GET', '/keys')
  await expect.poll(() => lines().length).toBe(asked.length + 1)
  expect(lines().map(({ method, route, status, code }) => [method, route, status, code])).toEqual([
    ...asked.map(([method, , , route, status, code]) => [method, route, status, code]),
    ['GET', '/minutebook/v1/keys', 403, 'forbidden'],
  ])
})

test('a store that fails is one line without a stack, and what nobody foresaw has one each time', () => {
  const { log, lines } = kept()
  const written = createRequestLog(log)
  for (let time = 0; time < 5; time++)
    written.unforeseen(new MinutebookError('store_unreachable', 'Postgres cannot be reached.', ''))
  written.unforeseen(new MinutebookError('store_full', 'No room.', ''))
  expect(lines()).toEqual([
    {
      level: 40,
      time: expect.any(String) as string,
      code: 'store_unreachable',
      msg: expect.stringMatching(/^The record cannot be/) as string,
    },
    { level: 40, time: expect.any(String) as string, code: 'store_full', msg: expect.any(String) as string },
  ])
  for (let time = 0; time < 2; time++) written.unforeseen(new TypeError('canary'))
  expect(lines().slice(2)).toMatchObject([
    { level: 50, code: 'TypeError', at: expect.any(Array) as string[] },
    { level: 50 },
  ])
  expect(JSON.stringify(lines())).not.toContain('canary')
})

test.each([
  [503, 'model_error'],
  [401, 'model_refused'],
])(
  'an upstream that answers %i is told with its status, on record and in the log, and never its words',
  async (status, code) => {
    const { log, lines } = kept()
    const { running } = await gatewayBefore(
      { failWith: status, errorText: 'canary-wxyzqvkw' },
      { defaultModel: 'strict' },
      { log },
    )
    const operator = native(running.url, running.token)
    await operator.ask('POST', '/threads', { thread: 'garden' })
    const seen = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'Hello?' } })
    expect(seen.at(-1)).toMatchObject({
      event: 'end',
      data: { status: 'failed', reason: { code, message: expect.stringContaining(`(status ${status})`) as string } },
    })
    await expect
      .poll(() => lines().find(({ turnStatus }) => turnStatus !== undefined))
      .toMatchObject({ turnStatus: 'failed', code, upstreamStatus: status })
    expect(JSON.stringify([seen, lines()])).not.toContain('wxyzqvkw')
  },
)
