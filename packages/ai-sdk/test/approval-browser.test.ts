import { askUser, defineTool, type Model, type Tool } from 'minutebook'
import type { ChatOptions } from '@minutebook/ai-sdk'
import { scriptedModel, type ScriptedLine } from '@minutebook/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { createGate, gated, type Gate } from './support/chat.ts'
import { does, isReady, openSite, pageScript, recorded, shown, shows, type Site } from './support/site.ts'

const browser = testBrowser()
beforeAll(async () => void (await pageScript()))

const order = { name: 'order', id: 'c1', arguments: { item: 'fern' } }
const order2 = { name: 'order', id: 'c2', arguments: { item: 'moss' } }
const ask = { name: 'ask_user', id: 'c3', arguments: { question: 'Which?' } }
const ask2 = { name: 'ask_user', id: 'c4', arguments: { question: 'Where?' } }
const never = new Promise<never>(() => undefined)

interface Shop extends Site {
  /** The items that were ordered. */
  readonly ran: string[]
  /** What the model says after its first answer passes here. Default: open. */
  readonly model: Gate
  /** An order passes here before it is done. Default: open. */
  readonly tool: Gate
}

async function openShop(
  lines: readonly ScriptedLine[],
  { model = openGate(), tool = openGate(), ...options }: ChatOptions & { model?: Gate; tool?: Gate } = {},
): Promise<Shop> {
  const ran: string[] = []
  const ordering: Tool = defineTool({
    name: 'order',
    parameters: { type: 'object' },
    approve: true,
    run: async (input) => {
      ran.push((input as { item: string }).item)
      await tool.pass()
      return { done: true }
    },
  })
  const first = scriptedModel(lines)
  const later = gated(first, model)
  let answers = 0
  const both: Model = Object.assign(
    (...[request]: Parameters<Model>) => (answers++ === 0 ? first : later)(request),
    first,
  )
  return { ...(await openSite(both, { ...options, tools: [ordering, askUser] })), ran, model, tool }
}

function openGate(): Gate {
  const gate = createGate()
  gate.open()
  return gate
}

interface ShownCall {
  readonly toolCallId: string
  readonly state: string
  readonly approval?: { readonly id: string; readonly approved?: boolean; readonly reason?: string }
}

/** The calls of the last answer that a page shows. */
async function calls(visit: Visit): Promise<ShownCall[]> {
  const answer = (await shown(visit)).findLast(({ role }) => role === 'assistant')
  return (answer?.parts ?? []).filter(({ type }) => type.startsWith('tool-')) as never
}

async function states(visit: Visit): Promise<string[]> {
  return (await calls(visit)).map(({ state }) => state)
}

/** Asks, and waits until the page shows calls in these states. */
async function asked(visit: Visit, expected: readonly string[]): Promise<void> {
  await isReady(visit)
  await does(visit, `hook.sendMessage({ text: 'I need a fern' })`)
  await isWaiting(visit, expected)
}

async function isWaiting(visit: Visit, expected: readonly string[]): Promise<void> {
  await expect.poll(() => states(visit)).toEqual(expected)
  await isReady(visit)
}

async function decide(visit: Visit, call: string, approved: boolean, reason?: string): Promise<void> {
  const found = (await calls(visit)).find(({ toolCallId }) => toolCallId === call)
  const response = { id: found?.approval?.id, approved, ...(reason !== undefined && { reason }) }
  await does(visit, `hook.addToolApprovalResponse(${JSON.stringify(response)})`)
}

function answer(visit: Visit, call: string, output: unknown): Promise<unknown> {
  return does(visit, `hook.addToolOutput(${JSON.stringify({ tool: 'ask_user', toolCallId: call, output })})`)
}

function stop(visit: Visit): Promise<unknown> {
  return visit.page.evaluate(`fetch('/api/chat/t', { method: 'DELETE' }).then(({ status }) => status)`)
}

/** The page says this, is ready, has what is on record, and has it after a reload, too. */
async function hasAll(visit: Visit, { thread }: Shop, text: string, refused: readonly string[] = []): Promise<void> {
  await shows(visit, text)
  await isReady(visit)
  expect(await shown(visit)).toEqual(await recorded(thread))
  await visit.page.reload()
  await isReady(visit)
  expect(await shown(visit)).toEqual(await recorded(thread))
  expect([visit.complaints, visit.refused]).toEqual([[], refused])
}

