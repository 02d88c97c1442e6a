import { strictUpstream } from '@minutebook/testing/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { boardAfter, type RunChange } from '../../src/experiments/board.ts'
import { offlineRuns, openStores, type Config, type RunBoard } from '../../src/index.ts'
import { gateway, temporaryFolder, testConfig } from '../../../../tests/support/server/gateway.ts'
import { native, nativeServer, type Native, type Seen } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'
import { counting, countingAnswer, idle, standing } from '../experiments/support.ts'

const database = testDatabase()

describe.each<readonly [string, () => Partial<Config>]>([
  ['a file', () => ({})],
  ['a database', () => ({ database: database.url })],
])('in %s', (_, settings) => {
  test('a run is begun, watched to its end, compared, exported and played again from its answers', async () => {
    const { operator, upstream } = await nativeServer({ answer: countingAnswer }, settings())
    const begun = await operator.ask('POST', '/runs', { definition: counting, run: 'first' })
    expect(begun).toMatchObject({ status: 201, body: { run: 'first', name: 'counting', limit: 5 } })
    const news = await operator.stream('GET', '/runs/first/events')
    expect([news[0]?.event, new Set(news.slice(1).map(({ event }) => event))]).toEqual(['board', new Set(['change'])])
    expect(news.at(-1)?.data).toMatchObject({
      status: 'success',
      reason: 'three was reached after round 3.',
      environment: { total: 3, secret: 'hidden-canary-value!!!' },
    })
    const { body } = await operator.ask('GET', '/runs/first')
    expect(body).toMatchObject({
      status: 'success',
      limit: 5,
      hidden: 0,
      definition: { name: 'counting' },
      spending: { calls: 9 },
      rounds: [{ round: 1, order: ['ann', 'bob'] }, { round: 2 }, { round: 3, environment: { total: 3 } }],
    })

    const asked = upstream.requests.length
    await operator.ask('POST', '/runs', { definition: counting, run: 'again', answers: 'first' })
    await standing(operator, 'again', 'success')
    expect(upstream.requests.slice(asked).filter(({ path }) => path === '/api/chat')).toEqual([])
    const compared = (await operator.ask('GET', '/runs/compare?left=first&right=again')).body
    expect([compared['parts'], (compared['rounds'] as { isSame: boolean }[]).map(({ isSame }) => isSame)]).toEqual([
      undefined,
      [true, true, true],
    ])

    await operator.ask('POST', '/runs', {
      definition: counting.replace('Adds one.', 'Adds two.').replace('rounds: 5', 'rounds: 5, errors: 1'),
      run: 'drifted',
      answers: 'first',
    })
    expect(await standing(operator, 'drifted', 'error')).toMatchObject({
      reason: expect.stringContaining('No answer to this prompt is recorded') as string,
    })

    const lines = String((await operator.ask('GET', '/runs/first/export')).body['text'])
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines[0]).toMatchObject({ run: 'first', type: 'begun' })
    expect(
      lines
        .filter(({ type }) => type === 'played')
        .every(({ calls }) => (calls as { hash: string }[]).every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))),
    ).toBe(true)
    const table = String((await operator.ask('GET', '/runs/first/export?format=csv')).body['text'])
      .trim()
      .split('\n')
    expect(table.slice(0, 3)).toEqual([
      'run,seed,round,name,participant,model,turn,status,calls,prompt_tokens,completion_tokens,tokens,cost,tools,env.total,env.secret,text',
      expect.stringMatching(
        /^first,1,1,,ann,strict,0,complete,2,\d+,\d+,\d+,,add,1,hidden-canary-value!,I added one\.$/,
      ) as string,
      expect.stringMatching(
        /^first,1,1,,bob,strict,0,complete,1,\d+,\d+,\d+,,,1,hidden-canary-value!,"Go on, ann\."$/,
      ) as string,
    ])
    expect((await operator.ask('GET', '/runs')).body['runs']).toMatchObject([
      { run: 'drifted' },
      { run: 'again', status: 'success', answers: 'first' },
      { run: 'first', round: 3 },
    ])
  })

  test('a run is paused, resumed, stopped, retried and forked with a change', async () => {
    const { operator } = await nativeServer({ answer: countingAnswer, delay: 20 }, settings())
    await operator.ask('POST', '/runs', { definition: counting, run: 'steered' })
    expect(await operator.ask('POST', '/runs/steered/pause')).toMatchObject({ status: 200, body: { status: 'paused' } })
    expect(await operator.ask('POST', '/runs/steered/pause')).toMatchObject({
      status: 409,
      body: { error: { code: 'not_possible', fix: expect.any(String) as string } },
    })
    await idle(operator, 'steered')
    expect(await operator.ask('POST', '/runs/steered/resume')).toMatchObject({
      status: 200,
      body: { status: 'running' },
    })
    await operator.ask('POST', '/runs/steered/pause')
    await idle(operator, 'steered')
    expect(await operator.ask('POST', '/runs/steered/stop')).toMatchObject({ status: 200 })
    await standing(operator, 'steered', 'stopped')
    await operator.ask('POST', '/runs/steered/retry')
    await standing(operator, 'steered', 'success')
    const forked = await operator.ask('POST', '/runs/steered/fork', {
      as: 'other',
      round: 3,
      changes: { goals: { success: { three: null, four: 'total >= 4' } } },
    })
    expect(forked).toMatchObject({ status: 201, body: { run: 'other', forked: { run: 'steered', round: 3 } } })
    expect(await standing(operator, 'other', 'success')).toMatchObject({
      reason: 'four was reached after round 4.',
      rounds: [{}, {}, {}, { environment: { total: 4 } }],
    })
    expect((await operator.ask('GET', '/runs/compare?left=steered&right=other')).body['parts']).toBe(4)
  })
})

