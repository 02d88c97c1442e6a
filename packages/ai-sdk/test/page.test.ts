import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineTool, localFeed, memoryStore, openBook, type Model, type Tool } from 'minutebook'
import { chatHandler, uiMessagesOf } from '@minutebook/ai-sdk'
import { scriptedModel, type ScriptedAnswer } from '@minutebook/testing'
import { cases } from '../../../tests/support/runs.ts'
import { createGate, gated, loadedPage, PlainChat, shownBy, unnumbered } from './support/chat.ts'

const piece = fc.constantFrom('Beans ', 'in ', 'bed 3.', '\n', '{"a":1}', 'ü')
const call = fc.record({
  name: fc.constantFrom('bed', 'unknown', 'order', 'ask'),
  arguments: fc.record({ bed: fc.constantFrom(3, 9), way: fc.constantFrom('json', 'text', 'fail', 'none') }),
})
const step: fc.Arbitrary<ScriptedAnswer> = fc.record(
  {
    text: fc.array(piece, { maxLength: 3 }),
    reasoning: fc.array(piece, { maxLength: 2 }),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['calls'] },
)
const last: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  fc.record({ text: fc.array(piece, { maxLength: 4 }), reasoning: fc.array(piece, { maxLength: 2 }) }),
  fc.record({ text: fc.array(piece, { maxLength: 4 }), finish: fc.constant('length' as const) }),
  fc.record({ text: fc.array(piece, { maxLength: 4 }), fail: fc.constant(new Error('down')) }),
)
const scripts = fc.tuple(fc.array(step, { maxLength: 3 }), last).map(([steps, end]) => [...steps, end])

/** What a page does with the calls that wait, one after the other. The first of them is always decided. */
const choices = fc.array(fc.constantFrom('yes', 'no', 'later'), { minLength: 1, maxLength: 4 })

const running = (name: string, approve: boolean, pass: () => Promise<void>): Tool =>
  defineTool({
    name,
    parameters: { type: 'object' },
    ...(approve && { approve }),
    run: async (input) => {
      await pass()
      const { way } = input as { way: string }
      if (way === 'fail') throw new Error('there is no such bed')
      return { json: { plants: ['beans'] }, text: 'beans' }[way]
    },
  })

const asking = defineTool({ name: 'ask', parameters: { type: 'object' } })

interface ShownCall {
  readonly toolCallId: string
  readonly state: string
  readonly approval?: { readonly id: string }
}

/** The calls that wait on a page. */
function openOn({ messages }: PlainChat): ShownCall[] {
  const parts = (messages.at(-1)?.parts ?? []) as unknown as ShownCall[]
  return parts.filter(({ state }) => state === 'approval-requested' || state === 'input-available')
}

/** Decides about the calls that wait on a page, and sends it. */
async function decideOn(chat: PlainChat, chosen: readonly string[]): Promise<void> {
  for (const [index, { toolCallId, approval }] of openOn(chat).entries()) {
    const choice = chosen[index % chosen.length]
    if (choice === 'later' && index > 0) continue
    const isRefused = choice === 'no'
    if (approval) await chat.addToolApprovalResponse({ id: approval.id, approved: !isRefused, reason: 'so' })
    else if (isRefused)
      await chat.addToolOutput({ state: 'output-error', tool: 'ask', toolCallId, errorText: 'nobody is here' })
    else await chat.addToolOutput({ tool: 'ask', toolCallId, output: { said: choice } })
  }
  await chat.sendMessage()
}

/** Each answer differs, so that no two entries are the same. */
function distinct(lines: readonly ScriptedAnswer[]): ScriptedAnswer[] {
  return lines.map((line, index) => {
    const calls = line.calls?.map((made) => ({ ...made, arguments: { ...(made.arguments as object), index } }))
    return calls ? { ...line, calls } : line
  })
}

test('whatever a model says and wherever a page is loaded, each page has in the end what is recorded', async () => {
  await fc.assert(
    fc.asyncProperty(
      scripts,
      fc.constantFrom<NonNullable<Model['wire']>>('openai', 'ollama'),
      fc.nat({ max: 20 }),
      fc.constantFrom('goes on', 'stops', 'is left'),
      choices,
      fc.boolean(),
      async (script, wire, moment, then, chosen, isLoadedAgain) => {
        const gate = createGate()
        const shared = { store: memoryStore(), feed: localFeed() }
        const scripted = scriptedModel(distinct(script), { wire })
        const model = gated(wire === 'ollama' ? unnumbered(scripted) : scripted, gate)
        const pass = (): Promise<void> => gate.pass()
        const tools = [running('bed', false, pass), running('order', true, pass), asking]
        const book = openBook({ ...shared, model, window: 65_536, tools })
        const handler = chatHandler((id) => book.thread(id))
        const other = openBook(shared)
        const live = new PlainChat('t', [], handler)
        const sent = live.sendMessage({ text: 'What grows?' })
        await gate.allow(moment, sent)
        const { chat, resumed } = await loadedPage(
          't',
          chatHandler((id) => other.thread(id)),
        )
        if (then === 'is left') await live.stop()
        if (then === 'stops') await handler(new Request('http://app.test/api/chat/t', { method: 'DELETE' }))
        gate.open()
        await Promise.all([sent, resumed])
        const record = async (): Promise<unknown> => plain(uiMessagesOf(await book.thread('t').entries()))
        // No stream tells a page that waits what others do. What it sends next does.
        if (then === 'stops') for (const page of [live, chat]) if (openOn(page).length > 0) await page.sendMessage()
        const recorded = await record()
        if (then !== 'is left') expect(withoutReasoning(shownBy(live))).toEqual(withoutReasoning(recorded))
        if (then === 'goes on' && live.status === 'ready') expect(shownBy(live)).toEqual(recorded)
        expect(withoutReasoning(shownBy(chat))).toEqual(withoutReasoning(recorded))
        while ((await book.thread('t').waiting()).length > 0) {
          const page = isLoadedAgain || then === 'is left' ? (await loadedPage('t', handler)).chat : live
          await decideOn(page, chosen)
          expect(shownBy(page)).toEqual(await record())
        }
        if (openOn(chat).length > 0) await chat.sendMessage()
        expect(withoutReasoning(shownBy(chat))).toEqual(withoutReasoning(await record()))
        const { chat: later } = await loadedPage('t', handler)
        expect(shownBy(later)).toEqual(await record())
      },
    ),
    { numRuns: cases('long') },
  )
})

/**
 * Two things are not the same: a page that is loaded in the middle of a step does not have the reasoning of that step,
 * and the record does not have the reasoning of a step that was cut off.
 */
function withoutReasoning(messages: unknown): unknown {
  return (messages as { readonly parts: readonly { readonly type: string }[] }[]).flatMap((message) => {
    const parts = message.parts
      .filter(({ type }) => type !== 'reasoning')
      .filter(
        ({ type }, index, all) => type !== 'step-start' || (all[index + 1]?.type ?? 'step-start') !== 'step-start',
      )
    return parts.length === 0 ? [] : [{ ...message, parts }]
  })
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
