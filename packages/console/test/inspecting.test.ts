import type { Page } from 'playwright-core'
import type { CallCacheUsage } from '@minutebook/inspect'
import { requestHash, type KeptReceipt } from 'minutebook/inspect'
import { beforeAll, describe, expect, test } from 'vitest'
import { segmentOf } from '../../client/src/client.ts'
import { plainUpstream } from '../../../tests/support/server/raw.ts'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { diceOf, relayed, spoken, talker } from './support/conversation.ts'
import { enter, settled } from './support/enter.ts'
import { gardenLog } from './support/garden.ts'
import { copyInto } from './support/seeds.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { testStores } from './support/stores.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()
/** Random turns whose calls are inspected. */
const turns = Number(process.env['CONSOLE_TURNS'] ?? 9)

/** What the inspector draws of a call. */
interface Drawn {
  readonly receipt: string
  readonly hash: string
  readonly proof: string
  readonly predicted: number
  readonly kept: number
  readonly panes: Readonly<Record<string, number>>
  readonly verdicts: string
  readonly sent: { readonly messages: readonly object[]; readonly tools?: readonly object[] }
}

function drawn(page: Page): Promise<Drawn> {
  return page.locator('[data-inspector]').evaluate((inspector) => {
    const attribute = (selector: string, name: string): string =>
      inspector.querySelector(selector)?.getAttribute(name) ?? ''
    return {
      receipt: inspector.getAttribute('data-receipt') ?? '',
      hash: inspector.getAttribute('data-hash') ?? '',
      proof: attribute('[data-proof]', 'data-proof'),
      predicted: Number(attribute('[data-predicted]', 'data-predicted')),
      kept: Number(attribute('[data-kept]', 'data-kept')),
      panes: Object.fromEntries(
        [...inspector.querySelectorAll('[data-window-strip] [data-pane]')].map((pane) => [
          pane.getAttribute('data-pane') ?? '',
          Number(pane.getAttribute('data-tokens')),
        ]),
      ),
      verdicts: attribute('[data-log-strip]', 'aria-label'),
      sent: JSON.parse(inspector.querySelector('[data-dump]')?.textContent ?? '{}') as Drawn['sent'],
    }
  })
}

async function inspectEach(
  visit: Visit,
  server: ConsoleServer,
  thread: string,
  look: (receipt: KeptReceipt, found: Drawn, kept: number) => void,
): Promise<number> {
  const { page } = visit
  const receipts = (await server.as('admin').ask('GET', `/threads/${segmentOf(thread)}/receipts`)).body[
    'receipts'
  ] as readonly KeptReceipt[]
  const { calls } = (await server.as('admin').ask('GET', `/threads/${segmentOf(thread)}/cache`)).body as {
    readonly calls: readonly CallCacheUsage[]
  }
  const kept = new Map(calls.map((call) => [call.receipt, call.kept]))
  await page.goto(`${server.url}/threads/${segmentOf(thread)}/calls/${receipts[0]!.id}`)
  await page.getByRole('tab', { name: 'Dump' }).click()
  for (const receipt of receipts) {
    await page.locator(`[data-inspector][data-receipt="${receipt.id}"][aria-busy="false"]`).waitFor()
    look(receipt, await drawn(page), kept.get(receipt.id)!)
    await page.getByRole('slider', { name: 'Turn' }).press('ArrowRight')
  }
  return receipts.length
}

describe.each(testStores('Postgres'))('on $name', ({ settings }) => {
  test('what is drawn is the receipt, and what the receipt says is what the model server received', async () => {
    const dice = diceOf(20_261_115)
    const weather = await plainUpstream((_, response) => void response.end(JSON.stringify({ low: dice(9) })))
    const server = await consoleServer({
      upstream: { answer: talker(dice), window: 512 },
      settings: {
        ...(await settings()),
        policy: { preset: 'default', notes: true, journal: true },
        models: { strict: { window: 512 } },
        tools: [
          {
            name: 'weather',
            description: 'The weather of a bed.',
            parameters: { type: 'object', properties: { bed: { type: 'number' } } },
            url: weather.url,
            mayRepeat: true,
          },
        ],
      },
    })
    const each = Math.ceil(turns / 3)
    const threads = [
      await relayed(server, each, dice),
      await spoken(server, 'plain', each, dice),
      await spoken(server, 'tools', each, dice, { tools: ['weather'] }),
    ]
    const received = new Set(
      server.upstream.requests
        .filter(({ messages }) => messages.length > 0)
        .map(({ json }) => {
          const { messages, tools = [] } = json as { messages: readonly object[]; tools?: readonly object[] }
          return requestHash(messages, tools)
        }),
    )
    const visit = await enter(browser, server, 'admin')
    let inspected = 0
    for (const thread of threads) {
      inspected += await inspectEach(visit, server, thread, (receipt, found, kept) => {
        expect(found.receipt).toBe(receipt.id)
        expect([found.hash, requestHash(found.sent.messages, found.sent.tools ?? [])]).toEqual([
          receipt.hash,
          receipt.hash,
        ])
        expect(received.has(receipt.hash), `${thread} ${receipt.seq}`).toBe(true)
        expect(found.proof).toBe('same')
        expect([found.predicted, found.kept]).toEqual([receipt.tokens.predicted, kept])
        expect(Object.values(found.panes).reduce((sum, tokens) => sum + tokens, 0)).toBe(
          Math.max(512, receipt.tokens.predicted),
        )
        for (const [verdict, count] of Object.entries(receipt.verdicts))
          expect(found.verdicts).toContain(`${count} ${verdict}`)
      })
    }
    expect(inspected).toBeGreaterThanOrEqual(turns)
    expect(visit.complaints).toEqual([])
    console.log(`${inspected} calls: drawn = receipt = received`)
  })
})