describe('a call that needs approval, in a browser', () => {
  test('is shown, waits through a reload, runs once, and the answer comes', async () => {
    const shop = await openShop([{ text: 'I order it. ', calls: [order] }, 'It comes on Friday.'])
    const visit = await browser.open(shop.url)
    await asked(visit, ['approval-requested'])
    expect(await shown(visit)).toEqual(await recorded(shop.thread))
    await visit.page.reload()
    await isWaiting(visit, ['approval-requested'])
    expect(shop.ran).toEqual([])
    await decide(visit, 'c1', true)
    await hasAll(visit, shop, 'It comes on Friday.')
    expect(await states(visit)).toEqual(['output-available'])
    expect(shop.ran).toEqual(['fern'])
  })

  test('is refused with a reason, which the model is told', async () => {
    const shop = await openShop([{ calls: [order] }, 'Then not.'])
    const visit = await browser.open(shop.url)
    await asked(visit, ['approval-requested'])
    await decide(visit, 'c1', false, 'too dear')
    await hasAll(visit, shop, 'Then not.')
    expect(await calls(visit)).toMatchObject([
      { state: 'output-denied', approval: { approved: false, reason: 'too dear' } },
    ])
    expect((await shop.thread.messages())[2]?.content).toBe('(refused: too dear)')
    expect(shop.ran).toEqual([])
  })

  test('is decided in one tab, and the other that decides later shows the same', async () => {
    const shop = await openShop([{ calls: [order] }, 'It comes on Friday.'])
    const [first, second] = [await browser.open(shop.url), await browser.open(shop.url)]
    await asked(first, ['approval-requested'])
    await second.page.reload()
    await isWaiting(second, ['approval-requested'])
    await decide(first, 'c1', true)
    await shows(first, 'It comes on Friday.')
    expect(await states(second)).toEqual(['approval-requested'])
    await decide(second, 'c1', false, 'too dear')
    await hasAll(second, shop, 'It comes on Friday.')
    await hasAll(first, shop, 'It comes on Friday.')
    expect(shop.ran).toEqual(['fern'])
  })

  test('is decided in two tabs while the tool runs, and runs once', async () => {
    const shop = await openShop([{ calls: [order] }, 'It comes on Friday.'], { tool: createGate() })
    const first = await browser.open(shop.url)
    await asked(first, ['approval-requested'])
    const second = await browser.open(shop.url)
    await isWaiting(second, ['approval-requested'])
    await decide(first, 'c1', true)
    await shop.tool.allow(0, never)
    await decide(second, 'c1', true)
    await expect.poll(() => states(second)).toEqual(['approval-responded'])
    shop.tool.open()
    await hasAll(first, shop, 'It comes on Friday.')
    await hasAll(second, shop, 'It comes on Friday.')
    expect(shop.ran).toEqual(['fern'])
  })

  test('that waits twice in one answer is decided twice', async () => {
    const shop = await openShop([{ calls: [order] }, { calls: [order2] }, 'Both come.'])
    const visit = await browser.open(shop.url)
    await asked(visit, ['approval-requested'])
    await decide(visit, 'c1', true)
    await isWaiting(visit, ['output-available', 'approval-requested'])
    await decide(visit, 'c2', true)
    await hasAll(visit, shop, 'Both come.')
    expect(shop.ran).toEqual(['fern', 'moss'])
  })
})

describe('stop, in a browser', () => {
  test('while calls wait: none runs, and a page that decides later shows that', async () => {
    const shop = await openShop([{ calls: [order, ask] }, 'Not said.'])
    const visit = await browser.open(shop.url)
    await asked(visit, ['approval-requested', 'input-available'])
    const other = await browser.open(shop.url)
    await isWaiting(other, ['approval-requested', 'input-available'])
    expect(await stop(visit)).toBe(204)
    await decide(other, 'c1', true)
    await answer(other, 'c3', 'the green one')
    await hasAll(other, shop, 'output-denied')
    expect(await states(other)).toEqual(['output-denied', 'output-error'])
    expect(shop.ran).toEqual([])
    expect(await shop.thread.waiting()).toEqual([])
  })

  test.each([
    ['approval', order, 'output-denied'],
    ['an answer', ask, 'output-error'],
  ])('while a call waits for %s: the page that stopped shows it', async (_, call, state) => {
    const shop = await openShop([{ calls: [call] }, 'Not said.'])
    const visit = await browser.open(shop.url)
    await asked(visit, [call === order ? 'approval-requested' : 'input-available'])
    expect(await stop(visit)).toBe(204)
    await does(visit, `hook.sendMessage()`)
    await hasAll(visit, shop, state)
  })

  test('while the approved tool runs', async () => {
    const shop = await openShop([{ calls: [order] }, 'Not said.'], { tool: createGate() })
    const visit = await browser.open(shop.url)
    await asked(visit, ['approval-requested'])
    await decide(visit, 'c1', true)
    await shop.tool.allow(0, never)
    expect(await stop(visit)).toBe(204)
    await hasAll(visit, shop, 'output-error')
    expect(JSON.stringify(await shown(visit))).not.toContain('Not said.')
    shop.tool.open()
  })

  test.each([0, 2])('while the model answers after the tool, and has said %i words', async (words) => {
    const shop = await openShop([{ calls: [order] }, 'It comes on Friday.'], { model: createGate() })
    const visit = await browser.open(shop.url)
    await asked(visit, ['approval-requested'])
    await decide(visit, 'c1', true)
    await shop.model.allow(words, never)
    await shows(visit, words > 0 ? 'It comes' : 'output-available')
    const other = await browser.open(shop.url)
    await shows(other, words > 0 ? 'It comes' : 'output-available')
    expect(await stop(visit)).toBe(204)
    await hasAll(visit, shop, 'output-available')
    await hasAll(other, shop, 'output-available')
    expect(JSON.stringify(await shown(visit))).not.toContain('Friday')
    expect(shop.ran).toEqual(['fern'])
  })
})