test('a run that was begun on one instance is watched on another', async () => {
  const { running, operator, upstream } = await nativeServer(
    { answer: countingAnswer, delay: 5 },
    { database: database.url },
  )
  const second = await gateway({ defaultModel: 'strict', upstreams: [{ url: upstream.url }], database: database.url })
  const [here, there] = [operator, native(second.url, second.token)]
  await here.ask('POST', '/runs', { definition: counting, run: 'shared' })
  const [seenHere, seenThere] = await Promise.all([
    here.stream('GET', '/runs/shared/events'),
    there.stream('GET', '/runs/shared/events'),
  ])
  // One of them may look later, and be told more at once: what both know in the end is the same.
  const known = (seen: readonly Seen[]): unknown =>
    seen
      .map(({ event, data }) => ({ event, data }) as unknown as RunChange<RunBoard>)
      .reduce<RunBoard | undefined>(boardAfter, undefined)
  expect(known(seenThere)).toEqual(known(seenHere))
  expect(known(seenThere)).toMatchObject({ status: 'success', rounds: [{}, {}, {}] })
  expect(running.url).not.toBe(second.url)
})

test('options and seed really go upstream, and are on record with the digest of the model', async () => {
  const { operator, upstream } = await nativeServer({ answer: countingAnswer })
  await operator.ask('POST', '/runs', { definition: counting, run: 'sampled' })
  await standing(operator, 'sampled', 'success')
  const sent = upstream.requests
    .filter(({ path, tools }) => path === '/api/chat' && tools.length > 0)
    .map(({ json }) => (json as { options: unknown }).options)
  expect(sent).toEqual(sent.map(() => ({ temperature: 0, seed: 7, num_ctx: 4096 })))
  // Bob states no seed: each of his turns has one that comes from the seed of the run.
  const bobs = upstream.requests
    .filter(({ path, tools }) => path === '/api/chat' && tools.length === 0)
    .map(({ json }) => (json as { options: { seed?: number } }).options.seed)
  expect(new Set(bobs).size).toBe(3)
  const { participants } = (await operator.ask('GET', '/runs/sampled/manifest')).body as { participants: unknown[] }
  expect(participants).toMatchObject([
    {
      name: 'ann',
      settings: [
        {
          calls: 6,
          model: 'strict',
          facts: { digest: 'strict' },
          options: { temperature: 0, seed: 7 },
          seeds: [7],
          tools: ['add'],
        },
      ],
    },
    { name: 'bob', settings: [{ calls: 3, facts: { digest: 'strict' }, seeds: bobs }] },
  ])
})

test('a participant with `seed: none` is asked without a seed, and one without it as the run is seeded', async () => {
  const { operator, upstream } = await nativeServer({ answer: countingAnswer })
  const definition = counting.replace('seed: 7', 'seed: none')
  for (const [run, seed] of [
    ['one', 3],
    ['two', 3],
    ['other', 4],
  ] as const) {
    await operator.ask('POST', '/runs', { definition, run, seed })
    await standing(operator, run, 'success')
  }
  const seeds = async (run: string): Promise<readonly (readonly number[])[]> => {
    const { body } = await operator.ask('GET', `/runs/${run}/manifest`)
    const { participants } = body as { participants: readonly { settings: readonly { seeds: number[] }[] }[] }
    return participants.map(({ settings }) => settings[0]!.seeds)
  }
  const [anns, bobs] = await seeds('one')
  expect([anns, bobs?.length]).toEqual([[], 3])
  expect(await seeds('two')).toEqual([anns, bobs])
  expect((await seeds('other'))[1]?.filter((seed) => bobs?.includes(seed))).toEqual([])
  const asked = upstream.requests.filter(({ path, tools }) => path === '/api/chat' && tools.length > 0)
  expect(asked.every(({ json }) => !('seed' in (json as { options: object }).options))).toBe(true)
})

