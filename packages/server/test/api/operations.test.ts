import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Validator } from '@seriousme/openapi-schema-validator'
import { apiDocument } from '../../src/api/document.ts'
import { operations } from '../../src/api/routes/routes.ts'
import { errorCodes } from '../../src/api/error-codes.ts'
import { segmentOf } from '../../src/api/printable.ts'
import { waitingThread } from '../../../../tests/support/waiting-thread.ts'
import { nativeServer } from '../../../../tests/support/server/native.ts'

type Case = readonly [id: string, method: string, path: string, status: number, body?: unknown]

const cases: readonly Case[] = [
  ['about', 'GET', '', 200],
  ['listModels', 'GET', '/models', 200],
  ['listTools', 'GET', '/tools', 200],
  ['loadExample', 'POST', '/example', 200],
  ['createThread', 'POST', '/threads', 201],
  [
    'createThread',
    'POST',
    '/threads',
    201,
    {
      thread: 'a/bx',
      setup: { model: 'strict', system: 'You help.', window: 4096 },
      metadata: { owner: 'ann' },
    },
  ],
  ['listThreads', 'GET', '/threads?limit=1', 200],
  ['listThreads', 'GET', '/threads?hide=runs,one-offs,forks', 200],
  ['countThreads', 'GET', '/thread-counts?hide=runs', 200],
  ['getThread', 'GET', '/threads/garden', 200],
  ['getThread', 'GET', `/threads/${segmentOf('a/bx')}`, 200],
  ['putSetup', 'PUT', '/threads/garden/setup', 200, { system: 'You help with a garden.' }],
  ['changeMetadata', 'PATCH', '/threads/garden/metadata', 200, { title: 'Garden', draft: null }],
  ['listThreads', 'GET', '/threads?metadata=title:Garden', 200],
  ['listEntries', 'GET', '/threads/garden/entries', 200],
  ['listEntries', 'GET', '/threads/garden/entries?hidden=1', 200],
  ['getTurn', 'GET', '/threads/garden/turns/TURN', 200],
  [
    'sendTurn',
    'POST',
    '/threads/garden/turns',
    202,
    { message: [{ type: 'text', text: 'And in the sun?' }], id: 'two' },
  ],
  ['cancelTurn', 'POST', '/threads/garden/cancel', 200],
  ['listWaiting', 'GET', '/waiting?limit=10', 200],
  ['listOpenCalls', 'GET', '/threads/shop/waiting', 200],
  ['decideCall', 'POST', '/threads/shop/decisions', 202, { call: 'OPEN', decision: { do: 'refuse' }, by: 'ann' }],
  ['retryTurn', 'POST', '/threads/garden/retry', 202],
  ['relayTurn', 'POST', '/threads/garden/relay', 200, { message: 'And at the gate?' }],
  [
    'sendPrompt',
    'POST',
    '/threads/garden/calls/RECEIPT/prompts',
    200,
    { messages: [{ role: 'user', content: 'And by the pond?' }], window: 2048 },
  ],
  ['putSetup', 'PUT', '/threads/garden/setup', 200, { system: 'You help with a garden.', window: 100_000 }],
  ['listReceipts', 'GET', '/threads/garden/receipts', 200],
  ['dumpCall', 'GET', '/threads/garden/dump?turn=1', 200],
  ['explainCall', 'GET', '/threads/garden/explain?turn=1', 200],
  ['listCalls', 'GET', '/threads/garden/calls', 200],
  ['listAllCalls', 'GET', '/calls?limit=10&outcome=stop,calls&model=strict&since=2020-01-01T00:00:00Z', 200],
  ['countCalls', 'GET', '/calls/counts?flag=cut,slow', 200],
  ['inspectCall', 'GET', '/threads/garden/calls/RECEIPT', 200],
  ['getLane', 'GET', '/threads/garden/entries/TURN/lane', 200],
  ['listCounts', 'GET', '/threads/garden/counts', 200],
  ['verifyThread', 'GET', '/threads/garden/verify', 200],
  ['listCacheUsage', 'GET', '/threads/garden/cache', 200],
  ['replayThread', 'POST', '/threads/garden/replay', 200, { window: 2048, policy: 'tiered' }],
  ['getState', 'GET', '/threads/garden/state/basket', 200],
  ['getOverview', 'GET', '/overview?limit=3', 200],
  ['search', 'GET', '/search?query=shade&thread=garden', 200],
  ['pinEntry', 'PUT', '/threads/garden/pins/TURN', 200],
  ['listEntries', 'GET', '/threads/garden/entries', 200],
  ['unpinEntry', 'DELETE', '/threads/garden/pins/TURN', 200],
  ['rateEntry', 'PUT', '/threads/garden/feedback/TURN', 200, { rating: 'down', comment: 'Why?', tags: ['facts'] }],
  ['listEntries', 'GET', '/threads/garden/entries', 200],
  ['listFeedback', 'GET', '/feedback?rating=down&tag=facts&thread=garden', 200],
  ['listThreads', 'GET', '/threads?rating=down&tag=facts', 200],
  ['search', 'GET', '/search?query=why', 200],
  ['unrateEntry', 'DELETE', '/threads/garden/feedback/TURN', 200],
  ['forkThread', 'POST', '/threads/garden/fork', 201, { as: 'copy' }],
  ['forkThread', 'POST', '/threads/garden/fork', 201],
  ['eraseThread', 'POST', '/threads/copy/erase', 200, {}],
  ['removeThread', 'DELETE', '/threads/copy', 200],
  ['checkExperiment', 'POST', '/experiments/check', 200, { definition: 'nam: talk' }],
  [
    'beginRun',
    'POST',
    '/runs',
    201,
    {
      definition:
        'name: talk\nenvironment: { cash: 3 }\nparticipants: { ann: { model: { name: strict, temperature: 0, seed: 7 } } }\nprices: { strict: { input: 1, output: 2 } }\n',
      run: 'talk-1',
    },
  ],
  ['pauseRun', 'POST', '/runs/talk-1/pause', 200],
  ['resumeRun', 'POST', '/runs/talk-1/resume', 200],
  ['stopRun', 'POST', '/runs/talk-1/stop', 200],
  ['retryRun', 'POST', '/runs/talk-1/retry', 200],
  ['forkRun', 'POST', '/runs/talk-1/fork', 201, { as: 'talk-2', round: 1, changes: { limits: { rounds: 1 } } }],
  ['listRuns', 'GET', '/runs?limit=10', 200],
  ['getRun', 'GET', '/runs/talk-1', 200],
  ['getManifest', 'GET', '/runs/talk-1/manifest', 200],
  ['compareRuns', 'GET', '/runs/compare?left=talk-1&right=talk-2', 200],
  ['compareOutcomes', 'GET', '/runs/compare/outcomes?runs=talk-1,talk-2', 200],
  ['compareSeries', 'GET', '/runs/compare/series?runs=talk-1,talk-2&variables=total', 200],
  ['putPolicy', 'PUT', '/policies/short', 200, { preset: 'tiered', verbatim: 1 }],
  ['listPolicies', 'GET', '/policies', 200],
  ['deletePolicy', 'DELETE', '/policies/short', 200],
  ['createKey', 'POST', '/keys', 201, { name: 'website', scope: 'app' }],
  ['listKeys', 'GET', '/keys', 200],
  ['revokeKey', 'DELETE', '/keys/website', 200],
]
const others = ['getImage', 'streamThread', 'exportThread', 'exportFeedback', 'importThread', 'watchRun', 'exportRun']

