import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { native, nativeServer } from '../../../../tests/support/server/native.ts'
import { counting, countingAnswer, standing } from './support.ts'

const keys = (['viewer', 'app'] as const).map((scope) => ({
  name: scope,
  tenant: 'default',
  scope,
  sha256: createHash('sha256').update(scope).digest('hex'),
}))

test('a viewer sees neither variables that no participant sees, nor what participants are told in secret', async () => {
  const { running } = await nativeServer({ answer: countingAnswer }, { keys })
  const [app, viewer] = [native(running.url, 'app'), native(running.url, 'viewer')]
  // What cannot be changed so says what it would have become.
  const broken = counting
    .replace('secret: hidden-canary-value', 'bag: { type: map, initial: { word: hidden-canary-value } }, size: 1')
    .replace(/secret: "secret.*"/, 'size: bag.word')
  await app.ask('POST', '/runs', { definition: counting, run: 'whole' })
  await app.ask('POST', '/runs', { definition: broken, run: 'broken' })
  await standing(app, 'whole', 'success')
  expect((await standing(app, 'broken', 'error'))['reason']).toContain('hidden-canary-value')
  const thread = `~${Buffer.from('run/whole/ann').toString('base64url')}`
  const paths = [
    '/runs',
    '/runs/whole',
    '/runs/broken',
    '/runs/whole/events',
    '/runs/compare?left=whole&right=broken',
    '/runs/compare/outcomes?runs=whole,broken',
    '/runs/compare/series?runs=whole,broken&variables=total,secret,size',
    '/threads',
    `/threads/${thread}`,
    `/threads/${thread}/entries`,
    `/threads/${thread}/calls`,
    '/search?query=canary',
  ]
  for (const path of paths) {
    const { status, body } = await viewer.ask('GET', path)
    expect([path, status]).toEqual([path, 200])
    expect(JSON.stringify(body).match(/canary/g), path).toBeNull()
  }
  for (const path of ['/runs/whole/manifest', '/runs/whole/export', '/runs/whole/export?format=csv'])
    expect((await viewer.ask('GET', path)).status, path).toBe(403)
  expect((await viewer.ask('POST', '/runs/whole/retry')).status).toBe(403)
  // They are there to be found.
  const seen = JSON.stringify((await app.ask('GET', '/runs/whole')).body)
  expect([seen.includes('hidden-canary-value'), seen.includes('system-canary-text')]).toEqual([true, true])
  expect((await viewer.ask('GET', '/runs/whole')).body).toMatchObject({
    hidden: 1,
    environment: { total: 3 },
    initial: { total: 0 },
  })
  const outcomes = '/runs/compare/outcomes?runs=whole,broken'
  expect((await viewer.ask('GET', outcomes)).body).toMatchObject({
    runs: [{ differs: {}, final: { total: 3 } }, { differs: {} }],
    goals: [],
    variables: [{ name: 'total' }],
  })
  expect((await viewer.ask('GET', outcomes)).body).not.toHaveProperty('fields')
  expect(JSON.stringify((await app.ask('GET', outcomes)).body)).toContain('hidden-canary-value')
  // `size` is a number, and hidden.
  const series = '/runs/compare/series?runs=whole,broken&variables=total,size'
  const named = async (asker: typeof app): Promise<readonly string[]> =>
    ((await asker.ask('GET', series)).body['series'] as readonly { run: string; variable: string }[]).map(
      ({ run, variable }) => `${run} ${variable}`,
    )
  expect([await named(viewer), await named(app)]).toEqual([
    ['whole total', 'broken total'],
    ['whole total', 'broken total', 'broken size'],
  ])
})

