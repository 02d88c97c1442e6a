import { createMemoryHistory } from '@tanstack/react-router'
import { beforeAll, expect, test } from 'vitest'
import type { UpstreamAnswer, UpstreamRequest } from '@minutebook/testing/server'
import { holding, searchText } from '../src/app/address.ts'
import { createConsoleRouter } from '../src/app/router.tsx'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter, settled } from './support/enter.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { say } from './support/speak.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** In everything that is said, told, passed to a tool, noted or written into an experiment. */
const canary = 'canary4711'

const stand = `name: stand
environment: { motto: "${canary} motto", cash: 3 }
participants:
  ann: { model: strict, system: "You are ann. ${canary} system", sees: [motto, cash], tools: [pay], tells: [bob] }
  bob: { model: strict, system: "You are bob. ${canary} system", sees: [cash], hears: all }
rounds: [{ play: sequence, ask: "${canary} ask" }]
tools:
  pay:
    description: "${canary} description"
    parameters: { why: { type: string } }
    changes: { cash: cash - 1, motto: input.why }
limits: { rounds: 3 }
`

function answer({ messages, tools }: UpstreamRequest): UpstreamAnswer {
  if (messages.at(-1)?.role === 'user' && tools.length > 0)
    return {
      text: `${canary} first`,
      calls: [
        { name: JSON.stringify(tools).includes('"pay"') ? 'pay' : 'weather', arguments: { why: `${canary} argument` } },
      ],
    }
  return { text: `${canary} answer [NOTE TO SELF: ${canary} note]` }
}

/** A thread of the gateway with a tool, one of our own with notes, and two runs: all of them full of the word. */
async function seeded(): Promise<ConsoleServer> {
  const server = await consoleServer({
    upstream: { answer },
    settings: {
      models: { strict: { window: 4096 } },
      policy: { preset: 'default', notes: true, journal: true },
      states: [{ name: 'basket', tools: ['weather'] }],
    },
  })
  const tools = [
    {
      type: 'function',
      function: {
        name: 'weather',
        description: canary,
        parameters: { type: 'object', properties: { why: { type: 'string' } } },
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
        { role: 'system', content: `${canary} system` },
        { role: 'user', content: `${canary} question` },
      ],
    }),
  })
  await chat.text()
  await server.as('app').ask('POST', '/threads', { thread: 'own', setup: { system: `${canary} system` } })
  for (const turn of [1, 2])
    await server.as('app').stream('POST', '/threads/own/turns', { body: { message: `${canary} message ${turn}` } })
  expect(await server.as('app').ask('POST', '/runs', { definition: stand, run: 'first' })).toMatchObject({
    status: 201,
  })
  await expect.poll(async () => (await server.as('app').ask('GET', '/runs/first')).body['status']).toBe('limit')
  return server
}

/** Every address that the page had, and every one that it leads to. */
function addressesOf({ page }: Visit): { readonly had: Set<string>; readonly collect: () => Promise<void> } {
  const had = new Set<string>([page.url()])
  page.on('framenavigated', (frame) => void had.add(frame.url()))
  const collect = async (): Promise<void> => {
    for (const href of await page
      .locator('a[href]')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href)))
      had.add(href)
  }
  return { had, collect }
}

/** What an address says, base64 and percent signs decoded. */
function spelledOut(address: string): string {
  const { pathname, search, hash } = new URL(address)
  const segments = pathname
    .split('/')
    .filter((segment) => segment.startsWith('~'))
    .map((segment) => Buffer.from(segment.slice(1), 'base64url').toString())
  return [
    address,
    decodeURIComponent(pathname),
    ...new URLSearchParams(search).values(),
    decodeURIComponent(hash),
    ...segments,
  ].join('\n')
}