test('every operation does what the document says', async () => {
  const { operator, running } = await nativeServer(
    { answer: 'Ferns.' },
    { states: [{ name: 'basket', tools: ['add'] }] },
  )
  const open = await waitingThread(running.services.stores.of('default').store, 'shop')
  await operator.ask('POST', '/threads', { thread: 'garden' })
  const seen = await operator.stream('POST', '/threads/garden/turns', {
    body: { message: 'What grows in the shade?', id: 'one' },
  })
  const turn = String(seen.at(-1)?.data['turn'])
  const [call] = (await operator.ask('GET', '/threads/garden/calls')).body['calls'] as { receipt: { id: string } }[]
  for (const [id, method, path, status, body] of cases) {
    const sent = JSON.parse(JSON.stringify(body ?? null).replace('OPEN', open)) as unknown
    const answer = await operator.ask(
      method,
      path.replace('TURN', turn).replace('RECEIPT', call!.receipt.id),
      sent ?? undefined,
    )
    expect({ id, status: answer.status, body: answer.body }).toEqual({ id, status, body: expect.anything() as unknown })
    const { schema } = operations.find((operation) => operation.id === id)!
    // What the schema does not know, it leaves out: so all that is sent is documented.
    expect(schema!.parse(answer.body)).toEqual(answer.body)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    if (id === 'stopRun') await operator.stream('GET', '/runs/talk-1/events')
    if (status === 202) await operator.stream('GET', `/threads/${path.split('/')[2]}/stream?until=rest`)
  }
})