test('a definition that came by the API brings no tools of its own', async () => {
  const { running, operator } = await nativeServer(
    { answer: countingAnswer },
    { tools: [{ name: 'weather', parameters: { type: 'object' }, url: 'http://127.0.0.1:9/weather' }] },
  )
  const withTool = (tool: string): string =>
    `name: talk\nparticipants: { ann: { model: strict, tools: [one] } }\ntools: { one: ${tool} }\n`
  for (const tool of [
    '{ module: "./tools.ts#one" }',
    '{ http: { url: "http://127.0.0.1:9" }, parameters: {} }',
    '{ mcp: { command: [sh] } }',
    '{ mcp: { url: "http://127.0.0.1:9" } }',
  ]) {
    const { status, body } = await operator.ask('POST', '/runs', { definition: withTool(tool) })
    expect(
      [status, (body['error'] as { code: string }).code, (body['error'] as { fix: string }).fix.length > 10],
      tool,
    ).toEqual([403, 'tool_not_allowed', true])
  }
  expect((await operator.ask('POST', '/runs', { definition: withTool('{ use: weather }'), run: 'talk' })).status).toBe(
    201,
  )
  expect(
    (
      await operator.ask('POST', '/runs', {
        definition: 'name: talk\nparticipants: { ann: { model: strict, tools: [weather] } }\n',
        run: 'talk-2',
      })
    ).status,
  ).toBe(201)
  const forked = await operator.ask('POST', '/runs/talk/fork', {
    round: 1,
    changes: { tools: { one: { use: null, module: './tools.ts#one' } } },
  })
  expect([forked.status, forked.body['error']]).toMatchObject([403, { code: 'tool_not_allowed' }])
  expect(running.services.config.tools.length).toBe(1)
})

test('what is wrong is told with code, reason and what to do', async () => {
  const { operator } = await nativeServer({ answer: countingAnswer, models: ['strict'] }, { upstreams: [] })
  const refusal = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await operator.ask(method, path, body)
    const { code, message, fix, problems } = answer.body['error'] as Record<string, unknown>
    expect([String(message).length > 10, String(fix).length > 10], JSON.stringify(answer.body)).toEqual([true, true])
    return [answer.status, code, ...(problems === undefined ? [] : [problems])]
  }
  const plain = 'name: talk\nparticipants: { ann: { model: strict } }\n'
  expect(
    await refusal('POST', '/runs', { definition: 'name: talk\nparticipants:\n  ann: { modl: strict }\n' }),
  ).toEqual([
    400,
    'invalid_experiment',
    expect.arrayContaining([
      {
        line: 3,
        column: 10,
        field: 'participants.ann.modl',
        problem: 'there is no such field',
        fix: 'did you mean "model"?',
      },
    ]) as unknown,
  ])
  expect(await refusal('POST', '/runs', { definition: { name: 'talk' } })).toMatchObject([
    400,
    'invalid_experiment',
    [{ field: 'participants' }],
  ])
  expect(await refusal('POST', '/runs', { definition: plain })).toEqual([400, 'unknown_model'])
  for (const path of [
    '/runs/none',
    '/runs/none/events',
    '/runs/none/manifest',
    '/runs/none/export',
    '/runs/compare?left=none&right=none',
  ])
    expect(await refusal('GET', path), path).toEqual([404, 'unknown_run'])
  expect(await refusal('POST', '/runs/none/pause')).toEqual([404, 'unknown_run'])
  expect(await refusal('POST', '/runs/none/fork', { round: 1 })).toEqual([404, 'unknown_run'])
  expect(await refusal('GET', '/runs?after=none')).toEqual([400, 'invalid_page'])
})

test('names of runs, of forks and rounds that cannot be', async () => {
  const { operator } = await nativeServer({ answer: countingAnswer })
  const code = async (path: string, body: unknown): Promise<unknown> =>
    ((await operator.ask('POST', path, body)).body['error'] as { code: string } | undefined)?.code
  expect(await code('/runs', { definition: counting, run: 'compare' })).toBe('invalid_run')
  expect(await code('/runs', { definition: counting, run: 'A b' })).toBe('invalid_run')
  expect(await code('/runs', { definition: counting, run: 'one' })).toBeUndefined()
  expect(await code('/runs', { definition: counting, run: 'one', seed: 3 })).toBe('run_exists')
  expect(await code('/runs', { definition: counting, answers: 'none' })).toBe('unknown_run')
  expect(
    await code('/runs', { definition: counting.replace('sees: [total], hears', 'policy: none, sees: [total], hears') }),
  ).toBe('unknown_policy')
  await standing(operator, 'one', 'success')
  expect(await code('/runs/one/fork', { round: 9 })).toBe('unknown_round')
  expect(await code('/runs/one/fork', { round: 2, changes: { seed: 3 } })).toBe('invalid_fork')
  expect(
    await code('/runs/one/fork', { round: 2, changes: { participants: { bob: null, ann: { sees: ['none'] } } } }),
  ).toBe('invalid_experiment')
  expect(await code('/runs/one/resume', undefined)).toBe('not_possible')
})