test('no address ever holds what was said, on any screen', { timeout: 900_000 }, async () => {
  const server = await seeded()
  const visit = await enter(browser, server, 'admin')
  const { page } = visit
  const { had, collect } = addressesOf(visit)
  const round = async (go: () => Promise<unknown>): Promise<void> => {
    await go()
    await settled(visit)
    await collect()
  }
  const press = (name: string | RegExp) => () =>
    page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click()
  const follow = (name: string | RegExp) => () =>
    page
      .getByRole('link', { name, exact: typeof name === 'string' })
      .first()
      .click()
  const tab = (name: string) => () => page.getByRole('tab', { name, exact: true }).click()

  // Threads, from the list, from a search and from the palette.
  await round(() => page.locator('[data-thread="own"]').click())
  await round(() => say(visit, `${canary} from here`))
  await round(() => page.locator('[data-transcript]').getByText(`${canary} from here`).waitFor())
  await round(() => page.getByRole('button', { name: 'Edit' }).last().click())
  await round(() => page.getByRole('dialog').getByRole('textbox').fill(`${canary} edited`))
  await round(() => page.getByRole('dialog').getByRole('button').last().click())
  await round(() => page.locator('[data-transcript]').getByText(`${canary} edited`).waitFor())
  await round(press(/earlier|before|previous/i))
  await round(follow('Search'))
  await round(() => page.getByRole('searchbox', { name: 'Search', exact: true }).fill(`${canary} message`))
  await round(() => page.locator('[data-found]').first().waitFor())
  await round(() => page.locator('[data-open]').first().click())
  await round(() => page.waitForURL(/threads\/own\?at=/))
  await round(() => page.goBack())
  expect(await page.getByRole('searchbox', { name: 'Search', exact: true }).inputValue()).toBe(`${canary} message`)
  await page.locator('[data-found]').first().waitFor()
  await round(() => page.reload())
  expect(await page.getByRole('searchbox', { name: 'Search', exact: true }).inputValue()).toBe(`${canary} message`)
  await round(() => page.keyboard.press('Control+k'))
  await round(() =>
    page
      .getByRole('dialog', { name: 'Commands' })
      .getByRole('combobox')
      .or(page.getByRole('dialog', { name: 'Commands' }).getByRole('textbox'))
      .first()
      .fill('Thread:'),
  )
  await round(() => page.keyboard.press('Enter'))

  // A call, its entries and panes, the state, the lab.
  await round(() => page.goto(`${server.url}/threads/own`))
  await round(follow('Inspector'))
  await round(() => page.locator('[data-window-strip]').waitFor())
  for (const pane of ['system', 'latest'])
    await round(() => page.locator(`[data-window-strip] [data-pane="${pane}"]`).click())
  await round(() =>
    page
      .getByRole('button', { name: /show it in the inspector/ })
      .first()
      .click(),
  )
  for (const name of ['Entries', 'Prompt', 'Dump']) await round(tab(name))
  await round(() => page.getByRole('slider').first().press('ArrowLeft'))
  await round(follow('State'))
  await round(follow('Lab'))
  await round(() => page.locator('[data-lab][aria-busy="false"]').waitFor())
  await round(() => page.getByRole('slider', { name: 'Window' }).press('Home'))
  for (const name of ['Prompt', 'Entries', 'All calls', 'Answer']) await round(tab(name))
  await round(press('As recorded'))
  await round(() => page.locator('[data-lab][data-same="true"][aria-busy="false"]').waitFor())
  await round(press('Ask again'))
  await round(() => page.locator('[data-answers]').getByText(`${canary} answer`).last().waitFor())
  await round(follow('Open its thread'))

  // A new thread, by its first message.
  await round(press('New thread'))
  // The thread before has a field of that name, too.
  await page.getByRole('heading', { name: 'New thread', exact: true }).waitFor()
  await round(() => page.getByRole('textbox', { name: 'Message' }).fill(`${canary} first`))
  await round(press('Send'))
  await round(() => page.waitForURL('**/threads/*'))

  // Runs, their cells, a fork with a changed text, and a comparison.
  await round(follow('Runs'))
  await round(follow('stand'))
  for (const cell of ['0 0', '1 1', '0 2']) await round(() => page.locator(`[data-cell="${cell}"]`).click())
  await page.locator('[data-panel="ann 3"]').waitFor()
  expect(new URL(page.url()).search).toBe('?round=3&participant=ann')
  await round(press('The round before'))
  await round(() => page.locator('[data-cell="1 1"]').focus())
  for (const key of ['ArrowLeft', 'Enter', 'ArrowUp', 'Enter']) await round(() => page.keyboard.press(key))
  await round(press('Fork here'))
  const dialog = page.getByRole('dialog', { name: 'Fork the run' })
  await round(() => dialog.getByRole('combobox', { name: 'What is changed' }).selectOption('participants.bob.system'))
  await round(() => dialog.getByRole('textbox', { name: 'New value' }).fill(`${canary} changed`))
  await round(() => dialog.getByRole('textbox', { name: 'Name of the new run' }).fill('second'))
  await round(() => dialog.getByRole('button', { name: 'Fork', exact: true }).click())
  await round(() => page.waitForURL('**/runs/second'))
  await round(() => page.locator('section [data-run-status="limit"]').waitFor())
  await round(() => page.locator('[data-cell="0 0"]').click())
  await round(follow(/^What the model saw/))
  await round(() => page.locator('[data-window-strip]').waitFor())
  await round(() => page.goto(`${server.url}/runs/second`))
  await round(follow('Compare'))
  await round(() => page.locator('[data-comparison]').waitFor())
  await round(() => page.getByRole('combobox', { name: 'Left run' }).selectOption('second'))
  await round(() => page.goto(`${server.url}/runs?runs=first`))
  await round(() => page.getByRole('checkbox', { name: 'Choose second' }).check())
  await round(() => page.getByRole('group', { name: 'Chosen runs' }).getByRole('link', { name: 'Compare' }).click())
  await round(() => page.locator('[data-figure] svg').waitFor())
  await round(press(/^Rounds/))

  expect([...had].filter((address) => spelledOut(address).includes(canary))).toEqual([])
  const parameter = String.raw`(?:(?:head|at|call|entry|participant|left|right)=[\w.-]+|round=\d+|zoom=(?:fit|overview)|(?:window|reserve|verbatim)=\d+|(?:outline|recall|notes)=[\d.]+|preset=\w+|profile=\w+|(?:runs|variables)=[\w.-]+(?:\+[\w.-]+)*|lines=(?:each|mean)|sort=[\w.-]+)`
  expect(
    [...had]
      .map((address) => new URL(address).search)
      .filter((search) => search !== '' && !new RegExp(`^\\?${parameter}(?:&${parameter})*$`).test(search)),
  ).toEqual([])
  expect(visit.complaints).toEqual([])

  // All of the console was walked through.
  const router = createConsoleRouter()
  const patterns = Object.keys(router.routesByPath)
  expect(patterns.length).toBeGreaterThan(8)
  const isWalked = (pattern: string): boolean =>
    [...had].some((address) =>
      new RegExp(`^/console${pattern.replaceAll(/\$\w+/g, '[^/]+')}/?$`).test(new URL(address).pathname),
    )
  expect(patterns.filter((pattern) => !isWalked(pattern))).toEqual([])

  // What an address brings along from elsewhere is not kept either.
  await page.goto(`${server.url}/runs/first?round=1&participant=ann&words=${canary}&turns=[{"text":"${canary}"}]`)
  await page.locator('[data-panel="ann 1"]').waitFor()
  expect(new URL(page.url()).search).toBe('?round=1&participant=ann')
})

