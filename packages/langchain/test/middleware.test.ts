import { AIMessage, HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { findIllegal, words } from '@minutebook/testing'
import { createAgent, tool } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { minutebookMiddleware, type MiddlewareOptions } from '@minutebook/langchain/middleware'
import { costOf, plain, soilOf } from './support/garden.ts'

const beds = 30
const question = 'Look at every bed, one by one. Which one has clay?'
const look = tool(({ bed }: { bed: number }) => soilOf(bed), {
  name: 'look',
  description: 'Looks at the soil of a bed',
  schema: z.object({ bed: z.number() }),
})

/** Looks at one bed after the other, whatever it is sent, and keeps what it was sent. */
class Gardener extends FakeListChatModel {
  readonly prompts: BaseMessage[][] = []

  constructor() {
    super({ responses: [''] })
  }

  override bindTools(): this {
    return this
  }

  override async _generate(messages: BaseMessage[]): ReturnType<FakeListChatModel['_generate']> {
    const bed = this.prompts.push(messages)
    const message =
      bed > beds
        ? new AIMessage('It is bed 12.')
        : new AIMessage({ content: '', tool_calls: [{ id: `c${bed}`, name: 'look', args: { bed } }] })
    return { generations: [{ message, text: message.text }] }
  }
}

async function talk(
  options: MiddlewareOptions,
  systemPrompt?: string,
): Promise<{ readonly model: Gardener; readonly messages: readonly BaseMessage[] }> {
  const model = new Gardener()
  const agent = createAgent({
    model,
    tools: [look],
    middleware: [minutebookMiddleware(options)],
    ...(systemPrompt !== undefined && { systemPrompt }),
  })
  const { messages } = await agent.invoke({ messages: [new HumanMessage(question)] }, { recursionLimit: 500 })
  return { model, messages }
}

describe('an agent with a long tool loop in a small window', () => {
  test('sends prompts that fit and are legal, with the question and the newest result', async () => {
    const { model, messages } = await talk({ window: 260, counter: words }, 'You help to plan a garden.')
    expect(model.prompts).toHaveLength(beds + 1)
    for (const [index, prompt] of model.prompts.entries()) {
      expect(costOf(prompt)).toBeLessThanOrEqual(260)
      expect(findIllegal(plain(prompt), { systemFirstOnly: true })).toBeUndefined()
      expect(prompt[0]!.text).toBe('You help to plan a garden.')
      expect(prompt[1]!.text).toBe(question)
      if (index > 0) expect(prompt.at(-1)!.text).toBe(soilOf(index))
    }
    expect(model.prompts.at(-1)!.length).toBeLessThan(messages.length)
  })

  test('keeps the whole conversation in its state', async () => {
    const { model, messages } = await talk({ window: 260, counter: words })
    expect(messages.map(({ text }) => text).filter(Boolean)).toEqual([
      question,
      ...Array.from({ length: beds }, (_, index) => soilOf(index + 1)),
      'It is bed 12.',
    ])
    const whole = new Set(messages.map(({ id }) => id))
    const kept = model.prompts.at(-1)!.filter(({ id }) => id !== undefined)
    expect(kept.length).toBeGreaterThan(4)
    expect(kept.every(({ id }) => whole.has(id))).toBe(true)
  })

  test('is refused if what is required does not fit with the tools, and LangChain puts the error into its own', async () => {
    const refused: unknown = await talk({ window: 15, counter: words }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ cause: { code: 'window_overflow', details: { tools: 7 } } })
  })
})

test('a system prompt goes to the user if the model takes none', async () => {
  const { model } = await talk({ window: 400, counter: words, profile: { noSystem: true } }, 'You help in a garden.')
  expect(model.prompts.flat().some((message) => SystemMessage.isInstance(message))).toBe(false)
  expect(model.prompts[0]![0]!.text).toContain('You help in a garden.')
})
