import type { StrictUpstreamOptions } from '@minutebook/testing/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { countRuns } from './support/hostile.ts'
import { holdAnswers } from './support/late.ts'
import { judged, judgedAnswer, market, marketAnswer, shortMarket, waitingMarket } from './support/market.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { pausing } from './support/speak.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** Run in a page: adds up by how much what stood there was moved. */
const countShifts = `window.shifted = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifted += entry.value }).observe({ type: 'layout-shift', buffered: true })`

/** `delay`: milliseconds before each word of an answer. */
function open({ answer = marketAnswer, delay = 0 }: StrictUpstreamOptions = {}): Promise<ConsoleServer> {
  return consoleServer({ upstream: { answer, delay } })
}

async function begun(server: ConsoleServer, run: string, definition = market): Promise<void> {
  await server.as('app').ask('POST', '/runs', { definition, run })
}

async function stands({ page }: Visit, status: string): Promise<void> {
  await page.locator(`section [data-run-status="${status}"]`).waitFor()
}

async function came({ page }: Visit, round: number): Promise<void> {
  await expect
    .poll(async () => Number(await page.locator('[data-monitor]').getAttribute('data-rounds')))
    .toBeGreaterThanOrEqual(round)
}

const press = ({ page }: Visit, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()

describe('a run', () => {
  test('is begun here, with what is wrong said while one types, and watched until its goal is reached', async () => {
    const { answer, goOn } = waitingMarket(4)
    const visit = await enter(browser, await open({ answer, delay: 15 }), 'app', '/runs')
    const { page } = visit
    await page.getByText('minutebook run file.yaml').waitFor()
    await press(visit, 'Begin a run')
    const editor = page.getByRole('textbox', { name: 'Experiment, as YAML' })
    await editor.fill(market.replace('sees: [cash, lemons, weather]', 'sees: [csh, lemons]'))
    await page.getByText('did you mean "cash"').waitFor()
    expect(await page.getByRole('button', { name: 'Begin', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: /^line 13/ }).click()
    expect(
      await editor.evaluate((field: HTMLTextAreaElement) =>
        field.value.slice(field.selectionStart, field.selectionEnd),
      ),
    ).toContain('csh')
    await editor.fill(market)
    await page.getByText('This can be run').waitFor()
    await page.getByRole('textbox', { name: /Name of the run/ }).fill('first')
    await press(visit, 'Begin')
    await page.waitForURL('**/runs/first')
    await stands(visit, 'running')
    await page.locator('[data-lane="ann"] [data-status="complete"]').first().waitFor()
    // As it happens, not when it is over.
    await came(visit, 3)
    expect(await page.locator('section [data-run-status]').getAttribute('data-run-status')).toBe('running')
    goOn(4)
    await stands(visit, 'success')
    await page.getByText('rich was reached').first().waitFor()
    expect(await page.locator('[data-plot="cash"]').getAttribute('aria-label')).toMatch(
      /^cash: 20 at the start, \d+ now, .*success rich at ≥ 60; failure broke at < 0$/,
    )
    expect(await page.locator('[data-band="weather"]').count()).toBe(1)
    await page.getByRole('link', { name: 'All runs' }).click()
    await page.locator('tr[data-run="first"]').getByText('success').waitFor()
    expect(visit.complaints).toEqual([])
    expect(visit.strayed).toEqual([])
  })

  test('is paused, resumed, stopped and retried', async () => {
    const { answer, goOn } = waitingMarket(2, 4)
    const server = await open({ answer, delay: 15 })
    await begun(server, 'steered')
    const visit = await enter(browser, server, 'app', '/runs/steered')
    await came(visit, 1)
    await press(visit, 'Pause')
    await stands(visit, 'paused')
    goOn(2)
    // On record no round begins from here on, however late the page shows the last.
    const rounds = ((await server.as('app').ask('GET', '/runs/steered')).body['rounds'] as readonly unknown[]).length
    await expect.poll(() => visit.page.locator('[data-monitor]').getAttribute('data-rounds')).toBe(String(rounds))
    await visit.page.waitForTimeout(500)
    expect(await visit.page.locator('[data-monitor]').getAttribute('data-rounds')).toBe(String(rounds))
    await press(visit, 'Resume')
    await stands(visit, 'running')
    await came(visit, rounds + 1)
    await press(visit, 'Stop')
    await stands(visit, 'stopped')
    expect(await visit.page.getByRole('button', { name: 'Pause' }).isDisabled()).toBe(true)
    goOn(4)
    await press(visit, 'Retry')
    // What was done of a turn that was stopped is not done twice: the goal is reached all the same.
    await stands(visit, 'success')
    expect(visit.complaints).toEqual([])
  })

  test('is shown as it was streamed last, however late an older answer comes', async () => {
    const { answer, goOn } = waitingMarket(2)
    const server = await open({ answer })
    await begun(server, 'late')
    const visit = await enter(browser, server, 'app', '/runs/late')
    const { page } = visit
    await came(visit, 1)
    await server.as('app').ask('POST', '/runs/late/pause')
    await stands(visit, 'paused')
    // The page asks for the board after its command. What it does then comes by the stream, and only after that.
    const held = await holdAnswers(page, '**/minutebook/v1/runs/late')
    await page.route('**/runs/late/resume', (route) => route.fulfill({ json: {} }))
    await press(visit, 'Resume')
    await held.read
    await server.as('app').ask('POST', '/runs/late/resume')
    await stands(visit, 'running')
    await held.passOn()
    expect(await page.locator('section [data-run-status]').getAttribute('data-run-status')).toBe('running')
    goOn(2)
    await stands(visit, 'success')
  })

  test('says that the server cannot be reached only as long as that is so', async () => {
    const { answer, goOn } = waitingMarket(2)
    const server = await open({ answer })
    await begun(server, 'back')
    const visit = await enter(browser, server, 'app')
    await visit.page.route('**/runs/back/events', (route) => route.abort())
    await visit.page.goto(`${server.url}/runs/back`)
    const cutOff = visit.page.getByText('The server cannot be reached. Retrying.')
    await cutOff.waitFor()
    await visit.page.unroute('**/runs/back/events')
    await cutOff.waitFor({ state: 'detached' })
    await stands(visit, 'running')
    goOn(2)
    await stands(visit, 'success')
  })

  test('moves nothing that is read while it goes on', async () => {
    const { answer, goOn } = waitingMarket(2)
    const server = await open({ answer, delay: 5 })
    await begun(server, 'calm')
    const visit = await enter(browser, server, 'app', '/runs/calm', { before: countShifts })
    await came(visit, 1)
    await visit.page.evaluate(() => {
      ;(window as unknown as { shifted: number }).shifted = 0
    })
    goOn(2)
    await stands(visit, 'success')
    expect(await visit.page.evaluate(() => (window as unknown as { shifted: number }).shifted)).toBeLessThan(0.02)
  })

  test('is forked with one change, and both are compared', async () => {
    const server = await open()
    await begun(server, 'left', shortMarket)
    const visit = await enter(browser, server, 'app', '/runs/left')
    const { page } = visit
    await stands(visit, 'limit')
    await press(visit, 'Fork')
    const dialog = page.getByRole('dialog', { name: 'Fork the run' })
    // The run is over, so the last round is played again if nothing else is chosen.
    expect(await dialog.getByRole('spinbutton', { name: 'First round' }).inputValue()).toBe('4')
    await dialog.getByRole('spinbutton', { name: 'First round' }).fill('3')
    await dialog.getByRole('combobox', { name: 'What is changed' }).selectOption('participants.bob.system')
    await dialog.getByRole('textbox', { name: 'New value' }).fill('You are nobody. You help at the stand.')
    await dialog.getByRole('textbox', { name: 'Name of the new run' }).fill('right')
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click()
    await page.waitForURL('**/runs/right')
    await page.getByText('at round 3').waitFor()
    await page
      .locator('[data-fork-changes="1"]')
      .getByText('The fork changed participants.bob.system You are bob. You help')
      .waitFor()
    await stands(visit, 'limit')
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.locator('[data-comparison][data-parts="3"]').waitFor()
    await page.getByText('Rounds 1 to 2 are the same').waitFor()
    await press(visit, 'Go to round 3')
    expect(await page.locator('[data-round="3"]').evaluate((round) => round === document.activeElement)).toBe(true)
    const turn = page.locator('[data-round="3"] [data-turn="bob"]')
    expect([await turn.getAttribute('data-prompts'), await turn.getAttribute('data-answers')]).toEqual([
      'other',
      'other',
    ])
    expect(
      await page
        .locator('[data-changes] [data-variable]')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-variable'))),
    ).toEqual(['participants.bob.system'])
    expect(visit.complaints).toEqual([])
  })

  test('is compared with its fork, whose words are the same: the changed field and the other arguments are shown', async () => {
    const server = await consoleServer({ upstream: { answer: judgedAnswer } })
    await begun(server, 'cold', judged)
    await expect.poll(async () => (await server.as('app').ask('GET', '/runs/cold')).body['status']).toBe('limit')
    await server.as('app').ask('POST', '/runs/cold/fork', {
      as: 'warm',
      round: 2,
      changes: { participants: { judge: { model: { options: { temperature: 0.7 } } } } },
    })
    await expect.poll(async () => (await server.as('app').ask('GET', '/runs/warm')).body['status']).toBe('limit')
    const visit = await enter(browser, server, 'admin', '/runs/compare?left=cold&right=warm')
    const { page } = visit
    await page.locator('[data-comparison][data-parts="2"]').waitFor()
    expect(await page.locator('[data-changes="1"] [data-variable]').innerText()).toMatch(
      /participants\.judge\.model\.options\.temperature\s+0\s+0\.7/,
    )
    const turn = page.locator('[data-round="2"] [data-turn="judge"]')
    expect([await turn.getAttribute('data-answers'), await turn.getAttribute('data-calls')]).toEqual(['same', 'other'])
    expect(await turn.locator('[data-call="rate"][data-same="false"]').allInnerTexts()).toEqual([
      expect.stringContaining('rate {"points":7}'),
      expect.stringContaining('rate {"points":9}'),
    ])
    expect(await turn.getByText('They work well together.').count()).toBe(2)
    await turn.getByRole('link', { name: 'What the model saw in warm' }).click()
    await page.locator('[data-window-strip]').waitFor()
    expect(page.url()).toContain('/threads/~')
    const viewer = await enter(browser, server, 'viewer', '/runs/compare?left=cold&right=warm')
    await viewer.page.locator('[data-comparison][data-parts="2"]').waitFor()
    expect(await viewer.page.locator('[data-changes]').count()).toBe(0)
    expect(await viewer.page.content()).not.toContain('temperature')
    expect(visit.complaints).toEqual([])
  })

  test('shows what a participant was asked, did and said, and what the model saw of it', async () => {
    const server = await open()
    await begun(server, 'seen', shortMarket)
    const visit = await enter(browser, server, 'admin', '/runs/seen')
    const { page } = visit
    await stands(visit, 'limit')
    await page.locator('[data-lane="ann"] [data-cell="0 0"]').click()
    const panel = page.getByRole('complementary', { name: 'ann in round 1' })
    await panel.locator('[data-asked]').getByText('What do you do today?').waitFor()
    await panel.locator('[data-effect="buy"] li').getByText('lemons').waitFor()
    await panel.locator('[data-answer]').getByText('Three more lemons').waitFor()
    const { rounds } = await server
      .as('admin')
      .ask('GET', '/runs/seen')
      .then(({ body }) => body as { rounds: { cells: { calls: { receipt: string; hash: string }[] }[] }[] })
    const { receipt, hash } = rounds[0]!.cells[0]!.calls[1]!
    await panel.getByRole('link', { name: 'What the model saw, call 2' }).click()
    await page.locator(`[data-inspector][data-receipt="${receipt}"][data-hash="${hash}"]`).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('shows in each cell what the model did not get to see, and beside the question what it saw of it', async () => {
    const server = await consoleServer({ upstream: { answer: 'I do nothing.', window: 600 } })
    const weather = Array.from({ length: 500 }, (_, index) => `cloud${index}`).join(' ')
    await begun(
      server,
      'clipped',
      `name: clipped\nparticipants: { ann: { model: { name: strict, window: 4096 } }, bob: { model: { name: strict, window: 600 } } }\nenvironment: { weather: "${weather}", cash: 3 }\nrounds: [{ play: sequence, participants: [ann], ask: What do you do? }, { play: sequence, participants: [bob], ask: And you? }]\nlimits: { rounds: 2 }\n`.replace(
        'bob: {',
        'bob: { sees: [cash],',
      ),
    )
    const visit = await enter(browser, server, 'admin', '/runs/clipped')
    const { page } = visit
    await stands(visit, 'limit')
    expect(await page.locator('[data-lane="ann"] [data-cell="0 0"] [data-gaps]').getAttribute('data-gaps')).toBe(
      'question window',
    )
    expect(await page.locator('[data-lane="ann"] [data-cell="0 0"]').innerText()).toContain('question clipped')
    expect(await page.locator('[data-lane="bob"] [data-gaps]').count()).toBe(0)
    await page.locator('[data-cell="0 0"]').click()
    const panel = page.getByRole('complementary', { name: 'ann in round 1' })
    await panel.locator('[data-asked]').getByText('cloud250').waitFor()
    await panel.locator('[data-seen]').getByText('question clipped; window of 600 tokens, not 4,096.').waitFor()
    const seen = await panel.getByRole('region', { name: 'What the model saw of it' }).innerText()
    expect(seen).toContain('What do you do?')
    expect(seen).not.toContain('cloud250')
    const sent = server.upstream.requests.find(({ messages }) => messages.length > 0)!
    expect(String(sent.messages.at(-1)!.content)).not.toContain('cloud250')
    await panel.getByRole('link', { name: 'See the whole prompt' }).click()
    await page.locator('[data-entry-detail]').getByText('clipped to fit').first().waitFor()
    await page.goto(`${server.url}/runs/clipped?round=2&participant=bob`)
    await page.locator('[data-asked]').getByText('And you?').waitFor()
    expect(await page.locator('[data-seen]').count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('shows word by word what a participant says right now', async () => {
    const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ')
    const { pauseAfter, goOn } = pausing()
    // The model waits for the page: however long that takes to open, it is there for the first word.
    const opened = Promise.withResolvers<undefined>()
    const server = await consoleServer({
      upstream: { answer: async () => opened.promise.then(() => words), delay: 20, pauseAfter },
    })
    await begun(
      server,
      'spoken',
      'name: speech\nparticipants: { ann: { model: strict } }\nrounds: [{ play: sequence, ask: Speak. }]\nlimits: { rounds: 1 }\n',
    )
    const visit = await enter(browser, server, 'app', '/runs/spoken?round=1&participant=ann')
    const { page } = visit
    await page.getByRole('region', { name: 'Right now' }).waitFor()
    await page.getByRole('region', { name: 'Right now' }).getByText('Speak.').waitFor()
    opened.resolve(undefined)
    await page.locator('[data-live]').filter({ hasText: 'word5' }).waitFor()
    goOn()
    await page.locator('[data-answer]').getByText(words).waitFor()
    expect(await page.locator('[data-live]').count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('is gone through by keyboard', async () => {
    const server = await open()
    await begun(server, 'keys', shortMarket)
    const visit = await enter(browser, server, 'app', '/runs/keys')
    const { page } = visit
    await stands(visit, 'limit')
    const at = (): Promise<string | null | undefined> =>
      page.evaluate(() => document.activeElement?.getAttribute('data-cell'))
    await page.locator('[data-monitor] [tabindex="0"]').focus()
    await page.keyboard.press('Home')
    await expect.poll(at).toBe('0 0')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect.poll(at).toBe('1 1')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'bob in round 2' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('complementary', { name: 'bob in round 1' }).waitFor()
    await expect.poll(at).toBe('1 0')
    await page.keyboard.press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    await expect.poll(at).toBe('1 0')
  })

  test('is only looked at by a viewer, without what nobody in it sees', async () => {
    const server = await open()
    await begun(server, 'looked-at', shortMarket)
    const visit = await enter(browser, server, 'viewer', '/runs/looked-at')
    const { page } = visit
    await stands(visit, 'limit')
    await page.locator('[data-hidden-count="1"]').waitFor()
    expect(await page.locator('[data-plot="tide"]').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    await page.locator('[data-cell="0 0"]').click()
    await page.locator('[data-asked]').getByText('What do you do today?').waitFor()
    expect(await page.content()).not.toContain('You run a stand')
    await page.getByRole('link', { name: 'All runs' }).click()
    await page.locator('tr[data-run="looked-at"]').waitFor()
    expect(await page.getByRole('button', { name: 'Begin a run' }).count()).toBe(0)
  })

  test('shows whatever its participants say as text', async () => {
    const answer =
      '<img src="https://elsewhere.example/a.png" onerror="window.ran()"> ![b](https://elsewhere.example/b.png) \u202Eturned'
    const server = await consoleServer({ upstream: { answer } })
    await begun(
      server,
      'hostile',
      'name: "<b>bold\u202E</b>"\nenvironment: { motto: "<script>window.ran()</script>" }\nparticipants: { ann: { model: strict } }\nlimits: { rounds: 2 }\n',
    )
    const visit = await enter(browser, server, 'app', '/runs/hostile?round=1&participant=ann', { before: countRuns })
    const { page } = visit
    await stands(visit, 'limit')
    await page.locator('[data-answer]').getByText('onerror').waitFor()
    expect(await page.locator('[data-cell="0 0"]').textContent()).toContain('⟨U+202E⟩turned')
    expect(await page.locator('h1').textContent()).toContain('<b>bold⟨U+202E⟩</b>')
    await page.goto(`${server.url}/runs/compare?left=hostile&right=hostile`)
    await page.getByText('Nothing differs in 2 rounds').waitFor()
    await page.locator('summary').click()
    await page.locator('[data-round="1"]').getByText('onerror').waitFor()
    expect(await page.evaluate(() => (window as unknown as { ranCount: number }).ranCount)).toBe(0)
    expect([visit.strayed, visit.complaints]).toEqual([[], []])
  })

  test('that there is not is told so', async () => {
    const visit = await enter(browser, await open(), 'app', '/runs/nowhere')
    await visit.page.getByText('No such run').waitFor()
  })
})
