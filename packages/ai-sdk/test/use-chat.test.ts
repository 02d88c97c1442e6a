import type { UIMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import { defineTool, localFeed, memoryStore, openBook, type Model, type Thread } from 'minutebook'
import { chatHandler, fromUIMessages, loadChat, uiMessagesOf } from '@minutebook/ai-sdk'
import { scriptedModel, type ScriptedLine } from '@minutebook/testing'
import { createGate, gated, loadedPage, PlainChat, shownBy, unnumbered, type Gate } from './support/chat.ts'

const script: readonly ScriptedLine[] = [
  {
    text: 'Let me see. ',
    calls: [
      { name: 'bed', id: 'c1', arguments: { bed: 3 } },
      { name: 'bed', id: 'c2', arguments: { bed: 9 } },
    ],
  },
  { calls: [{ name: 'bed', id: 'c3', arguments: { bed: 4 } }] },
  'Beans in bed 3, and mint.',
]

interface App {
  readonly thread: Thread
  readonly gate: Gate
  readonly handler: (request: Request) => Promise<Response>
  /** The handler of another instance on the same store. */
  readonly elsewhere: (request: Request) => Promise<Response>
  readonly page: () => PlainChat
}

function appOf(lines: readonly ScriptedLine[], gate: Gate = openGate(), wire?: NonNullable<Model['wire']>): App {
  const bed = defineTool({
    name: 'bed',
    parameters: { type: 'object' },
    run: async (input) => {
      await gate.pass()
      const { bed } = input as { bed: number }
      if (bed === 9) throw new Error('there is no bed 9')
      return { bed, plants: ['beans'] }
    },
  })
  const scripted = wire === 'ollama' ? unnumbered(scriptedModel(lines, { wire })) : scriptedModel(lines)
  const model = gated(scripted, gate)
  const shared = { store: memoryStore(), feed: localFeed() }
  const book = openBook({ ...shared, model, window: 8192, tools: [bed], system: 'You help in a garden.' })
  const other = openBook(shared)
  const handler = chatHandler((id) => (id === 'other' ? undefined : book.thread(id)))
  const elsewhere = chatHandler((id) => other.thread(id))
  return { thread: book.thread('t'), gate, handler, elsewhere, page: () => new PlainChat('t', [], handler) }
}

function openGate(): Gate {
  const gate = createGate()
  gate.open()
  return gate
}

/** What a page has after a reload. */
async function record(thread: Thread): Promise<unknown> {
  return JSON.parse(JSON.stringify(uiMessagesOf(await thread.entries())))
}

describe('a page', () => {
  test('has in the end what is on record, under the same ids', async () => {
    const { thread, page } = appOf(script)
    const chat = page()
    await chat.sendMessage({ text: 'What grows?' })
    expect(chat.status).toBe('ready')
    expect(shownBy(chat)).toEqual(await record(thread))
    expect(shownBy(chat)).toEqual([
      { id: chat.messages[0]!.id, role: 'user', parts: [{ type: 'text', text: 'What grows?' }] },
      {
        id: `${chat.messages[0]!.id}-answer`,
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'text', text: 'Let me see. ', state: 'done' },
          {
            type: 'tool-bed',
            toolCallId: 'c1',
            state: 'output-available',
            input: { bed: 3 },
            output: { bed: 3, plants: ['beans'] },
          },
          {
            type: 'tool-bed',
            toolCallId: 'c2',
            state: 'output-error',
            input: { bed: 9 },
            errorText: '(failed: there is no bed 9)',
          },
          { type: 'step-start' },
          {
            type: 'tool-bed',
            toolCallId: 'c3',
            state: 'output-available',
            input: { bed: 4 },
            output: { bed: 4, plants: ['beans'] },
          },
          { type: 'step-start' },
          { type: 'text', text: 'Beans in bed 3, and mint.', state: 'done' },
        ],
      },
    ])
  })

  test.each([
    [
      'reasoning',
      [
        { ...(script[0] as object), reasoning: 'They want to know.' },
        { reasoning: 'Well.', text: 'Mint.' },
      ],
      undefined,
    ],
    [
      'calls without ids',
      [
        {
          calls: [
            { name: 'bed', arguments: { bed: 3 } },
            { name: 'bed', arguments: { bed: 9 } },
          ],
        },
        script[1]!,
        'Mint.',
      ],
      'ollama',
    ],
    ['an answer without words', [script[1]!, ''], undefined],
    ['a model that fails before it says a word', [new Error('down')], undefined],
    ['a model that fails after it said some', [script[0]!, { text: 'Bea', fail: new Error('down') }], undefined],
    ['an answer that is cut off', [{ text: 'Beans and', finish: 'length' }], undefined],
  ] as const)('has the same, with %s', async (_, lines, wire) => {
    const { thread, page } = appOf(lines as readonly ScriptedLine[], openGate(), wire)
    const chat = page()
    await chat.sendMessage({ text: 'What grows?' })
    expect(shownBy(chat)).toEqual(await record(thread))
  })

  test('that sends again goes on, and so does one that was loaded again', async () => {
    const { thread, page, handler } = appOf([...script, 'Welcome.', 'Bye.'])
    const first = page()
    await first.sendMessage({ text: 'What grows?' })
    await first.sendMessage({ text: 'Thanks.' })
    const { chat } = await loadedPage('t', handler)
    expect(shownBy(chat)).toEqual(shownBy(first))
    await chat.sendMessage({ text: 'Bye.' })
    expect(shownBy(chat)).toEqual(await record(thread))
    expect(await thread.branches()).toHaveLength(1)
  })

  test.each(['live', 'loaded'])('whose whole history is sent continues the thread (%s)', async (which) => {
    const lines = [{ ...(script[0] as object), reasoning: 'They want to know.' }, ...script.slice(1), 'Welcome.']
    const { thread, page, handler } = appOf(lines)
    const live = page()
    await live.sendMessage({ text: 'What grows?' })
    const chat = which === 'live' ? live : (await loadedPage('t', handler)).chat
    const next: UIMessage = { id: 'next', role: 'user', parts: [{ type: 'text', text: 'Thanks.' }] }
    await thread.ask(fromUIMessages([...chat.messages, next]))
    expect(await thread.branches()).toHaveLength(1)
  })

  test('is told that a turn runs already, and a message that came twice is answered once', async () => {
    const gate = createGate()
    const { thread, page, handler } = appOf(['One.', 'Two.'], gate)
    const [first, second] = [page(), page()]
    const sent = first.sendMessage({ text: 'Hello' })
    await gate.allow(1, sent)
    await second.sendMessage({ text: 'Me too' })
    expect([second.status, second.error?.message]).toEqual(['error', 'Another answer is being written.'])
    gate.open()
    await sent
    const again = await handler(
      new Request('http://app.test/api/chat', {
        method: 'POST',
        body: JSON.stringify({ id: 't', messages: first.messages.slice(0, 1) }),
      }),
    )
    expect(await again.text()).toContain('One.')
    expect(shownBy(first)).toEqual(await record(thread))
  })

  test('is told why there is no answer', async () => {
    const chat = appOf([new Error('down')]).page()
    await chat.sendMessage({ text: 'Hello' })
    expect([chat.status, chat.messages.length]).toEqual(['error', 1])
  })
})