test('for an OpenAI server options stand beside the messages, and cannot take their place', async () => {
  const { operator, upstream } = await nativeServer({ answer: countingAnswer }, {}, 'openai')
  await operator.ask('POST', '/runs', {
    definition: counting.replace('temperature: 0', 'temperature: 0, options: { max_tokens: 50, stream: false }'),
    run: 'sampled',
  })
  await standing(operator, 'sampled', 'success')
  const sent = upstream.requests.find(({ path, tools }) => path === '/v1/chat/completions' && tools.length > 0)?.json
  expect(sent).toMatchObject({ model: 'strict', temperature: 0, max_tokens: 50, seed: 7, stream: true })
})

test('a run goes on when the server is started again', async () => {
  const upstream = await strictUpstream({ answer: countingAnswer, delay: 20 })
  onTestFinished(() => upstream.close())
  const settings = { data: temporaryFolder(), defaultModel: 'strict', upstreams: [{ url: upstream.url }] }
  const before = await gateway(settings)
  const first = native(before.url, before.token)
  await first.ask('POST', '/runs', { definition: counting, run: 'long' })
  await first.stream('GET', '/runs/long/events', {
    until: ({ data }) => (data['rounds'] as { cells: unknown[] }[]).some(({ cells }) => cells.length > 0),
  })
  await before.close({ patience: 0 })
  const after = await gateway(settings)
  expect(await standing(native(after.url, after.token), 'long', 'success', 'error')).toMatchObject({
    status: 'success',
    environment: { total: 3 },
  })
})

test('a run that was left between two turns goes on as well', async () => {
  const upstream = await strictUpstream({ answer: countingAnswer, delay: 20 })
  onTestFinished(() => upstream.close())
  const settings = { data: temporaryFolder(), defaultModel: 'strict', upstreams: [{ url: upstream.url }] }
  const before = await gateway(settings)
  const first = native(before.url, before.token)
  await first.ask('POST', '/runs', { definition: counting, run: 'left' })
  await first.ask('POST', '/runs/left/pause')
  await idle(first, 'left')
  await before.close({ patience: 0 })
  // Nobody's turn is under way, and nobody is there to be woken.
  const stores = await openStores(testConfig(settings), { turns: false })
  expect(await offlineRuns(stores.of('default').store).steer('left', 'resume')).toMatchObject({ status: 'running' })
  await stores.close()
  const after = await gateway(settings)
  expect(await standing(native(after.url, after.token), 'left', 'success', 'error')).toMatchObject({
    status: 'success',
    environment: { total: 3 },
  })
})

test('where a registered tool or a model is gone, the run says so, and goes on when it is back', async () => {
  const upstream = await strictUpstream({
    answer: ({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'Sunny, it seems.' : { calls: [{ name: 'look', arguments: {} }] },
  })
  const weather = await plainUpstream((_, response) => void response.end('sunny'))
  onTestFinished(() => upstream.close())
  const tools = [{ name: 'weather', parameters: { type: 'object' }, url: weather.url, mayRepeat: true }]
  const settings = { data: temporaryFolder(), upstreams: [{ url: upstream.url, models: ['strict'] }] }
  const definition =
    'name: sky\nenvironment: { sky: none }\nparticipants: { ann: { model: strict, tools: [look] } }\ntools: { look: { use: weather, changes: { sky: result } } }\nlimits: { rounds: 1, errors: 1 }\n'
  const at = async (extra: Partial<Config>, work: (who: Native) => Promise<void>): Promise<void> => {
    const running = await gateway({ ...settings, ...extra })
    await work(native(running.url, running.token))
    await running.close({ patience: 0 })
  }
  await at({ tools }, async (who) => {
    // Nothing is answered before the run is stopped: a call that was stopped would have a result.
    upstream.next({ stallAfter: 0 })
    expect(await who.ask('POST', '/runs', { definition, run: 'sky' })).toMatchObject({ status: 201 })
    await expect.poll(() => upstream.requests.filter(({ path }) => path === '/api/chat').length).toBe(1)
    await who.ask('POST', '/runs/sky/stop')
    await standing(who, 'sky', 'stopped')
  })
  await at({}, async (who) => {
    await who.ask('POST', '/runs/sky/retry')
    expect(await standing(who, 'sky', 'error')).toMatchObject({
      reason: expect.stringContaining('The tool "weather" is not available') as string,
    })
  })
  await at({ tools, upstreams: [{ url: upstream.url, models: ['other'] }] }, async (who) => {
    await who.ask('POST', '/runs/sky/retry')
    expect(await standing(who, 'sky', 'error')).toMatchObject({
      reason: expect.stringContaining('No server has this model') as string,
    })
  })
  await at({ tools }, async (who) => {
    await who.ask('POST', '/runs/sky/retry')
    expect(await standing(who, 'sky', 'limit')).toMatchObject({ environment: { sky: 'sunny' } })
  })
})
