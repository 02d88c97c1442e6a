import { compile, dump, explain, type Message } from 'minutebook'

/**
 * Compiles one conversation with everything that could differ between engines: long text, tool calls, scripts beyond
 * ASCII.
 */
export function smoke(): string {
  const messages = conversation()
  const compiled = [600, 2048, 8192].map((window) => compile(messages, { window, reserve: window / 8 }))
  return JSON.stringify(
    compiled.map((each) => ({
      messages: each.messages,
      tokens: each.tokens,
      why: explain(each.plan),
      dump: dump(each),
    })),
  )
}

function conversation(): Message[] {
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'look_up', arguments: '{"é":"\\u0000","a":[1,2.50,1e21]}' },
  }
  const exchanges = Array.from({ length: 40 }, (_, n) => [
    { role: 'user', content: `Question ${n}: ${'where is the key to room '.repeat(6)}${n}? 鍵はどこですか 🗝️` },
    { role: 'assistant', content: `Answer ${n}: ${'under the blue mat by the door, '.repeat(6)}as of ${n}.` },
  ])
  const messages = [
    { role: 'system', content: 'You answer briefly. Straße, naïve, Ω, \u202Eabc\u202C.' },
    ...exchanges.flat(),
    { role: 'user', content: 'Look up room 3 again.' },
    { role: 'assistant', content: '', tool_calls: [call] },
    {
      role: 'tool',
      tool_call_id: 'call_1',
      content: JSON.stringify({ room: 3, key: 'kitchen drawer', at: '2026-01-02T03:04:05Z' }),
    },
  ]
  return messages
}
