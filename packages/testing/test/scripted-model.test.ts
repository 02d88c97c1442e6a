import { MinutebookError } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { findMisshapen, journal, note, scriptedModel, user } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { listen, requestOf } from '../../../tests/support/wires.ts'

describe('a scripted model', () => {
  test('says its lines in order, piece by piece, and records what it is asked', async () => {
    const model = scriptedModel([
      'Hello you.',
      { text: ['a', 'b'], reasoning: 'Hm.', finish: 'length', usage: { prompt: 3 } },
      ({ messages }) => `${messages.length} messages`,
    ])
    const requests = [requestOf([user('a')]), requestOf([user('b')]), requestOf([user('c'), user('d')])]
    const heard = []
    for (const request of requests) heard.push((await listen(model(request))).events)
    expect(heard).toEqual([
      [
        { type: 'text', text: 'Hello ' },
        { type: 'text', text: 'you.' },
        { type: 'end', message: { role: 'assistant', content: 'Hello you.' }, finish: 'stop' },
      ],
      [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
        {
          type: 'end',
          message: { role: 'assistant', content: 'ab', reasoning_content: 'Hm.' },
          finish: 'length',
          usage: { prompt: 3 },
        },
      ],
      [
        { type: 'text', text: '2 ' },
        { type: 'text', text: 'messages' },
        { type: 'end', message: { role: 'assistant', content: '2 messages' }, finish: 'stop' },
      ],
    ])
    expect(model.requests).toEqual(requests)
  })

  test.each(['ollama', 'openai'] as const)('calls in the shape of %s', async (wire) => {
    const model = scriptedModel(
      [
        {
          calls: [
            { name: 'now', arguments: { a: 1 } },
            { name: 'now', id: 'own' },
          ],
        },
      ],
      { wire, model: 'm' },
    )
    const end = (await listen(model(requestOf([user('a')])))).events.at(-1)
    if (end?.type !== 'end') throw new Error('There is no end.')
    expect(end.finish).toBe('calls')
    expect(findMisshapen([end.message], wire)).toBeUndefined()
    expect([model.wire, model.model]).toEqual([wire, 'm'])
  })

  test('fails at once or after some words', async () => {
    const down = new MinutebookError('model_error', 'down', '')
    const model = scriptedModel([down, { text: 'one two', fail: down }])
    expect(await listen(model(requestOf([])))).toEqual({ events: [], error: down })
    expect(await listen(model(requestOf([])))).toEqual({
      events: [
        { type: 'text', text: 'one ' },
        { type: 'text', text: 'two' },
      ],
      error: down,
    })
  })

  test('hangs until it is aborted', async () => {
    const controller = new AbortController()
    const { events, error } = await listen(
      scriptedModel([{ text: 'one', hang: true }])(requestOf([], { signal: controller.signal })),
      () => setTimeout(() => controller.abort(), 5),
    )
    expect(events).toEqual([{ type: 'text', text: 'one' }])
    expect(error).toMatchObject({ code: 'model_aborted' })
  })

  test.each([1, 2, 3])('stops after %i words, where it is aborted there', async (count) => {
    const controller = new AbortController()
    const { events, error } = await listen(
      scriptedModel(['one two three'])(requestOf([], { signal: controller.signal })),
      (heard) => heard === count && controller.abort(),
    )
    expect(events).toHaveLength(count)
    expect(error).toMatchObject({ code: 'model_aborted' })
  })

  test('does not invent lines', async () => {
    const model = scriptedModel(['one'])
    await listen(model(requestOf([])))
    expect((await listen(model(requestOf([])))).error).toMatchObject({ code: 'script_over' })
    expect(model.requests).toHaveLength(2)
  })
})

test('notes and journal entries hang off the entry that they follow', () => {
  const said = entryOf(user('a'))
  for (const [build, kind] of [
    [note, 'note'],
    [journal, 'journal'],
  ] as const) {
    expect(build('remember', said)).toMatchObject({ kind, text: 'remember', parent: said.id, seq: 1 })
  }
})
