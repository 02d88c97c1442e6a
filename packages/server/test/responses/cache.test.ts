import type { ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses'
import { describe, expect, test } from 'vitest'
import { words } from '@minutebook/testing'
import { seat } from './support/client.ts'

// An upstream with one slot, which says what it reused. Options are printed at the beginning of its prompts.

const text = (about: string): string => `${about} ${'word '.repeat(1000)}`
const tools = ['look', 'wait'].map((name) => ({ type: 'function' as const, name, parameters: {}, strict: null }))
type Asked = Partial<ResponseCreateParamsNonStreaming>

describe.each([
  ['serves responses', true],
  ['serves chats', false],
])('before an upstream that %s, the header minutebook-cache', (_, responses) => {
  async function open(): Promise<(asked: Asked) => Promise<{ readonly id: string; readonly told: string | null }>> {
    const { client } = await seat(
      {
        responses,
        counter: words,
        answer: ({ json, reuse }) => ({
          text: 'ok',
          usage: {
            cached: /"effort|reasoning_effort|json_object|"none"/.test(JSON.stringify(json)) ? 0 : reuse.tokens,
          },
        }),
      },
      { models: { strict: { window: 100_000 } } },
    )
    return async (asked) => {
      const { data, response } = await client.responses
        .create({ model: 'strict', ...asked, stream: false })
        .withResponse()
      return { id: data.id, told: response.headers.get('minutebook-cache') }
    }
  }

  const instructions = text('Be brief.')
  const question = `${text('Hello')}\nWhere do the lamps hang?`
  const first = { instructions, input: question, tools }

  test('tells what is kept, and what the upstream says', async () => {
    const ask = await open()
    const { id, told } = await ask(first)
    expect(told).toBe('kept=0; lost=0; reported=0')
    const next = await ask({ instructions, tools, input: 'More', previous_response_id: id })
    expect(next.told).toMatch(/^kept=\d{4}; lost=0; reported=\d{4}$/)
  })

  test.each<[string, Asked]>([
    ['thread', { input: text('Another matter') }],
    ['thread', { ...first, input: text('Another matter') }],
    ['title', { input: `Write a title.\nUSER: Where do the lamps hang?` }],
    ['title', { input: text('Write a title.'), max_output_tokens: 50 }],
  ])('names %s', async (cause, beside) => {
    const ask = await open()
    const { id } = await ask(first)
    await ask(beside)
    const next = await ask({ instructions, tools, input: 'More', previous_response_id: id })
    expect(next.told).toContain(`cause=${cause}`)
  })

  test('names a conversation that goes on by an id as a thread', async () => {
    const ask = await open()
    const other = await ask({ input: text('Another matter') })
    const { id } = await ask(first)
    await ask({ input: 'Go on.', previous_response_id: other.id, max_output_tokens: 50 })
    const next = await ask({ instructions, tools, input: 'More', previous_response_id: id })
    expect(next.told).toContain('cause=thread')
  })

  test.each<[string, Asked]>([
    ['reasoning_effort', { reasoning: { effort: 'high' } }],
    ['tool_choice', { tool_choice: 'none' }],
    ['response_format', { tools: [], text: { format: { type: 'json_object' } } }],
  ])('names option if %s changed', async (_name, change) => {
    const ask = await open()
    const { id } = await ask({ ...first, ...('tools' in change && { tools: [] }) })
    const next = await ask({ instructions, tools, input: 'More as JSON', previous_response_id: id, ...change })
    expect(next.told).toContain('cause=option')
  })

  test('names nothing if the defaults are sent', async () => {
    const ask = await open()
    const { id } = await ask(first)
    const usual: Asked = { tool_choice: 'auto', text: { format: { type: 'text' } }, temperature: 1 }
    const next = await ask({ instructions, tools, input: 'More', previous_response_id: id, ...usual })
    expect(next.told).not.toContain('cause')
  })
})
