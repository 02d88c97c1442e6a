// Finding 8: runs of experiments go past every limit of the key that begins them, and take all slots from other
// tenants.
import { createHash } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { gateway, gatewayBefore, temporaryFolder } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'

const key = (name: string, tenant: string): { name: string; sha256: string; tenant: string; scope: 'app' } => ({
  name,
  tenant,
  scope: 'app',
  sha256: createHash('sha256').update(`key-${name}`).digest('hex'),
})
const keys = [key('greedy', 'alpha'), key('other', 'alpha'), key('beta', 'beta')]
const crowd = (rounds: number): unknown => ({
  name: 'crowd',
  participants: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, { model: 'strict' }])),
  rounds: [{ play: 'parallel' }],
  limits: { rounds },
})

describe('runs of one key', () => {
  test('count among the turns that it may have at once, and play no more than these at once', async () => {
    const { upstream, running } = await gatewayBefore(
      { delay: 5 },
      { keys, rateLimit: { requests: 10_000, turns: 2 }, slots: 8 },
    )
    const [greedy, other] = [native(running.url, 'key-greedy'), native(running.url, 'key-other')]
    const begun = await Promise.all(
      Array.from({ length: 10 }, (_, index) => greedy.ask('POST', '/runs', { definition: crowd(3), run: `r${index}` })),
    )
    const refused = begun.filter(({ status }) => status !== 201)
    expect(begun.length - refused.length).toBe(1)
    for (const { status, body, headers } of refused)
      expect([status, body['error'], headers.get('retry-after')]).toEqual([
        429,
        { code: 'rate_limited', message: expect.any(String), fix: expect.any(String) },
        '1',
      ])
    // Neither its chats nor its turns go beside the run; another key's do.
    const say = (who: string): Promise<Response> =>
      fetch(`${running.url}/api/chat`, {
        method: 'POST',
        headers: { authorization: `Bearer key-${who}` },
        body: JSON.stringify({ model: 'strict', stream: false, messages: [{ role: 'user', content: 'Hello.' }] }),
      })
    expect([(await say('greedy')).status, (await say('other')).status]).toEqual([429, 200])
    let most = 0
    const [{ run } = { run: '' }] = begun
      .filter(({ status }) => status === 201)
      .map(({ body }) => body as { run: string })
    for (let status = 'running'; status === 'running'; await after(5)) {
      const { body } = await other.ask('GET', `/runs/${run}`)
      status = String(body['status'])
      most = Math.max(most, Number(/minutebook_turns_running (\d+)/.exec(running.services.metrics.text())?.[1]))
    }
    expect(upstream.requests.filter(({ path }) => path === '/api/chat').length).toBe(151)
    // Two participants, and the run itself.
    expect(most).toBeLessThanOrEqual(3)
    await expect.poll(async () => (await say('greedy')).status).toBe(200)
  })

  test('make room when they are paused or stopped, and need it to go on', async () => {
    const { running } = await gatewayBefore({ delay: 20 }, { keys, rateLimit: { requests: 10_000, turns: 1 } })
    const greedy = native(running.url, 'key-greedy')
    const begin = async (run: string): Promise<number> =>
      (await greedy.ask('POST', '/runs', { definition: crowd(100), run })).status
    expect([await begin('a'), await begin('b')]).toEqual([201, 429])
    expect((await greedy.ask('POST', '/runs/a/pause')).status).toBe(200)
    await expect.poll(() => begin('c')).toBe(201)
    expect((await greedy.ask('POST', '/runs/a/resume')).status).toBe(429)
    expect((await greedy.ask('POST', '/runs/c/stop')).status).toBe(200)
    await expect.poll(async () => (await greedy.ask('POST', '/runs/a/resume')).status).toBe(200)
    expect((await greedy.ask('POST', '/runs/a/stop')).status).toBe(200)
  })

  test('count for it after a restart too, and for whoever had them go on last', async () => {
    const data = temporaryFolder()
    const settings = { keys, data, rateLimit: { requests: 10_000, turns: 2 }, slots: 8 }
    const { upstream, running } = await gatewayBefore({ delay: 20 }, settings)
    const begin = async (url: string, who: string, run: string): Promise<number> =>
      (await native(url, `key-${who}`).ask('POST', '/runs', { definition: crowd(100), run })).status
    const say = async (url: string, who: string): Promise<number> =>
      (
        await fetch(`${url}/api/chat`, {
          method: 'POST',
          headers: { authorization: `Bearer key-${who}` },
          body: JSON.stringify({ model: 'strict', stream: false, messages: [{ role: 'user', content: 'Hello.' }] }),
        })
      ).status
    expect(await begin(running.url, 'greedy', 'a')).toBe(201)
    await expect.poll(() => upstream.requests.length).toBeGreaterThan(2)
    await running.close({ patience: 0 })

    const again = await gateway({ ...settings, upstreams: [{ url: upstream.url }] })
    const steer = async (who: string, command: string): Promise<number> =>
      (await native(again.url, `key-${who}`).ask('POST', `/runs/a/${command}`)).status
    await expect.poll(() => say(again.url, 'greedy')).toBe(429)
    expect(await begin(again.url, 'other', 'c')).toBe(201)
    // Two runs of two keys: each key has as many turns as it may.
    expect([await begin(again.url, 'greedy', 'd'), await begin(again.url, 'other', 'e')]).toEqual([429, 429])
    expect((await native(again.url, 'key-other').ask('POST', '/runs/c/stop')).status).toBe(200)
    expect(await steer('greedy', 'pause')).toBe(200)
    await expect.poll(() => steer('other', 'resume')).toBe(200)
    await again.close({ patience: 0 })

    const last = await gateway({ ...settings, upstreams: [{ url: upstream.url }] })
    await expect.poll(() => say(last.url, 'other')).toBe(429)
    expect(await begin(last.url, 'greedy', 'g')).toBe(201)
    for (const run of ['a', 'g'])
      expect((await native(last.url, 'key-greedy').ask('POST', `/runs/${run}/stop`)).status).toBe(200)
    await expect.poll(() => begin(last.url, 'other', 'h')).toBe(201)
    expect((await native(last.url, 'key-other').ask('POST', '/runs/h/stop')).status).toBe(200)
  })

  test('have no more rounds and tokens than the settings allow', async () => {
    const { running } = await gatewayBefore({}, { keys, runLimits: { rounds: 20, tokens: 100 } })
    const greedy = native(running.url, 'key-greedy')
    const { status, body } = await greedy.ask('POST', '/runs', {
      definition: { ...(crowd(1_000_000) as object), limits: { rounds: 1_000_000, tokens: 1e9 } },
    })
    expect([status, body['error']]).toEqual([
      400,
      expect.objectContaining({
        code: 'invalid_experiment',
        problems: [
          expect.objectContaining({ field: 'limits.rounds' }),
          expect.objectContaining({ field: 'limits.tokens' }),
        ],
      }),
    ])
    expect(
      (
        await greedy.ask('POST', '/runs', {
          definition: { name: 'quiet', participants: { ann: { model: 'strict' } } },
          run: 'quiet',
        })
      ).status,
    ).toBe(201)
    await expect
      .poll(async () => (await greedy.ask('GET', '/runs/quiet')).body)
      .toMatchObject({ status: 'limit', reason: expect.stringMatching(/ of 100\.|20 rounds/) })
  })

  test('wait for their slots behind one turn of another tenant', async () => {
    const { upstream, running } = await gatewayBefore({ delay: 10 }, { keys, slots: 1, defaultModel: 'strict' })
    const [greedy, beta] = [native(running.url, 'key-greedy'), native(running.url, 'key-beta')]
    await beta.ask('POST', '/threads', { thread: 'garden' })
    for (const run of ['a', 'b'])
      expect((await greedy.ask('POST', '/runs', { definition: crowd(3), run })).status).toBe(201)
    const asked = (): number => upstream.requests.filter(({ path }) => path === '/api/chat').length
    await expect.poll(asked).toBeGreaterThan(3)
    const before = asked()
    await beta.stream('POST', '/threads/garden/turns', {
      body: { message: 'Where to?' },
      until: ({ event }) => event === 'end',
    })
    expect(asked() - before).toBeLessThan(8)
    for (const run of ['a', 'b']) await greedy.ask('POST', `/runs/${run}/stop`)
  })
})