describe('a page that is loaded in the middle of an answer', () => {
  test('at any moment has in the end what is on record, and so has the one before', async () => {
    const whole = appOf(script)
    await whole.page().sendMessage({ text: 'What grows?' })
    const moments = whole.gate.passed
    expect(moments).toBeGreaterThan(10)
    for (let moment = 0; moment < moments; moment++) {
      const gate = createGate()
      const { thread, page, handler, elsewhere } = appOf(script, gate)
      const first = page()
      const sent = first.sendMessage({ text: 'What grows?' })
      await gate.allow(moment, sent)
      const { chat, resumed } = await loadedPage('t', handler)
      expect((await loadChat(thread)).resume).toBe(true)
      await gate.allow(1, sent)
      const third = await loadedPage('t', elsewhere)
      gate.open()
      await Promise.all([sent, resumed, third.resumed])
      const expected = await record(thread)
      expect([moment, shownBy(chat)]).toEqual([moment, expected])
      expect([moment, shownBy(third.chat)]).toEqual([moment, expected])
      expect([moment, shownBy(first)]).toEqual([moment, expected])
      expect([first, chat, third.chat].map(({ status }) => status)).toEqual(['ready', 'ready', 'ready'])
    }
  })

  test('shows the text while it is written', async () => {
    const gate = createGate()
    const { page, handler } = appOf(['One two three.'], gate)
    const sent = page().sendMessage({ text: 'Hello' })
    await gate.allow(2, sent)
    const { chat, resumed } = await loadedPage('t', handler)
    await expect.poll(() => JSON.stringify(chat.messages)).toContain('One two')
    expect(chat.status).toBe('streaming')
    gate.open()
    await Promise.all([sent, resumed])
  })

  test('gets an answer that ended before it could resume, if it says what it has', async () => {
    const { thread, page, handler } = appOf(script)
    await page().sendMessage({ text: 'What grows?' })
    const [asked] = uiMessagesOf(await thread.entries())
    const chat = new PlainChat('t', [asked!], handler)
    await chat.resumeStream()
    expect(shownBy(chat)).toEqual(await record(thread))
    const none = await handler(new Request('http://app.test/api/chat/t/stream'))
    expect(none.status).toBe(204)
  })

  test('can stop it, and all pages have what was said until then', async () => {
    const gate = createGate()
    const { thread, page, handler } = appOf(['One two three.'], gate)
    const first = page()
    const sent = first.sendMessage({ text: 'Hello' })
    await gate.allow(2, sent)
    const { chat, resumed } = await loadedPage('t', handler)
    const stopped = await handler(new Request('http://app.test/api/chat/t', { method: 'DELETE' }))
    expect(stopped.status).toBe(204)
    await Promise.all([sent, resumed])
    const expected = await record(thread)
    expect(expected).toMatchObject([{ role: 'user' }, { parts: [{}, { type: 'text', text: 'One two ' }] }])
    expect(shownBy(first)).toEqual(expected)
    expect(shownBy(chat)).toEqual(expected)
    expect(chat.status).toBe('ready')
  })

  test('that leaves does not stop the turn', async () => {
    const gate = createGate()
    const { thread, page } = appOf(['One two three.'], gate)
    const first = page()
    const sent = first.sendMessage({ text: 'Hello' })
    await gate.allow(2, sent)
    await first.stop()
    gate.open()
    await expect.poll(async () => (await loadChat(thread)).resume).toBe(false)
    expect(JSON.stringify(await record(thread))).toContain('One two three.')
  })
})