describe('a tool of the page, in a browser', () => {
  test('is answered by it', async () => {
    const shop = await openShop([{ calls: [ask] }, 'The green one it is.'])
    const visit = await browser.open(shop.url)
    await asked(visit, ['input-available'])
    await answer(visit, 'c3', 'the green one')
    await hasAll(visit, shop, 'The green one it is.')
    expect((await shop.thread.messages())[2]?.content).toBe('the green one')
  })

  test.each([
    ['in order', ['c3', 'c4']],
    ['in the other order', ['c4', 'c3']],
  ])('is called twice in one step, and answered %s', async (_, order) => {
    const shop = await openShop([{ calls: [ask, ask2] }, 'I see.'])
    const visit = await browser.open(shop.url)
    await asked(visit, ['input-available', 'input-available'])
    for (const id of order) await answer(visit, id, `for ${id}`)
    await hasAll(visit, shop, 'I see.')
    expect(await calls(visit)).toMatchObject([{ output: 'for c3' }, { output: 'for c4' }])
  })

  test.each(['the approval', 'the answer'])('waits next to a call that needs approval: %s first', async (first) => {
    const shop = await openShop([{ calls: [order, ask] }, 'It comes on Friday.'])
    const visit = await browser.open(shop.url)
    await asked(visit, ['approval-requested', 'input-available'])
    if (first === 'the approval') await decide(visit, 'c1', true)
    await answer(visit, 'c3', 'the green one')
    if (first === 'the answer') await decide(visit, 'c1', true)
    await hasAll(visit, shop, 'It comes on Friday.')
    expect(await states(visit)).toEqual(['output-available', 'output-available'])
    expect(shop.ran).toEqual(['fern'])
  })

  test('is answered in one tab, and the other that answers later shows the first answer', async () => {
    const shop = await openShop([{ calls: [ask] }, 'The green one it is.'])
    const first = await browser.open(shop.url)
    await asked(first, ['input-available'])
    const second = await browser.open(shop.url)
    await isWaiting(second, ['input-available'])
    await answer(first, 'c3', 'the green one')
    await shows(first, 'The green one it is.')
    await answer(second, 'c3', 'the red one')
    await hasAll(second, shop, 'The green one it is.')
    await hasAll(first, shop, 'The green one it is.')
  })
})

describe('a new message while a call waits, in a browser', () => {
  test('is refused, the call can still be decided, and the message is sent when the page asks again', async () => {
    const shop = await openShop([{ calls: [order] }, 'It comes on Friday.', 'You are welcome.'])
    const visit = await browser.open(shop.url)
    await asked(visit, ['approval-requested'])
    await does(visit, `hook.sendMessage({ text: 'Thanks' })`)
    await visit.page.locator('pre#error').waitFor()
    expect(await visit.page.evaluate('hook.error.message')).toBe('A call waits for a decision.')
    await decide(visit, 'c1', true)
    await does(visit, `hook.sendMessage()`)
    await shows(visit, 'It comes on Friday.')
    await isReady(visit)
    await does(visit, `hook.regenerate()`)
    await hasAll(visit, shop, 'You are welcome.', ['409 /api/chat'])
    expect(shop.ran).toEqual(['fern'])
    expect(await shop.thread.branches()).toHaveLength(1)
  })

  test('ends the turn that waits, if the chat says so', async () => {
    const shop = await openShop([{ calls: [order] }, 'Moss, then.'], { ifBusy: 'interrupt' })
    const visit = await browser.open(shop.url)
    await asked(visit, ['approval-requested'])
    await does(visit, `hook.sendMessage({ text: 'Moss is better' })`)
    await shows(visit, 'Moss, then.')
    await isReady(visit)
    const first = (await shown(visit))[1]
    await visit.page.evaluate(
      `hook.addToolApprovalResponse({ id: hook.messages[1].parts[1].approval.id, approved: true })`,
    )
    expect(first?.parts).toMatchObject([{}, { state: 'approval-requested' }])
    await isReady(visit)
    await visit.page.reload()
    await hasAll(visit, shop, 'output-denied')
    expect(shop.ran).toEqual([])
  })
})
