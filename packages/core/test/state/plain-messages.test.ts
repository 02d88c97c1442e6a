import fc from 'fast-check'
import type OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { compile, defineState, exchanges, stateOf, visible, type Message } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { assistant, call, ollamaAssistant, ollamaCall, ollamaResult, result, user } from '@minutebook/testing'
import { conversation } from '../../../../tests/support/arbitrary.ts'
import { refusal } from '../../../../tests/support/refusal.ts'

const lamp = defineState({ name: 'lamp', tools: { set: { schema: z.object({ on: z.boolean() }) } } })

describe('plain messages', () => {
  test.each<[string, readonly Message[]]>([
    ['OpenAI', [user('Light!'), assistant(null, call('1', 'set')), result('1', '{"on":true}'), user('And now?')]],
    ['Ollama', [user('Light!'), ollamaAssistant('', ollamaCall('set', {})), ollamaResult('set', '{"on":true}')]],
  ])('of %s have a state', (_, messages) => {
    expect(stateOf(lamp, messages)).toEqual({ on: true })
  })

  test('typed by a client need no cast', () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Light!' }]
    expect(stateOf(lamp, messages)).toBeUndefined()
    expect(visible(messages)).toMatchObject([{ kind: 'user', text: 'Light!' }])
    expect(exchanges(messages)).toHaveLength(1)
  })

  test('without the call of a result have no state from it, and the first result of a call counts', () => {
    expect(stateOf(lamp, [user('Light!'), result('1', '{"on":true}')])).toBeUndefined()
    const twice = [assistant(null, call('1', 'set')), result('1', '{"on":true}'), result('1', '{"on":false}')]
    expect(stateOf(lamp, [user('Light!'), ...twice])).toEqual({ on: true })
  })

  test('of another library are refused, as compile does', () => {
    const foreign = { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'set', input: {} }] }
    const code = refusal(() => compile([foreign], { window: 100 })).code
    for (const read of [stateOf.bind(undefined, lamp), visible, exchanges])
      expect(refusal(() => read([foreign])).code).toBe(code)
  })

  test('are read as their entries are', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const entries = messages.reduce<ReturnType<typeof entryOf>[]>(
          (all, message) => [...all, entryOf(message, all.at(-1))],
          [],
        )
        expect(visible(messages)).toEqual(visible(entries))
        expect(exchanges(messages)).toEqual(exchanges(entries))
        expect(stateOf(lamp, messages)).toEqual(stateOf(lamp, entries))
      }),
    )
  })
})
