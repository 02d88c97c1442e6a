import { requestHash, type KeptReceipt } from 'minutebook/inspect'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { isInstalled, skipUnlessInstalled } from '../../../tests/real-model/installed.ts'
import type { EngineServer } from '../../../tests/real-model/server.ts'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { consoleServer } from './support/server.ts'
import { say } from './support/speak.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()
const timeout = 600_000

async function engine(contextSize: number): Promise<EngineServer> {
  const server = await (await import('../../../tests/real-model/server.ts')).serveEngine({ contextSize })
  onTestFinished(() => server.close())
  return server
}

test(
  'before a real engine one speaks until the window is full and beyond, and sees what it saw',
  { timeout },
  async (context) => {
    skipUnlessInstalled(context)
    if (!isInstalled) return
    const behind = await engine(512)
    const server = await consoleServer({ settings: { upstreams: [{ url: behind.url }], defaultModel: 'tiny' } })
    await server.as('app').ask('POST', '/threads', { thread: 'garden', setup: { system: 'You help with a garden.' } })
    const visit = await enter(browser, server, 'admin', '/threads/garden')
    const turns = 6
    for (let turn = 1; turn <= turns; turn++) {
      await say(
        visit,
        `Question ${turn}: ${'the clerk wrote down what came in and what went out of the harbour, '.repeat(3)}and then?`,
      )
      await expect
        .poll(
          async () =>
            ((await server.as('admin').ask('GET', '/threads/garden/receipts')).body['receipts'] as unknown[]).length,
          { interval: 200 },
        )
        .toBe(turn)
      await visit.page.getByRole('button', { name: 'Regenerate' }).first().waitFor()
    }
    const receipts = (await server.as('admin').ask('GET', '/threads/garden/receipts')).body[
      'receipts'
    ] as readonly KeptReceipt[]
    for (const receipt of receipts.slice(-3)) {
      await visit.page.goto(`${server.url}/threads/garden/calls/${receipt.id}`)
      await visit.page.getByRole('tab', { name: 'Dump' }).click()
      const sent = JSON.parse((await visit.page.locator('[data-dump]').textContent()) ?? '{}') as {
        readonly messages: readonly object[]
        readonly tools?: readonly object[]
      }
      expect(requestHash(sent.messages, sent.tools ?? [])).toBe(receipt.hash)
      expect(await visit.page.locator('[data-proof]').getAttribute('data-proof')).toBe('same')
    }
    expect(Math.max(...receipts.map(({ tokens }) => tokens.reported.prompt ?? 0))).toBeLessThanOrEqual(512)
    expect(receipts.some(({ verdicts }) => Object.keys(verdicts).some((verdict) => verdict !== 'verbatim'))).toBe(true)
    expect(behind.seen.length).toBeGreaterThanOrEqual(turns)
  },
)
