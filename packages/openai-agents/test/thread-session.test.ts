import { Agent, Runner, tool, Usage } from '@openai/agents'
import type { AgentInputItem, AgentOutputItem, Model, ModelRequest } from '@openai/agents'
import { scriptedModel } from '@minutebook/testing'
import { defineTool, memoryStore, openBook, type Store } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { threadSession } from '@minutebook/openai-agents'

const user = (content: string): AgentInputItem => ({ type: 'message', role: 'user', content })
const runner = new Runner({ tracingDisabled: true })

/** Looks into its garden first, then answers. It keeps what it was sent. */
function gardener(): { readonly agent: Agent; readonly inputs: ModelRequest['input'][] } {
  const inputs: ModelRequest['input'][] = []
  const model: Model = {
    getResponse: async ({ input }) => {
      const call = inputs.push(structuredClone(input))
      const content = [{ type: 'output_text' as const, text: `answer ${call}` }]
      const output: AgentOutputItem =
        call === 1
          ? { type: 'function_call', callId: 'c1', name: 'look', arguments: '{"bed":1}', status: 'completed' }
          : { type: 'message', role: 'assistant', status: 'completed', content }
      return { usage: new Usage(), output: [output] }
    },
    getStreamedResponse: () => {
      throw new Error('This model does not stream.')
    },
  }
  const look = tool({
    name: 'look',
    description: 'Looks at a bed',
    parameters: z.object({ bed: z.number() }),
    execute: ({ bed }) => `bed ${bed} has clay`,
  })
  return { agent: new Agent({ name: 'Gardener', model, tools: [look] }), inputs }
}

const said = async (store: Store, head?: string): Promise<string[]> =>
  (await openBook({ store }).thread('t').entries({ head })).map(
    ({ kind, text, calls }) => `${kind}: ${text}${calls.map(({ name }) => `→ ${name}`).join('')}`,
  )

describe('an agent that runs with a session', () => {
  test('is sent what was said before, and the thread has it as messages', async () => {
    const store = memoryStore()
    const { agent, inputs } = gardener()
    await runner.run(agent, 'What is in bed 1?', { session: threadSession(store, 't') })
    const { finalOutput } = await runner.run(agent, 'And now?', { session: threadSession(store, 't') })
    expect(finalOutput).toBe('answer 3')
    expect((inputs[2] as AgentInputItem[]).map((item) => ('role' in item ? item.role : item.type))).toEqual([
      'user',
      'function_call',
      'function_call_result',
      'assistant',
      'user',
    ])
    expect(await said(store)).toEqual([
      'user: What is in bed 1?',
      'assistant: → look',
      'tool: bed 1 has clay',
      'assistant: answer 2',
      'user: And now?',
      'assistant: answer 3',
    ])
    expect(await openBook({ store }).thread('t').verify()).toMatchObject({ ok: true })
  })
})

