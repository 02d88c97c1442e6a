import fc from 'fast-check'
import { memoryStore, MinutebookError, type Message, type Thread } from 'minutebook'
import type { KeptReceipt } from 'minutebook/inspect'
import { describe, expect, test } from 'vitest'
import { findIllegal } from '@minutebook/testing'
import { added, chatOf, endOf, sentBy, tools, type Step, type Wire } from '../support/clients.ts'
import { namedModel, relayBook } from '../../../../tests/support/relays.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'

/** What really went out, by the receipt of the call. */
type Went = Map<
  string,
  { readonly messages: readonly Message[]; readonly tools: readonly unknown[]; readonly mode: KeptReceipt['mode'] }
>

async function chat(
  steps: readonly Step[],
  wire: Wire,
  refusals: ReadonlySet<string>,
  open: () => Thread,
): Promise<Went> {
  const went: Went = new Map()
  let kept: Message[] = []
  for (const [day, step] of steps.entries()) {
    const fresh = added(kept, step, wire)
    if (step.edit !== undefined && kept.length > step.edit)
      kept = [...kept.slice(0, step.edit), { role: 'user', content: `Edited ${day}` }]
    kept.push(...fresh)
    const messages = step.alone ? (fresh.length > 0 ? fresh : kept.slice(-1)) : sentBy(kept, step.way, day)
    const asTold = tools[step.way.tools]
    const relay = await open()
      .relay(messages, {
        tools: asTold,
        trusted: step.trusted,
        alone: step.alone,
        onlySent: step.onlySent,
        id: step.id,
      })
      .catch((error: unknown) => {
        if (MinutebookError.isInstance(error) && refusals.has(error.code)) return undefined
        throw error
      })
    if (!relay) continue
    if (relay.mode === 'unchanged') expect(relay.messages).toBe(messages)
    else expect({ illegal: findIllegal(relay.messages) }).toEqual({ illegal: undefined })
    const { receipt } = step.answer ? await relay.answer(endOf(step.answer)) : await relay.stop('cancelled', 'Half')
    went.set(receipt.id, {
      messages: JSON.parse(JSON.stringify(relay.messages)) as Message[],
      tools: asTold ?? [],
      mode: relay.mode,
    })
    kept.push(step.answer ?? { role: 'assistant', content: 'Half' })
  }
  return went
}

describe.each<Wire>(['openai', 'ollama'])('what a client sent by %s', (wire) => {
  test.each([
    // A client may use an id twice.
    ['much room', 100_000, new Set(['id_taken'])],
    // What must be sent may be longer than a window this small.
    ['little room', 60, new Set(['id_taken', 'context_overflow'])],
  ] as const)('is told exactly by its receipts, with %s', async (_, window, refusals) => {
    const taken = new Set<string | undefined>()
    const drawn = [chatOf(wire), fc.boolean()] as const
    await fc.assert(
      fc.asyncProperty(...drawn, async (steps, anew) => {
        const store = memoryStore()
        const options = { window, reserve: 10, model: namedModel(wire) }
        const thread = relayBook(options, store).thread('t')
        const went = await chat(steps, wire, refusals, () => (anew ? relayBook(options, store).thread('t') : thread))
        expect(await thread.verify()).toMatchObject({ ok: true, prompts: went.size, underivable: 0, problems: [] })
        for (const [receipt, { messages, tools: told, mode }] of went) {
          const dump = await relayBook(options, store).thread('t').dump({ receipt })
          expect(dump).toMatchObject({ same: true, receipt: { mode } })
          expect(dump.messages).toEqual(messages)
          expect(dump.tools).toEqual(told)
          expect(dump.text).not.toBe('')
          taken.add(mode)
        }
      }),
      withSure(10, cases('long'), drawn),
    )
    expect(taken.size).toBe(2)
  })
})