describe('a page that changes the past', () => {
  test('by an edit gets another answer, and a page that is loaded later has the same', async () => {
    const { thread, page, handler } = appOf(['One.', 'Two.', 'Other.', 'Then.'])
    const chat = page()
    await chat.sendMessage({ text: 'First' })
    await chat.sendMessage({ text: 'Second' })
    await chat.sendMessage({ text: 'Edited', messageId: chat.messages[0]!.id })
    expect(shownBy(chat)).toEqual(await record(thread))
    expect(chat.messages).toHaveLength(2)
    const { chat: later } = await loadedPage('t', handler)
    await later.sendMessage({ text: 'And then?' })
    expect(shownBy(later)).toEqual(await record(thread))
    expect(JSON.stringify(later.messages)).not.toContain('Second')
    expect(await thread.branches()).toHaveLength(2)
  })

  test.each([
    ['the last', undefined],
    ['an earlier', 0],
  ])('by asking once more for %s answer gets a new one', async (_, question) => {
    const { thread, page, handler } = appOf([...script, 'Two.', ...script, 'Then.'])
    const chat = page()
    await chat.sendMessage({ text: 'First' })
    await chat.sendMessage({ text: 'Second' })
    const id = question === undefined ? undefined : chat.messages[question + 1]!.id
    await chat.regenerate(id === undefined ? {} : { messageId: id })
    expect(chat.status).toBe('ready')
    expect(shownBy(chat)).toEqual(await record(thread))
    expect(chat.messages).toHaveLength(question === undefined ? 4 : 2)
    const { chat: later } = await loadedPage('t', handler)
    expect(shownBy(later)).toEqual(shownBy(chat))
  })

  test('by asking once more while another page loads it', async () => {
    const gate = createGate()
    const another: ScriptedLine[] = [
      { text: 'I look. ', calls: [{ name: 'bed', id: 'd1', arguments: { bed: 3 } }] },
      'Mint.',
    ]
    const { thread, page, handler } = appOf([...script, ...another], gate)
    const chat = page()
    const sent = chat.sendMessage({ text: 'First' })
    await gate.allow(100, sent)
    await sent
    for (const _ of Array.from({ length: 100 - gate.passed })) await gate.pass()
    const again = chat.regenerate()
    await gate.allow(2, again)
    const { chat: other, resumed } = await loadedPage('t', handler)
    expect(other.messages).toHaveLength(1)
    gate.open()
    await Promise.all([again, resumed])
    expect(shownBy(chat)).toEqual(await record(thread))
    expect(shownBy(other)).toEqual(await record(thread))
  })
})

describe('a request', () => {
  const refused: readonly (readonly [string, string, string, unknown, number])[] = [
    ['for a chat that nobody may see', 'GET', '/api/chat/other', undefined, 404],
    ['without a chat', 'POST', '/api/chat', {}, 404],
    ['that is not JSON', 'POST', '/api/chat', undefined, 400],
    ['without a message', 'POST', '/api/chat', { id: 't' }, 400],
    [
      'with an assistant’s words',
      'POST',
      '/api/chat',
      { id: 't', messages: [{ id: 'x', role: 'assistant', parts: [] }] },
      400,
    ],
    ...[null, { type: 'text' }, { type: 'tool-bed', toolCallId: 'c', state: 'input-available', input: {} }].map(
      (part) =>
        [
          `with a part that is ${JSON.stringify(part)}`,
          'POST',
          '/api/chat',
          { id: 't', messages: [{ id: 'x', role: 'user', parts: [part] }] },
          400,
        ] as const,
    ),
    [
      'that edits what is not there',
      'POST',
      '/api/chat',
      { id: 't', messageId: 'y', messages: [{ id: 'y', role: 'user', parts: [] }] },
      400,
    ],
    ['of another kind', 'PUT', '/api/chat/t', undefined, 405],
  ]
  test.each(refused)('%s is refused', async (_, method, path, body, status) => {
    const { handler } = appOf([])
    const init = { method, ...(method === 'POST' && { body: JSON.stringify(body) ?? 'x' }) }
    expect((await handler(new Request(`http://app.test${path}`, init))).status).toBe(status)
  })
})
