import assert from 'node:assert/strict'
import type { Model, ModelEvent, ModelRequest, ToolSchema } from 'minutebook'
import { user } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'

const clock: ToolSchema = {
  type: 'function',
  function: { name: 'now', parameters: { type: 'object', properties: {} } },
}

/** An answer streams, a tool call arrives, and an abort ends a call that would never end. */
export async function holdDialogue(modelAt: (url: string) => Model): Promise<void> {
  await using upstream = await strictUpstream({ answer: [{ text: ['Good ', 'day.'] }, { calls: [{ name: 'now' }] }] })
  const model = modelAt(upstream.url)

  const streamed = await heard(model(request()))
  const texts = streamed.flatMap((event) => (event.type === 'text' ? event.text : []))
  assert.ok(texts.length > 1, 'the answer came in one piece')
  assert.equal(texts.join(''), 'Good day.')
  const { prompt, completion } = endOf(streamed).usage ?? {}
  assert.deepEqual([prompt, completion], [2, 2])

  const called = endOf(await heard(model(request([clock]))))
  assert.equal(called.finish, 'calls')
  assert.match(JSON.stringify(called.message['tool_calls']), /"name":"now"/)
  assert.deepEqual(upstream.requests[1]?.tools, [clock])

  upstream.next({ answer: { text: ['Good ', 'day.'] }, stallAfter: 2 })
  const stop = new AbortController()
  await assert.rejects(
    async () => {
      for await (const event of model({ ...request(), signal: stop.signal })) if (event.type === 'text') stop.abort()
    },
    { code: 'model_aborted' },
  )
  await upstream.requests[2]?.closed
  assert.equal(upstream.requests[2]?.aborted, true, 'the server still writes')
}

function request(tools: readonly ToolSchema[] = []): ModelRequest {
  return { messages: [user('Good day')], tools, window: 4096, signal: new AbortController().signal }
}

async function heard(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

function endOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: 'end' }> {
  const last = events.at(-1)
  assert.ok(last?.type === 'end', 'the answer has no end')
  return last
}
