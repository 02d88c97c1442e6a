import fc from 'fast-check'
import { ResponseStream } from 'openai/lib/responses/ResponseStream'
import { describe, expect, test } from 'vitest'
import { entryOf } from 'minutebook/store'
import { cases } from '../../../../tests/support/runs.ts'
import { responseEvents, type StreamEvent } from '../../src/responses/stream.ts'
import { outputId, outputPlace, partOf, responseId, responsePlace } from '../../src/responses/ids.ts'
import type { Begun } from '../../src/responses/recorded.ts'
import { responseOf, type ResponseObject } from '../../src/responses/output.ts'
import { brief, echo, seat, sent } from './support/client.ts'

const names = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 200,
})
const parts = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(partOf)

describe('ids', () => {
  test('name their thread and their response, whatever that is called, and stand in a path as they are', () => {
    fc.assert(
      fc.property(parts, names, fc.constantFrom('msg', 'rs', 'fc'), fc.nat(4095), (part, name, kind, index) => {
        const place = { part, name }
        expect(responsePlace(responseId(place))).toEqual(place)
        expect(outputPlace(outputId(place, kind, index))).toEqual({ ...place, kind, index })
        expect(encodeURIComponent(responseId(place))).toBe(responseId(place))
      }),
    )
  })

  test('of another shape are none', () => {
    const spoilt = fc
      .tuple(parts, names, fc.nat(300), fc.constantFrom('', 'a', '.', '/', '%', '_', '-'))
      .map(([part, name, at, other]) => {
        const id = responseId({ part, name })
        return id.slice(0, at % id.length) + other + id.slice((at % id.length) + 1)
      })
    fc.assert(
      fc.property(fc.oneof(spoilt, fc.string({ maxLength: 400 })), (text) => {
        const place = responsePlace(text)
        // What can be read at all is written in its one way.
        if (place) expect([responseId(place), place.part.length, place.name.length > 0]).toEqual([text, 22, true])
        expect(outputPlace(text)).toBeUndefined()
      }),
    )
  })
})

describe('events', () => {
  const begun: Begun = {
    id: responseId({ part: 'a'.repeat(22), name: 'garden' }),
    created: 1,
    model: 'm',
    metadata: {},
    previous: null,
    conversation: null,
    question: '',
    inputs: 1,
  }
  const pieces = fc.array(
    fc.record({
      type: fc.constantFrom('message' as const, 'reasoning' as const),
      text: fc.string({ minLength: 1, maxLength: 8 }),
    }),
    { maxLength: 12 },
  )
  const calls = fc.array(fc.record({ name: fc.constantFrom('now', 'then'), arguments: fc.json() }), { maxLength: 3 })

  test('put together by the official client are the response, however it came in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        pieces,
        calls,
        fc.constantFrom('stop' as const, 'length' as const, 'failed' as const),
        async (said, called, outcome) => {
          const ended = ending(said, called, outcome)
          const events: StreamEvent[] = []
          const telling = responseEvents(responsePlace(begun.id)!, (event) => void events.push(event))
          telling.begin(responseOf({ begun, terms: {}, stores: true }))
          for (const { type, text } of said) telling.add(type, text)
          telling.finish(ended)
          expect(events.map(({ sequence_number: number }) => number)).toEqual([...events.keys()])
          const lines = events.map((event) => `${JSON.stringify(event)}\n`)
          const final = await ResponseStream.fromReadableStream(new Response(lines.join('')).body!).finalResponse()
          expect(new Set(final.output.map(({ id }) => id))).toEqual(new Set(ended.output.map(({ id }) => id)))
          expect(final.output_text).toBe(textOf(said))
          const done = events
            .filter(({ type }) => type === 'response.output_item.done')
            .map((event) => (event as unknown as { item: { id: string } }).item)
          expect(done.toSorted(byId)).toEqual([...ended.output].toSorted(byId))
        },
      ),
    )
  })

  function ending(
    said: readonly { type: string; text: string }[],
    called: readonly { name: string; arguments: string }[],
    outcome: 'stop' | 'length' | 'failed',
  ): ResponseObject {
    // Thoughts that come behind the text are not told.
    const before = said.slice(
      0,
      Math.max(
        0,
        said.findIndex(({ type }) => type === 'message'),
      ),
    )
    const thoughts = said.some(({ type }) => type === 'message') ? before : said
    const tool_calls = called.map(({ name, arguments: given }, index) => ({
      id: `c${index}`,
      type: 'function',
      function: { name, arguments: given },
    }))
    const message = {
      role: 'assistant',
      content: textOf(said),
      reasoning_content: thoughts.map(({ text }) => text).join(''),
      ...(tool_calls.length > 0 && { tool_calls }),
    }
    // A text that was told is in the answer, also where there are calls.
    const status = outcome === 'stop' ? 'complete' : outcome === 'length' ? 'partial' : 'failed'
    const receipt = { outcome, tokens: { predicted: 0, reused: 0, reported: {} }, head: '', id: '' } as const
    return responseOf({
      begun,
      terms: {},
      ending: { receipt, answer: entryOf(message, undefined, { status }) },
      stores: true,
    })
  }
})

function textOf(said: readonly { readonly type: string; readonly text: string }[]): string {
  return said
    .filter(({ type }) => type === 'message')
    .map(({ text }) => text)
    .join('')
}

function isSystem(message: string): boolean {
  return message.startsWith('s:')
}

function byId(left: { readonly id: string }, right: { readonly id: string }): number {
  return left.id < right.id ? -1 : 1
}

describe('any tree of responses', () => {
  interface Told {
    readonly id: string
    readonly said: readonly string[]
  }
  const steps = fc.array(
    fc.record({
      /** Which of the responses before it goes on from; none where there are not so many. */
      from: fc.nat(9),
      input: fc.constantFrom('a', 'b', 'c'),
      instructions: fc.constantFrom(undefined, 'Be brief.', 'Be kind.'),
      store: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )

  test('each prompt is what was said on the way to it, with its own instructions', async () => {
    const at = await seat({ answer: echo })
    await fc.assert(
      fc.asyncProperty(steps, async (asked) => {
        const told: Told[] = []
        for (const { from, input, instructions, store } of asked) {
          const before = told[from]
          const { id } = await at.client.responses.create({
            model: 'strict',
            input,
            store,
            ...(instructions !== undefined && { instructions }),
            ...(before && { previous_response_id: before.id }),
          })
          const expected = [...(before?.said ?? []), `u:${input}`]
          const [systems, spoken] = [
            brief(sent(at)).filter(isSystem),
            brief(sent(at)).filter((each) => !isSystem(each)),
          ]
          // Instructions that come late stand where they came.
          expect([systems, spoken]).toEqual([instructions === undefined ? [] : [`s:${instructions}`], expected])
          if (store) told.push({ id, said: [...expected, `a:heard ${input}`] })
        }
        for (const { id, said } of told)
          expect((await at.client.responses.retrieve(id)).output_text).toBe(said.at(-1)?.slice(2))
      }),
      { numRuns: cases('long') },
    )
  })
})
