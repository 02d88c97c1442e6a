// Finding 17: prompts of one tenant, or of one key, change how the prompts of others are counted.
import { createHash } from 'node:crypto'
import { estimator, type TokenCounter } from 'minutebook'
import { receiptsOf } from 'minutebook/inspect'
import { expect, test } from 'vitest'
import type { Running } from '../../src/index.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'

const key = (name: string, tenant: string): { name: string; sha256: string; tenant: string; scope: 'app' } => ({
  name,
  tenant,
  scope: 'app',
  sha256: createHash('sha256').update(`key-${name}`).digest('hex'),
})
const keys = [key('odd', 'alpha'), key('plain', 'alpha'), key('beta', 'beta')]

/** Counts lines of boxes as real tokenizers do: many times what an estimate says. */
const counter: TokenCounter = {
  ...estimator,
  name: 'boxes',
  count: (text) => Math.ceil(Array.from(text).reduce((sum, letter) => sum + (letter === '│' ? 0.8 : 0.2), 0)),
}
const question = 'How many lemons are left on the stand by the river? '.repeat(40)

async function predicted(running: Running, name: string, content: string): Promise<number> {
  const response = await fetch(`${running.url}/api/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer key-${name}` },
    body: JSON.stringify({ model: 'strict', stream: false, messages: [{ role: 'user', content }] }),
  })
  expect([response.status, (await response.text()).slice(0, 300)]).toEqual([200, expect.any(String)])
  const { store } = running.services.stores.of(keys.find((each) => each.name === name)!.tenant)
  const thread = response.headers.get('minutebook-thread')!
  await expect.poll(async () => receiptsOf(await store.read(thread)).length).toBe(1)
  return receiptsOf(await store.read(thread))[0]!.tokens.predicted
}

test('odd prompts of one key change neither what another tenant nor what another key is told', async () => {
  const { running } = await gatewayBefore({ counter }, { keys, models: { strict: { window: 100_000 } } })
  const before = {
    plain: await predicted(running, 'plain', `1 ${question}`),
    beta: await predicted(running, 'beta', `1 ${question}`),
  }
  for (let count = 0; count < 4; count++) await predicted(running, 'odd', `${count} ${'│'.repeat(1000)}`)
  // What the odd one asks is counted with care from now on.
  expect(await predicted(running, 'odd', `2 ${question}`)).toBeGreaterThan(1.5 * before.plain)
  expect({
    plain: await predicted(running, 'plain', `2 ${question}`),
    beta: await predicted(running, 'beta', `2 ${question}`),
  }).toEqual(before)
})

test('whatever other keys of its tenant report, a new key is counted as if it were alone', async () => {
  const {
    running: {
      services: { calibrations },
    },
  } = await gatewayBefore()
  const factor = async (owner: string): Promise<number> =>
    (await calibrations.counter({ tenant: 'alpha', owner, model: 'm' })).scales?.factor ?? 1
  for (const [owner, reported] of Object.entries({ dense: 1200, denser: 1300, cheap: 600, cheaper: 500 })) {
    for (let count = 0; count < 20; count++)
      await calibrations.learn({ tenant: 'alpha', owner, model: 'm' }, { predicted: 1000, reported })
    expect(await factor('new')).toBe(1)
  }
  expect(await factor('denser')).toBeGreaterThan(1.3)
  expect(await factor('cheaper')).toBeLessThan(0.7)
})
