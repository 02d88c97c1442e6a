import { AIMessage, HumanMessage, SystemMessage, ToolMessage, trimMessages } from '@langchain/core/messages'
import type { BaseMessage } from '@langchain/core/messages'
import { findIllegal, words } from '@minutebook/testing'
import fc from 'fast-check'
import { MinutebookError, type Message } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { fitMessages } from '@minutebook/langchain'
import { costOf, garden, plain } from './support/garden.ts'

describe('a conversation that does not fit', () => {
  const messages = garden(60)
  const fitted = fitMessages(messages, { window: 600, counter: words })

  test('fits afterwards, and every call has its result', () => {
    expect(costOf(messages)).toBeGreaterThan(600)
    expect(costOf(fitted)).toBeLessThanOrEqual(600)
    expect(findIllegal(plain(fitted))).toBeUndefined()
  })

  test('has the very messages that came, but for what was shortened', () => {
    const came = new Set(messages)
    const changed = fitted.filter((message) => !came.has(message))
    expect([fitted[0] === messages[0], fitted[1] === messages[1]]).toEqual([true, true])
    expect(fitted.at(-1)).toBe(messages.at(-1))
    expect(fitted.length - changed.length).toBeGreaterThan(8)
    expect(changed.length).toBeGreaterThan(0)
    expect(changed.every((message) => message.id === undefined && HumanMessage.isInstance(message))).toBe(true)
  })

  test('has what the question is about and the first question, which trimMessages loses', async () => {
    const trimmed = await trimMessages(messages, {
      maxTokens: 600,
      strategy: 'last',
      includeSystem: true,
      startOn: 'human',
      tokenCounter: costOf,
    })
    expect(costOf(trimmed)).toBeLessThanOrEqual(600)
    const texts = (list: readonly BaseMessage[]): string => list.map(({ text }) => text).join('\n')
    expect(trimmed).not.toContain(messages[1])
    expect(texts(trimmed)).not.toContain('bed 12 has clay')
    expect(fitted).toContain(messages[1])
    expect(texts(fitted)).toContain('bed 12 has clay')
  })
})

describe('a message that is shortened', () => {
  const long = 'word '.repeat(400)
  const shortenedOf = (message: BaseMessage, ...before: BaseMessage[]): BaseMessage =>
    fitMessages([new HumanMessage('go'), ...before, message], { window: 200, counter: words }).at(-1)!

  test('keeps name and status, and has neither id nor what the provider said of it', () => {
    const call = new AIMessage({ content: '', tool_calls: [{ id: 'c1', name: 'look', args: { bed: 1 } }] })
    const result = new ToolMessage({ content: long, tool_call_id: 'c1', name: 'look', status: 'error', id: 'r1' })
    const fitted = shortenedOf(result, call)
    expect(fitted).toMatchObject({ tool_call_id: 'c1', name: 'look', status: 'error', id: undefined })
    expect(fitted.text).toContain('left out')
    expect(fitted).toBeInstanceOf(ToolMessage)
  })

  test('keeps its reasoning before its text and its calls behind it', () => {
    const thought = { type: 'thinking', thinking: 'hm', signature: 's' }
    const use = { type: 'tool_use', id: 'c1', name: 'look', input: { bed: 1 } }
    const call = new AIMessage({
      content: [thought, { type: 'text', text: long }, use],
      tool_calls: [{ id: 'c1', name: 'look', args: { bed: 1 } }],
      response_metadata: { output: [{ text: long }] },
    })
    const result = new ToolMessage({ content: 'clay', tool_call_id: 'c1' })
    const fitted = fitMessages([new HumanMessage('go'), call, result], { window: 200, counter: words })
    expect(fitted[1]).not.toBe(call)
    expect(fitted[1]).toMatchObject({ tool_calls: call.tool_calls, response_metadata: {} })
    expect(fitted[1]!.content).toEqual([thought, { type: 'text', text: expect.stringContaining('left out') }, use])
    expect(fitted[2]).toBe(result)
  })
})

test('what fits is returned as it came', () => {
  const messages = garden(3)
  const fitted = fitMessages(messages, { window: 100_000 })
  expect(fitted.every((message, index) => message === messages[index])).toBe(true)
  expect(fitted).toHaveLength(messages.length)
})

test('what cannot fit is refused with an error that has a code', () => {
  const messages = [new SystemMessage('word '.repeat(50)), new HumanMessage('hi')]
  const fit = (): unknown => fitMessages(messages, { window: 10, counter: words })
  expect(fit).toThrow(expect.objectContaining({ code: 'window_overflow' }))
})

test('of any length, in any window, with any profile: fits, is legal, and has the last message', () => {
  const profiles = [
    {},
    { mustAlternate: true, systemFirstOnly: true },
    { noTools: true },
    { argumentsAs: 'string' },
  ] as const
  fc.assert(
    fc.property(
      fc.nat({ max: 25 }),
      fc.integer({ min: 20, max: 900 }),
      fc.constantFrom(...profiles),
      (weeks, window, profile) => {
        const messages = garden(weeks)
        let fitted: BaseMessage[]
        try {
          fitted = fitMessages(messages, { window, counter: words, profile })
        } catch (error) {
          expect(MinutebookError.isInstance(error) && error.code).toBe('window_overflow')
          return
        }
        const asked: readonly Message[] = plain(fitted)
        const { argumentsAs: _, ...rest } = { argumentsAs: undefined, ...profile }
        expect(findIllegal(asked, rest)).toBeUndefined()
        expect(costOf(fitted)).toBeLessThanOrEqual(window)
        expect(fitted.at(-1)!.text).toContain('Which bed has clay')
      },
    ),
  )
})
