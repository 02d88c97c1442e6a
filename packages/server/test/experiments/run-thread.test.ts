import { expect, test } from 'vitest'
import { modelRefusedError } from '../../src/turns/model-failure.ts'
import { nativeServer } from '../../../../tests/support/server/native.ts'
import { counting, countingAnswer, standing } from './support.ts'

const at = (thread: string): string => `/threads/~${Buffer.from(thread).toString('base64url')}`

test('nobody but the run writes into the thread of a participant; it can be read, forked and erased', async () => {
  const { operator, running } = await nativeServer({ answer: countingAnswer })
  await operator.ask('POST', '/runs', { definition: counting, run: 'i1' })
  await standing(operator, 'i1', 'success')
  const ann = at('run/i1/ann')
  const { store } = running.services.stores.of('default')
  const { length } = await store.standing('run/i1/ann')
  const lines = String((await operator.ask('GET', `${ann}/export`)).body['text'])
  const writes: readonly (readonly [string, string, unknown?, Record<string, string>?])[] = [
    ['POST', '/turns', { message: 'Obey me.' }],
    ['POST', '/retry'],
    ['POST', '/cancel'],
    ['PUT', '/setup', { system: 'Obey me.' }],
    ['PUT', '/pins/9f2c4e'],
    ['PUT', '/feedback/9f2c4e', { rating: 'up' }],
    ['POST', '/relay', { message: 'Obey me.' }],
    ['POST', '/import', lines, { 'content-type': 'application/x-ndjson' }],
  ]
  for (const [method, path, body, headers] of writes) {
    expect(await operator.ask(method, `${ann}${path}`, body, headers), path).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'run_thread',
          message: 'This thread belongs to the run "i1".',
          fix: 'Fork the thread to continue from there by hand.',
        },
      },
    })
  }
  const chat = await fetch(`${running.url}/api/chat`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${running.token}`,
      'content-type': 'application/json',
      'minutebook-thread': 'run/i1/ann',
    },
    body: JSON.stringify({ model: 'strict', stream: false, messages: [{ role: 'user', content: 'Obey me.' }] }),
  })
  expect([chat.status, await chat.text()]).toEqual([400, expect.stringContaining('participants of experiments')])
  expect((await store.standing('run/i1/ann')).length).toBe(length)

  expect(await operator.ask('POST', `${ann}/fork`, { as: 'by-hand' })).toMatchObject({ status: 201 })
  expect(await operator.ask('POST', `${at('by-hand')}/turns`, { message: 'And now?' })).toMatchObject({ status: 202 })
  expect(await operator.ask('POST', `${ann}/erase`, {})).toMatchObject({
    status: 200,
    body: {
      remains: expect.arrayContaining([
        expect.stringContaining('What was said here also remains in the log of the run "i1", which no command erases'),
      ]) as unknown,
    },
  })
  // As it says: the run still has what was said, and its log is no thread that could be erased.
  expect(JSON.stringify(await operator.ask('GET', '/runs/i1'))).toContain('I added one.')
  expect(await operator.ask('POST', `${at('minutebook:run/i1')}/erase`, {})).toMatchObject({ status: 404 })
})

test('a run that is over says what can be done instead, and an unknown policy is named with its participant', async () => {
  const { operator } = await nativeServer({ answer: countingAnswer })
  await operator.ask('POST', '/runs', { definition: counting, run: 'i1' })
  await standing(operator, 'i1', 'success')
  for (const command of ['resume', 'retry']) {
    expect(await operator.ask('POST', `/runs/i1/${command}`)).toMatchObject({
      status: 409,
      body: {
        error: { code: 'not_possible', fix: expect.stringContaining('minutebook runs fork i1 --round K') as string },
      },
    })
  }
  const definition = counting.replace('bob: { model', 'bob: { policy: nope, model')
  expect(await operator.ask('POST', '/runs', { definition })).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown_policy', message: 'participants.bob.policy: there is no policy "nope".' } },
  })
  expect((await operator.ask('POST', '/experiments/check', { definition })).body['problems']).toMatchObject([
    { field: 'participants.bob.policy', problem: 'there is no policy "nope"' },
  ])
  await operator.ask('PUT', '/policies/nope', { preset: 'tiered' })
  expect((await operator.ask('POST', '/experiments/check', { definition })).body['problems']).toEqual([])
})

test('a model that is not there is named, and the upstream is not quoted', () => {
  const { message } = modelRefusedError(404, '{"error":"model \'nope\' not found, key sk-canary"}', 'nope')
  expect(message).toContain('The upstream does not have model "nope"')
  expect(message).not.toContain('canary')
})

test.each(['by name', 'inline'])(
  'the policy of a participant, %s, may have digesters for tool results',
  async (how) => {
    const { operator, upstream } = await nativeServer({ answer: countingAnswer, window: 420 })
    const digesters = [{ id: 'add@1', tool: 'add', template: 'one more, asked for {$call.input.count}' }]
    const brief = { preset: 'tiered', verbatim: 0, digesters }
    if (how === 'by name') await operator.ask('PUT', '/policies/brief', brief)
    const policy = how === 'by name' ? 'brief' : JSON.stringify(brief)
    const definition = counting
      .replace('ann: { model', () => `ann: { policy: ${policy}, model`)
      .replace('system-canary-text', `system-canary-text ${'and more '.repeat(50)}`)
      .replace('total >= 3', 'total >= 6')
      .replace('rounds: 5', 'rounds: 7')
    await operator.ask('POST', '/runs', { definition, run: 'i2' })
    await standing(operator, 'i2', 'success')
    expect(JSON.stringify(upstream.requests)).toContain('one more, asked for 1')
  },
)
