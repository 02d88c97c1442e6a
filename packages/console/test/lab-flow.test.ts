import { requestHash, type KeptReceipt } from 'minutebook/inspect'
import type { UpstreamRequest } from '@minutebook/testing/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { segmentOf } from '../../client/src/client.ts'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { diceOf, spoken, talker } from './support/conversation.ts'
import { enter } from './support/enter.ts'
import { gardenLog } from './support/garden.ts'
import { copyInto } from './support/seeds.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

async function lab(server: ConsoleServer, thread: string): Promise<Visit> {
  const visit = await enter(browser, server, 'admin', `/threads/${thread}/lab`)
  await visit.page.locator('[data-lab][aria-busy="false"]').waitFor()
  return visit
}

async function garden(): Promise<{ readonly server: ConsoleServer; readonly visit: Visit }> {
  const server = await consoleServer({ upstream: { answer: 'Asked again.' } })
  await copyInto(server.store, 'garden', await gardenLog())
  return { server, visit: await lab(server, 'garden') }
}

/** The newest chat that came to the model server. */
function upstream(server: ConsoleServer): UpstreamRequest {
  return server.upstream.requests.findLast(({ messages }) => messages.length > 0)!
}

describe('the lab', () => {
  test('makes every recorded prompt exactly while its sliders are untouched; a larger window brings back what was left out', async () => {
    const {
      server,
      visit: { page, complaints },
    } = await garden()
    const receipts = (await server.as('admin').ask('GET', '/threads/garden/receipts')).body[
      'receipts'
    ] as readonly KeptReceipt[]
    await page.getByText(`${receipts.length} calls: ${receipts.length} unchanged, 0 different`).waitFor()
    expect(await page.locator('[data-lab]').getAttribute('data-same')).toBe('true')
    const omitted = async (): Promise<number> =>
      Number(
        /(\d+) omitted/.exec(
          (await page.locator('[data-made] [data-log-strip]').getAttribute('aria-label')) ?? '',
        )?.[1] ?? 0,
      )
    expect(await omitted()).toBeGreaterThan(5)
    await page.getByRole('slider', { name: 'Window' }).press('End')
    await page.locator('[data-lab][data-same="false"][aria-busy="false"]').waitFor()
    await expect.poll(omitted).toBe(0)
    expect(await page.locator('[data-change="added"]').count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'As recorded' }).click()
    await page.locator('[data-lab][data-same="true"]').waitFor()
    expect(complaints).toEqual([])
  })

  test('makes them exactly on threads that were counted by what the model server reports', async () => {
    const dice = diceOf(7)
    const server = await consoleServer({
      upstream: { answer: talker(dice), window: 512 },
      settings: { models: { strict: { window: 512 } }, policy: { preset: 'default', notes: true, journal: true } },
    })
    await spoken(server, 'spoken', 20, dice)
    const { page } = await lab(server, 'spoken')
    await page.getByText('20 calls: 20 unchanged, 0 different').waitFor()
  })

  test('draws tokens, cost and reuse of all calls, and says what cannot be', async () => {
    const {
      visit: { page, complaints },
    } = await garden()
    await page.getByRole('tab', { name: 'All calls' }).click()
    for (const plot of ['tokens', 'cost', 'reuse']) await page.locator(`[data-plot="${plot}"]`).waitFor()
    await page.getByRole('slider', { name: 'Window' }).press('Home')
    await page.getByRole('slider', { name: 'Reserve' }).press('End')
    await page.locator('[data-lab][aria-busy="false"]').waitFor()
    await page
      .getByText(/would not fit|of 256 tokens/)
      .first()
      .waitFor()
    expect(complaints).toEqual([])
  })

  test('saves the settings as a policy that threads can name, and asks again with exactly the prompt that is shown', async () => {
    const {
      server,
      visit: { page },
    } = await garden()
    await page.getByRole('combobox', { name: 'Preset' }).selectOption('tiered')
    await page.getByRole('button', { name: 'Save as policy' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('long-memory')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('is saved').waitFor()
    expect((await server.as('admin').ask('GET', '/policies')).body['policies']).toContainEqual(
      expect.objectContaining({ name: 'long-memory' }),
    )
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Answer' }).click()
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.getByRole('article', { name: 'Asked again' }).getByText('Asked again.').waitFor()
    expect(await page.getByRole('article', { name: 'As recorded' }).innerText()).toContain('About 15 cm')
    await page.locator('[data-asked-proof="same"]').waitFor()
    const { messages, tools } = upstream(server)
    // It is neither the recorded prompt nor one that the server made.
    expect(await page.locator('[data-asked-proof]').getAttribute('data-hash')).toBe(requestHash(messages, tools))
    const receipts = (await server.as('admin').ask('GET', '/threads/garden/receipts')).body[
      'receipts'
    ] as readonly KeptReceipt[]
    expect(receipts.map(({ hash }) => hash)).not.toContain(requestHash(messages, tools))
    expect(tools).toHaveLength(2)
    expect((await server.as('admin').ask('GET', '/threads/garden')).body['entries']).toBe((await gardenLog()).length)
    await page.getByRole('link', { name: 'Open its thread' }).click()
    await page.locator('[data-transcript]').getByText('Asked again.').waitFor()
  })

  test('sends nothing if the model has less room than the prompt was made for, says so, and offers what would do', async () => {
    const dice = diceOf(7)
    const server = await consoleServer({ upstream: { answer: talker(dice), window: 1024, limit: 8192 } })
    await spoken(server, 'spoken', 30, dice, { window: 512 })
    const { page, complaints } = await lab(server, 'spoken')
    const chats = (): number => server.upstream.requests.filter(({ path }) => path === '/api/chat').length
    const before = chats()
    const restored = async (): Promise<number> => page.locator('[data-change="added"]').count()
    await page.getByRole('slider', { name: 'Window' }).press('End')
    await page.locator('[data-lab][data-same="false"][aria-busy="false"]').waitFor()
    expect(await restored()).toBeGreaterThan(0)
    await page.getByRole('tab', { name: 'Answer' }).click()
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page
      .locator('[data-not-sent]')
      .getByText('made for a window of 8,192 tokens, and the model has 1,024 (source: /api/ps)')
      .waitFor()
    expect(chats()).toBe(before)
    expect(await page.locator('[data-answers]').count()).toBe(0)
    await page.getByRole('button', { name: 'Ask with num_ctx 8,192' }).click()
    await page.locator('[data-asked-proof="same"]').waitFor()
    expect(chats()).toBe(before + 1)
    const { messages, json } = upstream(server)
    expect(await page.locator('[data-asked-proof]').getAttribute('data-hash')).toBe(requestHash(messages, []))
    expect(json).toMatchObject({ options: { num_ctx: 8192 } })
    expect(messages.length).toBeGreaterThan(50)
    // Moved since, the sliders show another prompt: the answer is not to that one.
    await page.getByRole('slider', { name: 'Window' }).press('Home')
    await page.locator('[data-asked-proof="earlier"]').waitFor()
    await page.getByRole('slider', { name: 'Window' }).press('End')
    await page.locator('[data-asked-proof="same"]').waitFor()
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.getByRole('button', { name: 'Show the prompt for 1,024' }).click()
    await page.locator('[data-lab][data-same="false"][aria-busy="false"]').waitFor()
    await page
      .locator('[data-made]')
      .getByText(/of 1,024 tokens/)
      .waitFor()
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.locator('[data-asked-proof="same"]').waitFor()
    expect(upstream(server).json).toMatchObject({ options: { num_ctx: 1024 } })
    expect(complaints).toEqual([])
  })

  test('asks a model whose prompt was the client’s own, with the client’s tools, and shows what it calls', async () => {
    const server = await consoleServer({
      upstream: {
        answer: ({ messages }) =>
          messages.length > 3 ? 'It is cold.' : { calls: [{ name: 'weather', arguments: { bed: 4 } }] },
      },
    })
    const tools = [
      {
        type: 'function',
        function: {
          name: 'weather',
          description: 'The weather.',
          parameters: { type: 'object', properties: { bed: { type: 'number' } } },
        },
      },
    ]
    const chat = await fetch(`${server.running.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.keyOf('app')}` },
      body: JSON.stringify({
        model: 'strict',
        tools,
        messages: [
          { role: 'system', content: 'You help.' },
          { role: 'user', content: 'Will it freeze?' },
        ],
      }),
    })
    await chat.text()
    const { page } = await lab(server, segmentOf(chat.headers.get('minutebook-thread') ?? ''))
    await page.getByRole('tab', { name: 'Answer' }).click()
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.locator('[data-asked-proof="same"]').waitFor()
    for (const name of ['As recorded', 'Asked again'])
      expect(await page.getByRole('article', { name }).innerText()).toContain('weather {"bed":4}')
    expect(upstream(server).tools).toEqual(tools)
  })

  test('a thread that asks for more window than its model has says so, in its header and at each call', async () => {
    const server = await consoleServer({ upstream: { answer: 'Ferns.', window: 1024 } })
    await spoken(server, 'wide', 1, diceOf(3), { window: 4096 })
    const { page } = await enter(browser, server, 'admin', '/threads/wide')
    await page.locator('[data-shortfall]').getByText('window 1,024, not 4,096').waitFor()
    await page.getByRole('link', { name: 'Inspector' }).click()
    await page.locator('[data-inspector]').getByText('window: 4,096 asked for').waitFor()
  })
})
