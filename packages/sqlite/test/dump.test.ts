import { sqliteStore } from '@minutebook/sqlite'
import { defaultPolicy, defineTool, openBook, type Message, type Thread } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { openAiModel } from 'minutebook/openai'
import { dot, words } from '@minutebook/testing'
import { strictUpstream, type UpstreamAnswer, type UpstreamRequest } from '@minutebook/testing/server'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { canonicalRequest } from '../../core/src/receipts/prompt.ts'
import { createDice, type Dice } from './support/dice.ts'

/** Turns in all: TURNS=1000 for a longer look. */
const turns = Number(process.env['TURNS'] ?? 200)
const subjects = ['harbour', 'lamp', 'garden', 'ledger', 'storm', 'bridge', 'orchard', 'mill', 'canal', 'tower']

const lookUp = defineTool({
  name: 'look_up',
  description: 'Finds out about something.',
  parameters: { type: 'object', properties: { about: { type: 'string' } } },
  run: (input) => ({ found: JSON.stringify(input).repeat(3) }),
})
const breaks = defineTool({
  name: 'breaks',
  parameters: { type: 'object' },
  run: () => Promise.reject(new Error('it broke')),
})

describe.each(['ollama', 'openai'] as const)('through %s', (wire) => {
  test(`a dump is what the server received: ${turns / 2} random turns with tools, images, notes, recall and compactions`, async () => {
    const dice = createDice(wire === 'ollama' ? 7 : 11)
    await using upstream = await strictUpstream({
      answer: (request) => answer(dice, request),
      window: 1024,
      counter: words,
    })
    const model =
      wire === 'ollama'
        ? ollamaModel(new Ollama({ host: upstream.url }), { model: 'any' })
        : openAiModel(new OpenAI({ baseURL: `${upstream.url}/v1`, apiKey: 'none' }), { model: 'any' })
    using store = sqliteStore(':memory:')
    const book = openBook({
      store,
      model,
      window: 1024,
      counter: words,
      policy: defaultPolicy({ recall: 'eager' }),
      tools: [lookUp, breaks],
      notes: 'block',
      system: 'You keep the town’s chronicle.',
    })
    const threads = Array.from({ length: 5 }, (_, n) => book.thread(`town ${n}`))
    const sent = new Map<Thread, UpstreamRequest[]>(threads.map((thread) => [thread, []]))
    for (let turn = 0; turn < turns / 2; turn++) {
      const thread = dice.pick(threads)
      const before = upstream.requests.length
      const { status, error } = await thread.send(question(dice, turn, wire)).done
      expect([status, error]).toEqual(['complete', undefined])
      sent.get(thread)!.push(...upstream.requests.slice(before))
    }

    const seen = { calls: 0, images: 0, notes: 0, recalled: 0, epochs: 0 }
    for (const thread of threads) {
      const receipts = await thread.receipts()
      expect(receipts).toHaveLength(sent.get(thread)!.length)
      for (const [index, receipt] of receipts.entries()) {
        const dumped = await thread.dump({ receipt: receipt.id })
        const { json } = sent.get(thread)![index]!
        const { messages, tools } = json as { messages: unknown[]; tools: unknown[] }
        expect(canonicalRequest(dumped.messages, dumped.tools)).toBe(canonicalRequest(messages, tools))
        expect(dumped.same).toBe(true)
        const text = JSON.stringify(messages)
        seen.calls += Number(text.includes('tool_calls'))
        seen.images += Number(text.includes(dot))
        seen.notes += Number(text.includes('RECENT NOTES'))
        seen.recalled += receipt.verdicts.recalled ?? 0
      }
      seen.epochs += receipts.at(-1)?.epoch ?? 0
    }
    for (const [what, count] of Object.entries(seen)) expect([what, count > 10]).toEqual([what, true])
  })
})

function question(dice: Dice, turn: number, wire: 'ollama' | 'openai'): Message {
  const text = `Question ${turn}: what about the ${dice.pick(subjects)} and the ${dice.pick(subjects)}? ${'It was a long day. '.repeat(dice.below(8))}`
  if (dice.below(6) > 0) return { role: 'user', content: text }
  if (wire === 'ollama') return { role: 'user', content: text, images: [dot] }
  return {
    role: 'user',
    content: [
      { type: 'text', text },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${dot}` } },
    ],
  }
}

function answer(dice: Dice, { messages }: UpstreamRequest): UpstreamAnswer {
  const rest = messages.slice(messages.findLastIndex(({ role }) => role === 'user'))
  if (rest.length < 6 && dice.below(3) === 0) {
    const names = Array.from({ length: 1 + dice.below(2) }, () => dice.pick(['look_up', 'breaks', 'no_such_tool']))
    return {
      text: dice.pick(['', 'Let me see.']),
      calls: names.map((name, index) => ({
        id: `call${rest.length}${index}`,
        name,
        arguments: { about: dice.pick(subjects) },
      })),
    }
  }
  const note = dice.below(3) === 0 ? `\n[NOTE TO SELF: the ${dice.pick(subjects)} matters]` : ''
  return {
    ...(dice.below(4) === 0 && { reasoning: 'Let me think about that.' }),
    text: `The ${dice.pick(subjects)} stood there. ${'Nobody knew why. '.repeat(dice.below(10))}${note}`,
  }
}