describe('the inspector of a long conversation', () => {
  const open = async (
    scope: 'admin' | 'viewer' = 'admin',
  ): Promise<{ readonly server: ConsoleServer; readonly visit: Visit }> => {
    const server = await consoleServer()
    await copyInto(server.store, 'garden', await gardenLog())
    const last = (
      (await server.as('admin').ask('GET', '/threads/garden/receipts')).body['receipts'] as readonly KeptReceipt[]
    ).at(-1)!
    const visit = await enter(browser, server, scope, `/threads/garden/calls/${last.id}`)
    await visit.page.locator('[data-window-strip]').waitFor()
    return { server, visit }
  }

  test('a pane and an entry tell what was sent, its tokens, the reason and the rule, and the way to what would bring it back', async () => {
    const {
      visit: { page },
    } = await open()
    await page.locator('[data-window-strip] [data-pane="recalled"]').click()
    const recalled = page.locator('[data-pane-detail="recalled"]')
    await recalled.getByText('Three times as deep').first().waitFor()
    expect(await recalled.innerText()).toMatch(/\d+ tokens/)
    await page.getByRole('tab', { name: 'Entries' }).click()
    await page.locator('[data-verdict-list] [data-verdict="omitted"]').first().click()
    const entry = page.locator('[data-entry-detail]')
    await entry.getByText('Recorded, not sent').waitFor()
    for (const word of ['Reason', 'Rule', 'Tokens', 'not sent']) expect(await entry.innerText()).toContain(word)
    await page.getByRole('link', { name: 'See in the lab what would bring it back' }).click()
    await page.locator('[data-lab] [data-restore]').waitFor()
  })

  test('scrubbing shows the window fill, compact and recall, and the transcript has the verdicts beside it', async () => {
    const {
      visit: { page },
    } = await open()
    await page.locator('[data-transcript] [data-entry]').first().waitFor()
    expect(await page.locator('[data-transcript] [data-entry]', { hasText: 'Remind me' }).first().innerText()).toMatch(
      /^V/,
    )
    const slider = page.getByRole('slider', { name: 'Turn' })
    await slider.press('Home')
    const seen: Record<string, number>[] = []
    for (let call = 1; call <= 15; call++) {
      await page.getByText(`call ${call} of 15`).waitFor()
      await page.locator('[data-inspector][aria-busy="false"]').waitFor()
      seen.push({ ...(await drawn(page)).panes })
      await slider.press('ArrowRight')
    }
    expect(seen[0]).not.toHaveProperty('outline')
    expect(seen.some((panes) => (panes['outline'] ?? 0) > 0)).toBe(true)
    expect(seen.at(-1)?.['recalled']).toBeGreaterThan(0)
    expect(seen.every((panes) => Object.values(panes).reduce((sum, tokens) => sum + tokens, 0) === 1024)).toBe(true)
  })

  test('a viewer sees the same window, and nothing of what is hidden', async () => {
    const { visit } = await open('viewer')
    await settled(visit)
    expect(Object.keys((await drawn(visit.page)).panes)).toContain('system')
    for (const tab of ['Entries', 'Prompt', 'Dump']) {
      await visit.page.getByRole('tab', { name: tab }).click()
      const text = await visit.page.locator('[data-inspector]').innerText()
      expect(text).not.toContain('You help with a garden of forty beds')
      expect(text).not.toContain('NOTE TO SELF')
    }
    expect(await visit.page.locator('[data-inspector]').innerText()).toMatch(/hidden|operators/)
  })
})
