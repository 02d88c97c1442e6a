import { assistant, user } from '@minutebook/testing'
import { expect, test } from 'vitest'
import type { Fields } from '../../src/http/json.ts'
import { anthropic } from '../../src/protocol/anthropic.ts'

const mark = { cache_control: { type: 'ephemeral' } }

function marked(count: number): Fields[] {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `message ${index}`, ...mark }],
  }))
}

test('the last breakpoints stay with their blocks: more of them than any server accepts', () => {
  const read = anthropic.read({}, marked(100))
  const { messages = '[]' } = read?.rewritten(read.messages) ?? {}
  const sent = JSON.parse(messages) as { content: unknown }[]
  const isMarked = sent.map(({ content }) => JSON.stringify(content).includes('cache_control'))
  expect(isMarked).toEqual(Array.from({ length: 100 }, (_, index) => index >= 36))
})

test('a breakpoint stays with a text that a line of Minutebook is added to', () => {
  const read = anthropic.read({}, marked(3))
  const rewritten = read?.rewritten([user('note\nmessage 0'), assistant('message 1'), user('not message 2')])
  expect(JSON.parse(rewritten?.['messages'] ?? '')).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'note\nmessage 0', ...mark }] },
    { role: 'assistant', content: [{ type: 'text', text: 'message 1', ...mark }] },
    { role: 'user', content: expect.not.stringContaining('cache_control') },
  ])
})