test('an export is restored by an import, byte for byte', async () => {
  const { operator } = await nativeServer({ answer: 'Ferns.' })
  await operator.ask('POST', '/threads', { thread: 'garden' })
  await operator.stream('POST', '/threads/garden/turns', { body: { message: 'What grows in the shade?' } })
  const lines = (await operator.ask('GET', '/threads/garden/export')).body['text'] as string
  expect(lines.trim().split('\n').length).toBeGreaterThan(3)
  const restored = await operator.ask('POST', '/threads/restored/import', lines, ndjson)
  expect(restored).toMatchObject({ status: 201, body: { thread: 'restored' } })
  expect((await operator.ask('GET', '/threads/restored/export')).body['text']).toBe(lines)
  const broken = await operator.ask('POST', '/threads/broken/import', lines.replace('shade', 'shame'), ndjson)
  expect(broken).toMatchObject({ status: 400, body: { error: { code: 'corrupt_line' } } })
  expect((await operator.ask('GET', '/threads/broken')).status).toBe(404)
})

const ndjson = { 'content-type': 'application/x-ndjson' }

test('no operation is left out', () => {
  expect(new Set([...cases.map(([id]) => id), ...others])).toEqual(new Set(operations.map(({ id }) => id)))
})

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(apiDocument()) as never)
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  test('says of every operation its scope, its errors with code, reason and fix, and that examples fit', () => {
    const found = Object.values(apiDocument().paths).flatMap((path) => Object.values(path)) as Described[]
    expect(found.length).toBe(operations.length)
    for (const operation of found) {
      expect(['viewer', 'app', 'admin']).toContain(operation['x-minutebook-scope'])
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/)
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue
        for (const [code, { value }] of Object.entries(response.content['application/json']?.examples ?? {})) {
          expect(errorCodes[code as keyof typeof errorCodes].status).toBe(Number(status))
          expect(value.error).toEqual({
            code,
            message: expect.any(String) as string,
            fix: expect.any(String) as string,
          })
        }
      }
    }
    for (const { id, schema, example } of operations)
      if (schema) expect([id, schema.safeParse(example).error]).toEqual([id, undefined])
    const schemas = (
      apiDocument().components as { readonly schemas: Readonly<Record<string, { readonly example?: unknown }>> }
    ).schemas
    for (const { operationId, requestBody } of found) {
      const name = requestBody?.content['application/json']?.schema.$ref.split('/').at(-1)
      if (name === undefined) continue
      const { body } = operations.find(({ id }) => id === operationId)!
      expect([operationId, body!.safeParse(schemas[name]?.example).error]).toEqual([operationId, undefined])
    }
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  })
})

test('docs/api.md lists every operation with its scope, and no other', () => {
  const text = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8')
  const listed = [...text.matchAll(/^\| `([A-Z]+ \/\S*)` \| (\w+) \| (.+) \|$/gm)].map(
    ([, operation, scope, summary]) => `${operation} ${scope} ${summary}`,
  )
  expect(listed).toEqual(
    operations.map(({ method, path, scope, summary }) => `${method.toUpperCase()} ${path} ${scope} ${summary}`),
  )
})

/** What the document says of an operation, as far as it is looked at here. */
interface Described {
  readonly operationId: string
  readonly 'x-minutebook-scope': string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>> }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content: Readonly<
          Record<
            string,
            { readonly examples?: Readonly<Record<string, { readonly value: { readonly error: object } }>> }
          >
        >
      }
    >
  >
}