describe('a session', () => {
  test('returns items as they came, the last ones if a limit is set', async () => {
    const session = threadSession(memoryStore(), 't')
    const items: AgentInputItem[] = [
      { role: 'user', content: [{ type: 'input_text', text: 'hi' }], providerData: { x: 1 } },
      { type: 'reasoning', id: 'r1', content: [{ type: 'input_text', text: 'hm' }] },
      { type: 'function_call', callId: 'c1', name: 'look', arguments: '{}' },
      {
        type: 'function_call_result',
        callId: 'c1',
        name: 'look',
        status: 'completed',
        output: { type: 'text', text: 'x' },
      },
      user('same'),
      user('same'),
    ]
    expect(await session.getItems()).toEqual([])
    await session.addItems(items.slice(0, 3))
    await session.addItems(items.slice(3))
    expect(await session.getItems()).toEqual(items)
    expect(await session.getItems(2)).toEqual(items.slice(-2))
    expect(await session.getItems(0)).toEqual([])
    expect(await session.getSessionId()).toBe('t')
  })

  test('goes back by popItem, and the log keeps both branches', async () => {
    const store = memoryStore()
    const session = threadSession(store, 't')
    await session.addItems([user('one'), user('two')])
    expect(await session.popItem()).toEqual(user('two'))
    expect(await threadSession(store, 't').getItems()).toEqual([user('one')])
    await session.addItems([user('three')])
    expect(await said(store)).toEqual(['user: one', 'user: three'])
    const [, old] = await openBook({ store }).thread('t').branches()
    expect(await said(store, old?.head)).toEqual(['user: one', 'user: two'])
  })

  test('begins again by clearSession, also with the same words, and the log keeps what was', async () => {
    const store = memoryStore()
    const session = threadSession(store, 't')
    await session.addItems([user('one'), user('two')])
    await session.clearSession()
    expect(await session.getItems()).toEqual([])
    expect(await session.popItem()).toBeUndefined()
    await session.addItems([user('one')])
    expect(await session.getItems()).toEqual([user('one')])
    await session.addItems([user('three')])
    expect(await session.getItems()).toEqual([user('one'), user('three')])
    expect((await store.read('t')).map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  })

  test('keeps what is added after it went back, although the log has an entry that says the same', async () => {
    const store = memoryStore()
    const session = threadSession(store, 't')
    const asked = (turn: number): AgentInputItem[] => [
      user('Will it rain?'),
      { type: 'reasoning', id: `rs_${turn}`, content: [{ type: 'input_text', text: 'hm' }] },
      { type: 'function_call', callId: `call_${turn}`, name: 'look', arguments: '{}' },
      {
        type: 'function_call_result',
        callId: `call_${turn}`,
        name: 'look',
        status: 'completed',
        output: { type: 'text', text: 'rain' },
      },
    ]
    for (const turn of [1, 2, 3]) {
      await session.clearSession()
      await session.addItems(asked(turn))
      expect(await session.getItems()).toEqual(asked(turn))
    }
    expect(await openBook({ store }).thread('t').verify()).toMatchObject({ ok: true })
  })

  test('keeps what is added although the same was erased', async () => {
    const store = memoryStore()
    const session = threadSession(store, 't')
    await session.addItems([user('one')])
    await store.erase('t')
    for (let time = 0; time < 2; time++) {
      await session.clearSession()
      await session.addItems([user('one'), user('two')])
      expect(await session.getItems()).toEqual([user('one'), user('two')])
    }
    expect((await store.read('t')).map(({ text }) => text)).toEqual(['', 'one', 'two'])
  })

  test('that several add to at once loses nothing, also of what is the same', async () => {
    const store = memoryStore()
    await Promise.all(['a', 'b', 'a'].map((text) => threadSession(store, 't').addItems([user(text)])))
    const items = (await threadSession(store, 't').getItems()).map((item) => JSON.stringify(item))
    expect(items.toSorted()).toEqual(['a', 'a', 'b'].map((text) => JSON.stringify(user(text))))
  })
})

test('items do not end the wait of a call that needs approval', async () => {
  const store = memoryStore()
  const tools = [defineTool({ name: 'order', approve: true, run: () => 'bought' })]
  const model = scriptedModel([{ calls: [{ name: 'order', id: 'c1', arguments: {} }] }, 'Done.'])
  const thread = openBook({ store, model, tools, window: 8192 }).thread('t')
  expect((await thread.send('Buy').done).status).toBe('waiting')
  const session = threadSession(store, 't')
  const items: AgentInputItem[] = [
    user('Buy'),
    { type: 'function_call', callId: 'c1', name: 'order', arguments: '{}' },
    { type: 'function_call_result', callId: 'c1', name: 'order', status: 'completed', output: 'bought' },
  ]
  for (const added of [items, [user('Well?')]])
    await expect(session.addItems(added)).rejects.toMatchObject({ code: 'needs_decision' })
  expect(await session.getItems()).toEqual([])
  const [open] = await thread.waiting()
  expect((await thread.decide(open!.id, { do: 'run' }).done).text).toBe('Done.')
  await session.addItems([user('And now?')])
  expect(await session.getItems()).toEqual([user('And now?')])
})
