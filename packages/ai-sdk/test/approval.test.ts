import type { UIMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import {
  askUser,
  compile,
  defineTool,
  localFeed,
  memoryStore,
  openBook,
  type Message,
  type Model,
  type Thread,
} from 'minutebook'
import { chatHandler, recordTo, uiMessagesOf } from '@minutebook/ai-sdk'
import { scriptedModel, type ScriptedAnswer, type ScriptedLine } from '@minutebook/testing'
import { createGate, loadedPage, PlainChat, shownBy, unnumbered } from './support/chat.ts'

const order = { name: 'order', id: 'c1', arguments: { item: 'fern' } }
const look = { name: 'look', id: 'c2', arguments: {} }
const ask = { name: 'ask_user', id: 'c3', arguments: { question: 'Which?' } }
const order2 = { name: 'order', id: 'c4', arguments: { item: 'moss' } }

interface Shop {
  readonly thread: Thread
  readonly ran: string[]
  readonly handler: (request: Request) => Promise<Response>
  readonly page: () => PlainChat
}

function shopOf(lines: readonly ScriptedLine[], wire?: NonNullable<Model['wire']>): Shop {
  const ran: string[] = []
  const run = (name: string, approve: boolean): ReturnType<typeof defineTool> =>
    defineTool({
      name,
      parameters: { type: 'object' },
      ...(approve && { approve }),
      run: (input) => {
        ran.push(`${name} ${JSON.stringify(input)}`)
        return { done: name }
      },
    })
  const model = wire === 'ollama' ? unnumbered(scriptedModel(lines, { wire })) : scriptedModel(lines)
  const tools = [run('order', true), run('look', false), askUser]
  const book = openBook({ store: memoryStore(), feed: localFeed(), model, window: 8192, tools })
  const handler = chatHandler((id) => book.thread(id))
  return { thread: book.thread('t'), ran, handler, page: () => new PlainChat('t', [], handler) }
}

async function record(thread: Thread): Promise<unknown> {
  return JSON.parse(JSON.stringify(uiMessagesOf(await thread.entries())))
}

function callsOf(chat: { readonly messages: readonly UIMessage[] }): { state: string; approval?: { id: string } }[] {
  return (chat.messages.at(-1)?.parts ?? []).filter(({ type }) => type.startsWith('tool-')) as never
}

function approvalIds(chat: PlainChat): string[] {
  return callsOf(chat).flatMap(({ approval }) => (approval ? [approval.id] : []))
}

async function waitingPage(shop: Shop): Promise<PlainChat> {
  const chat = shop.page()
  await chat.sendMessage({ text: 'I need a fern' })
  expect(chat.status).toBe('ready')
  expect(shownBy(chat)).toEqual(await record(shop.thread))
  return chat
}

type Calls = NonNullable<ScriptedAnswer['calls']>

const shops: readonly (readonly [string, Calls, NonNullable<Model['wire']> | undefined])[] = [
  ['one call', [order], undefined],
  ['a call that runs at once before it', [look, order], undefined],
  ['a call that runs at once behind it', [order, look], undefined],
  [
    'calls without ids',
    [order, look, order2].map((call) => ({ name: call.name, arguments: call.arguments })),
    'ollama',
  ],
]

describe('a call that needs approval', () => {
  test.each(shops)('waits on the page, and runs into the same message: %s', async (_, calls, wire) => {
    const shop = shopOf(
      [
        { text: 'Let me see. ', calls },
        { reasoning: 'Well.', text: 'It comes.' },
      ],
      wire,
    )
    const { thread, handler } = shop
    const chat = await waitingPage(shop)
    const ids = approvalIds(chat)
    expect(ids).toEqual((await thread.waiting()).map(({ id }) => id))
    const { chat: reloaded } = await loadedPage('t', handler)
    expect(shownBy(reloaded)).toEqual(shownBy(chat))
    for (const id of ids) await chat.addToolApprovalResponse({ id, approved: true })
    await chat.sendMessage()
    expect([chat.status, chat.messages.length]).toEqual(['ready', 2])
    expect(shownBy(chat)).toEqual(await record(thread))
    expect(callsOf(chat).every(({ state }) => state === 'output-available')).toBe(true)
    expect(shop.ran).toHaveLength(calls.length)
    expect((await loadedPage('t', handler)).chat.messages).toEqual(shownBy(chat))
  })

  test('that is refused is denied, with the reason', async () => {
    const shop = shopOf([{ calls: [order, order2] }, 'Then not.'])
    const chat = await waitingPage(shop)
    const [first, second] = approvalIds(chat)
    await chat.addToolApprovalResponse({ id: first!, approved: false, reason: 'too dear' })
    await chat.addToolApprovalResponse({ id: second!, approved: true, reason: 'why not' })
    await chat.sendMessage()
    expect(shownBy(chat)).toEqual(await record(shop.thread))
    expect(callsOf(chat)).toMatchObject([
      { state: 'output-denied', approval: { id: first, approved: false, reason: 'too dear' } },
      { state: 'output-available', approval: { id: second, approved: true } },
    ])
    expect(shop.ran).toHaveLength(1)
  })

  test('is decided once, by the first page', async () => {
    const shop = shopOf([{ calls: [order] }, 'It comes.'])
    const chat = await waitingPage(shop)
    const { chat: other } = await loadedPage('t', shop.handler)
    const [id] = approvalIds(chat)
    await other.addToolApprovalResponse({ id: id!, approved: false, reason: 'no' })
    await chat.addToolApprovalResponse({ id: id!, approved: true })
    await chat.sendMessage()
    await other.sendMessage()
    expect([other.status, shownBy(other)]).toEqual(['ready', await record(shop.thread)])
    expect(shownBy(chat)).toEqual(shownBy(other))
    expect(shop.ran).toHaveLength(1)
    await other.sendMessage()
    expect([other.status, other.error?.message]).toEqual(['error', 'No call of this answer waits for a decision.'])
  })

  test('that the thread no longer has is denied, on every page', async () => {
    const shop = shopOf([{ calls: [order] }, 'It comes.'])
    const chat = await waitingPage(shop)
    const [id] = approvalIds(chat)
    await shop.handler(new Request('http://app.test/api/chat/t', { method: 'DELETE' }))
    expect(await shop.thread.waiting()).toEqual([])
    await chat.addToolApprovalResponse({ id: id!, approved: true })
    await chat.sendMessage()
    expect(shownBy(chat)).toEqual(await record(shop.thread))
    expect(callsOf(chat)).toMatchObject([{ state: 'output-denied', approval: { approved: false } }])
    expect(shop.ran).toEqual([])
  })

  test('gets no result from the page, and no approval under another id', async () => {
    const shop = shopOf([{ calls: [order] }, 'It comes.'])
    const chat = await waitingPage(shop)
    const before = await record(shop.thread)
    await chat.addToolOutput({ tool: 'order', toolCallId: 'c1', output: 'free of charge' })
    await chat.sendMessage()
    expect([chat.status, shownBy(chat)]).toEqual(['ready', before])
    const forged = structuredClone(chat.messages)
    const part = callsOf({ messages: forged })[0]!
    Object.assign(part, { state: 'approval-responded', approval: { id: `${'0'.repeat(64)}.0`, approved: true } })
    const page = new PlainChat('t', forged, shop.handler)
    await page.sendMessage()
    expect(shownBy(page)).toEqual(before)
    expect(await shop.thread.waiting()).toHaveLength(1)
    expect(shop.ran).toEqual([])
  })
})

describe('a tool of the page', () => {
  test('is answered by it, and other calls still wait', async () => {
    const shop = shopOf([{ calls: [order, ask] }, 'It comes.'])
    const chat = await waitingPage(shop)
    expect(callsOf(chat).map(({ state }) => state)).toEqual(['approval-requested', 'input-available'])
    await chat.addToolOutput({ tool: 'ask_user', toolCallId: 'c3', output: 'the green one' })
    await chat.sendMessage()
    expect(shownBy(chat)).toEqual(await record(shop.thread))
    expect(callsOf(chat).map(({ state }) => state)).toEqual(['approval-requested', 'output-available'])
    await chat.addToolApprovalResponse({ id: approvalIds(chat)[0]!, approved: true })
    await chat.sendMessage()
    expect(shownBy(chat)).toEqual(await record(shop.thread))
    expect(JSON.stringify(chat.messages)).toContain('It comes.')
  })

  test('that failed there is told to the model', async () => {
    const shop = shopOf([{ calls: [ask] }, 'I choose.'])
    const chat = await waitingPage(shop)
    await chat.addToolOutput({ state: 'output-error', tool: 'ask_user', toolCallId: 'c3', errorText: 'nobody is here' })
    await chat.sendMessage()
    expect(shownBy(chat)).toEqual(await record(shop.thread))
    expect((await shop.thread.messages())[2]?.content).toBe('(refused: nobody is here)')
  })
})

describe('an output that a page sends', () => {
  const which = { name: 'ask_user', id: 'same', arguments: { question: 'Which?' } }
  const where = { name: 'ask_user', id: 'same', arguments: { question: 'Where?' } }
  const bare = [which, where].map(({ name, arguments: given }) => ({ name, arguments: given }))

  /** The page answers the first question, and another one waits by the time that the output is sent. */
  const moved: readonly (readonly [string, readonly ScriptedLine[], (shop: Shop) => Promise<unknown>])[] = [
    ['the next step', [{ calls: [which] }, { calls: [where] }], refuse],
    ['the next turn', [{ calls: [which] }, { calls: [where] }], interrupt],
    ['a retry', [{ calls: [which] }, { calls: [where] }], retry],
    ['another branch', [{ calls: [which] }, { calls: [where] }], regenerate],
    ['another branch, by the same made id', bare.map((call) => ({ calls: [call] })), regenerate],
  ]
  async function interrupt({ thread }: Shop): Promise<void> {
    await thread.send('Or moss', { ifBusy: 'interrupt' }).done
  }

  async function regenerate({ thread, handler }: Shop): Promise<void> {
    await thread.cancel()
    await (await loadedPage('t', handler)).chat.regenerate()
  }

  async function retry({ thread }: Shop): Promise<void> {
    await thread.cancel()
    await thread.retry().done
  }

  async function refuse({ thread }: Shop): Promise<void> {
    const [open] = await thread.waiting()
    await thread.decide(open!.id, { do: 'refuse' }).done
  }

  test.each(moved)('does not answer the call with the same id in %s', async (name, lines, move) => {
    const shop = shopOf(lines, name.includes('made') ? 'ollama' : undefined)
    const chat = await waitingPage(shop)
    const [{ toolCallId }] = callsOf(chat) as unknown as [{ toolCallId: string }]
    await move(shop)
    const [open] = await shop.thread.waiting()
    expect(JSON.stringify(open?.call)).toContain('Where?')
    await chat.addToolOutput({ tool: 'ask_user', toolCallId, output: 'the green one' })
    await chat.sendMessage()
    expect(await shop.thread.waiting()).toEqual([open])
    expect(JSON.stringify(await shop.thread.messages())).not.toContain('the green one')
  })

  test('answers the calls without ids in their order', async () => {
    const shop = shopOf([{ calls: bare }, 'I see.'], 'ollama')
    const chat = await waitingPage(shop)
    const ids = (callsOf(chat) as unknown as { toolCallId: string }[]).map(({ toolCallId }) => toolCallId)
    await chat.addToolOutput({ tool: 'ask_user', toolCallId: ids[1]!, output: 'in the hall' })
    await chat.addToolOutput({ tool: 'ask_user', toolCallId: ids[0]!, output: 'the green one' })
    await chat.sendMessage()
    expect(shownBy(chat)).toEqual(await record(shop.thread))
    expect(callsOf(chat)).toMatchObject([
      { input: which.arguments, output: 'the green one' },
      { input: where.arguments, output: 'in the hall' },
    ])
  })
})

test('a page that sends by itself goes on through all that waits', async () => {
  const shop = shopOf([{ calls: [order] }, { calls: [order2] }, 'Both come.'])
  const { lastAssistantMessageIsCompleteWithApprovalResponses: isDecided } = await import('ai')
  const chat = new PlainChat('t', [], shop.handler, isDecided)
  await chat.sendMessage({ text: 'Both' })
  for (const name of ['c1', 'c4']) {
    await expect.poll(() => JSON.stringify(callsOf(chat).at(-1))).toContain(`"${name}","state":"approval-requested"`)
    await expect.poll(() => chat.status).toBe('ready')
    await chat.addToolApprovalResponse({ id: approvalIds(chat).at(-1)!, approved: true })
  }
  await expect.poll(() => JSON.stringify(chat.messages)).toContain('Both come.')
  await expect.poll(() => chat.status).toBe('ready')
  expect(shownBy(chat)).toEqual(await record(shop.thread))
})

test('a page that is loaded while an approved call runs has in the end what is on record', async () => {
  const gate = createGate()
  const model = scriptedModel([{ calls: [order, order2] }, 'One comes.'])
  const run = async (): Promise<string> => {
    await gate.pass()
    return 'on its way'
  }
  const tool = defineTool({ name: 'order', parameters: {}, approve: true, run })
  const book = openBook({ store: memoryStore(), feed: localFeed(), model, window: 8192, tools: [tool] })
  const handler = chatHandler((id) => book.thread(id))
  const chat = new PlainChat('t', [], handler)
  await chat.sendMessage({ text: 'Both' })
  const [first, second] = approvalIds(chat)
  await chat.addToolApprovalResponse({ id: first!, approved: true })
  await chat.addToolApprovalResponse({ id: second!, approved: false })
  const sent = chat.sendMessage()
  await gate.allow(0, sent)
  const { chat: other, resumed } = await loadedPage('t', handler)
  expect(other.messages).toHaveLength(1)
  gate.open()
  await Promise.all([sent, resumed])
  const expected = await record(book.thread('t'))
  expect(shownBy(chat)).toEqual(expected)
  expect(shownBy(other)).toEqual(expected)
  expect(callsOf(other).map(({ state }) => state)).toEqual(['output-available', 'output-denied'])
})

test('a recorder does not end the wait of a call that needs approval', async () => {
  const tools = [defineTool({ name: 'order', approve: true, run: () => 'bought' })]
  const store = memoryStore()
  const model = scriptedModel([{ calls: [order] }, 'It comes.'])
  const thread = openBook({ store, model, window: 8192, tools }).thread('t')
  expect((await thread.send('I need a fern').done).status).toBe('waiting')
  const tool_calls = [
    { id: 'c1', type: 'function', function: { name: 'order', arguments: '{"item":"fern"}' } },
  ] as const
  const question = { role: 'user', content: 'I need a fern' } as const
  const histories: readonly Message[][] = [
    [
      question,
      { role: 'assistant', content: 'Sure.', tool_calls },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
    ],
    [{ role: 'user', content: 'Hello' }],
    [question],
  ]
  const record = recordTo(store, 't')
  const { length } = await store.read('t')
  for (const incoming of histories) {
    const plan = compile(incoming, { window: 8192 }).plan
    const answer = [{ role: 'assistant', content: 'I bought it.' }] as const
    const turn = { incoming, answer, notes: [], earlier: [], status: 'complete', plan, tokens: 1, usage: {} } as const
    await expect(record(turn)).rejects.toMatchObject({ code: 'needs_decision' })
  }
  expect(await store.read('t')).toHaveLength(length)
  const [open] = await thread.waiting()
  expect((await thread.decide(open!.id, { do: 'run' }).done).text).toBe('It comes.')
})