test('a route takes its own parameters, as ids, and nothing else', () => {
  const cell = {
    round: 3,
    participant: 'ann',
    words: canary,
    turns: [{ text: canary }],
    head: 'abc',
    at: 'two words',
    left: canary.repeat(20),
  }
  const {
    validateSearch,
    search: {
      middlewares: [keep],
    },
  } = holding('round', 'participant', 'at', 'left')
  expect(validateSearch(cell)).toEqual({ round: 3, participant: 'ann' })
  expect(keep!({ search: {}, next: () => cell })).toEqual({ round: 3, participant: 'ann' })
  expect(searchText.stringifySearch(cell)).toBe('?head=abc&round=3&participant=ann')
  expect(searchText.parseSearch('?round=3&participant=7&words=a&head=%3Cb%3E')).toEqual({ round: 3, participant: '7' })
})

test('no caller can write more into an address: a link and a navigation lose it', () => {
  const router = createConsoleRouter()
  router.update({ history: createMemoryHistory({ initialEntries: ['/console/runs'] }) } as never)
  const search = {
    round: 3,
    participant: 'ann',
    at: 'a',
    words: canary,
    turns: [{ text: canary }],
    query: canary,
  } as object
  expect(router.buildLocation({ to: '/runs/$run', params: { run: 'first' }, search } as never).href).toBe(
    '/console/runs/first?round=3&participant=ann',
  )
  for (const to of Object.keys(router.routesByPath)) {
    const { href } = router.buildLocation({
      to,
      params: { run: 'first', thread: 'own', receipt: 'last' },
      search,
    } as never)
    expect(href).not.toContain(canary)
    expect(href).not.toMatch(/words|turns|query/)
  }
})
