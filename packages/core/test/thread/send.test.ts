import { defineTool, memoryStore, openBook, type Thread, type TurnEvent } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, call } from '@minutebook/testing'
import { script, type Line } from '../support/scripted.ts'

function thread(...lines: readonly Line[]): { readonly thread: Thread; readonly model: ReturnType<typeof script> } {
  const model = script(...lines)
  return {
    model,
    thread: openBook({ store: memoryStore(), model, window: 4096, system: 'You are brief.' }).thread('t'),
  }
}

async function events(turn: AsyncIterable<TurnEvent>): Promise<string[]> {
  const seen: string[] = []
  for await (const event of turn) seen.push(event.type)
  return seen
}

describe('a turn', () => {
  test('is recorded: system, user, answer, and a receipt', async () => {
    const { thread: talk } = thread('Hello there.')
    expect(await talk.send('Hi').done).toMatchObject({ status: 'complete', text: 'Hello there.' })
    expect((await talk.entries()).map(({ kind, origin }) => [kind, origin])).toEqual([
      ['system', 'operator'],
      ['user', 'user'],
      ['settings', 'minutebook'],
      ['assistant', 'model'],
      ['receipt', 'minutebook'],
    ])
  })

  test('streams its text and ends', async () => {
    const { thread: talk } = thread('One two three.')
    expect(await events(talk.send('Count'))).toEqual(['text', 'text', 'text', 'receipt', 'end'])
  })

  test('remembers what was said', async () => {
    const { thread: talk, model } = thread('I said 7.', 'You heard 7.')
    await talk.send('Say a number').done
    await talk.send('What number did you say?').done
    expect(model.requests[1]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'You are brief.'],
      ['user', 'Say a number'],
      ['assistant', 'I said 7.'],
      ['user', 'What number did you say?'],
    ])
  })

  test('runs tools and goes on with their results', async () => {
    const add = defineTool({
      name: 'add',
      parameters: { type: 'object' },
      run: (input) => (input as { a: number; b: number }).a + (input as { a: number; b: number }).b,
    })
    const { thread: talk, model } = thread(
      assistant(null, call('c1', 'add', { a: 2, b: 3 }), call('c2', 'add', { a: 1, b: 1 })),
      'Five and two.',
    )
    const turn = talk.send('Add', { tools: [add] })
    expect(await events(turn)).toEqual([
      'receipt',
      'call',
      'call',
      'result',
      'result',
      'text',
      'text',
      'text',
      'receipt',
      'end',
    ])
    expect(model.requests[1]?.messages.slice(-2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: '5' },
      { role: 'tool', tool_call_id: 'c2', content: '2' },
    ])
    expect((await talk.entries()).filter(({ kind }) => kind === 'journal').map(({ text }) => text)).toHaveLength(1)
    expect(await talk.verify()).toMatchObject({ ok: true, prompts: 2 })
  })
})

describe('the system text', () => {
  test('that changes every time stands first, alone, and the past is as it was', async () => {
    const store = memoryStore()
    const model = script('Yes.')
    for (let turn = 1; turn <= 30; turn++) {
      await openBook({ store, model, window: 1024, system: `You are brief. It is ${turn} o’clock.` })
        .thread('t')
        .send(`Question ${turn}`).done
    }
    for (const [index, { messages }] of model.requests.entries()) {
      expect(messages.filter(({ role, content }) => role === 'system' && String(content).includes('o’clock'))).toEqual([
        messages[0],
      ])
      expect(messages[0]?.content).toBe(`You are brief. It is ${index + 1} o’clock.`)
    }
    expect(await openBook({ store }).thread('t').verify()).toMatchObject({ ok: true, prompts: 30 })
  })
})
