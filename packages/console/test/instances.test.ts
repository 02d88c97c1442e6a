import { beforeAll, describe, expect, test } from 'vitest'
import type { UpstreamAnswer, UpstreamCall, UpstreamRequest } from '@minutebook/testing/server'
import type { Page } from 'playwright-core'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { market, marketAnswer } from './support/market.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { waitingCall } from './support/shop.ts'
import { testStores } from './support/stores.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** A question that is a list of calls is answered with these calls, that of a run as in the market, any other in words. */
function answer(request: UpstreamRequest): UpstreamAnswer | Promise<UpstreamAnswer> {
  const { messages } = request
  if (/^You are (?:ann|bob|judge)\./.test(String(messages[0]?.content))) return marketAnswer(request)
  const { role, content } = messages.at(-1)!
  if (role === 'user' && String(content).startsWith('['))
    return { calls: JSON.parse(String(content)) as UpstreamCall[] }
  return { text: role === 'tool' ? 'It is done.' : 'Ferns.' }
}

const order = { name: 'order', parameters: { type: 'object', properties: {} }, approve: true } as const

interface Pair {
  /** Where the pages are. */
  readonly here: ConsoleServer
  /** Where everything is done; the same server if the store is not shared. */
  readonly there: ConsoleServer
}

describe.each(testStores('Postgres'))('on $name', ({ settings: store, isShared }) => {
  const pair = async (): Promise<Pair> => {
    const settings = {
      ...(await store()),
      // Nobody runs it: it is refused.
      tools: [{ ...order, url: 'http://127.0.0.1:9/order' }],
      models: { strict: { window: 200_000 } },
    }
    const here = await consoleServer({ upstream: { answer }, settings })
    return { here, there: isShared ? await consoleServer({ behind: here.upstream, settings }) : here }
  }

  test('what is done on one instance appears by itself on pages of another', async () => {
    const { here, there } = await pair()
    const app = there.as('app')
    await app.ask('POST', '/threads', { thread: 'garden' })
    const say = (message: string): Promise<unknown> =>
      app.stream('POST', '/threads/garden/turns', { body: { message } })
    await say('What grows in the shade?')
    const { entries } = (await app.ask('GET', '/threads/garden/entries')).body as unknown as {
      readonly entries: readonly { readonly id: string; readonly kind: string }[]
    }
    const [question, reply] = ['user', 'assistant'].map((kind) => entries.find((entry) => entry.kind === kind)!.id)
    const paths = ['', '/calls', '/threads/garden', '/waiting', '/runs']
    const visits = await Promise.all(paths.map((path) => enter(browser, here, 'admin', path)))
    const [home, calls, thread, waiting, runs] = visits.map(({ page }) => page) as [Page, Page, Page, Page, Page]
    const figure = home.locator('[data-figure="Calls"] dd').first()
    await figure.filter({ hasText: /^1$/ }).waitFor()
    const rows = calls.locator('tr[data-call]')
    await expect.poll(() => rows.count()).toBe(1)
    const marked = (id: string | undefined, words: string): Promise<void> =>
      thread.locator(`[data-transcript] [data-entry="${id}"]`).getByText(words, { exact: true }).waitFor()
    await thread.locator(`[data-transcript] [data-entry="${reply}"]`).waitFor()
    await waiting.getByText('Nothing waits').waitFor()

    // A message, a pin and a rating.
    await say('And in the sun?')
    await thread.locator('[data-transcript]').getByText('And in the sun?').waitFor()
    await expect.poll(() => rows.count()).toBe(2)
    expect((await app.ask('PUT', `/threads/garden/pins/${question}`)).status).toBeLessThan(300)
    await marked(question, 'pinned')
    expect((await app.ask('PUT', `/threads/garden/feedback/${reply}`, { rating: 'down' })).status).toBeLessThan(300)
    await marked(reply, 'Bad answer')

    // A call that waits, in a thread of its own, and the decision.
    await app.ask('POST', '/threads', { thread: 'shop', setup: { tools: ['order'] } })
    const asked = await app.stream('POST', '/threads/shop/turns', {
      body: { message: JSON.stringify([{ name: 'order', arguments: { item: 'fern' } }]) },
    })
    const [call] = asked.at(-1)!.data['waiting'] as readonly { readonly id: string }[]
    await waitingCall(waiting, 'order').getByText('"item": "fern"').waitFor()
    await waiting.locator('[data-waiting-count="1"]').waitFor()
    await app.ask('POST', '/threads/shop/decisions', {
      call: call!.id,
      decision: { do: 'refuse', reason: 'Too dear.' },
    })
    await waitingCall(waiting, 'order').waitFor({ state: 'detached' })
    await waiting.getByText('Nothing waits').waitFor()

    // The model answers to the refusal. It is counted below.
    await expect
      .poll(async () => JSON.stringify((await app.ask('GET', '/threads/shop/entries')).body['entries']))
      .toContain('It is done.')

    // A run, in the list and on its board.
    expect((await app.ask('POST', '/runs', { definition: market, run: 'first' })).status).toBe(201)
    await runs.getByRole('link', { name: 'market day' }).click()
    await runs.locator('[data-lane="ann"] [data-status="complete"]').first().waitFor()
    await runs.locator('section [data-run-status="success"]').waitFor()

    // The overview has them all: two turns, the call, the model's answer to the refusal, and those of the run.
    const counted = ((await app.ask('GET', '/overview')).body['totals'] as { readonly calls: number }).calls
    expect(counted).toBeGreaterThan(10)
    await figure.filter({ hasText: new RegExp(`^${counted}$`) }).waitFor()
    expect(visits.map(({ complaints, strayed }: Visit) => [complaints, strayed])).toEqual(visits.map(() => [[], []]))
  })
})
