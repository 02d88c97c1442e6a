import fc from 'fast-check'
import type { Message } from 'minutebook'
import { text } from './texts.ts'

/** A conversation of many turns, in prose, JSON, code, other scripts, and text that looks like special tokens. */
export const longLog: fc.Arbitrary<Message[]> = fc
  .tuple(
    fc.array(
      text(40).map((content) => ({ role: 'system', content })),
      { maxLength: 2 },
    ),
    fc.array(turn(), { minLength: 2, maxLength: 24, size: 'max' }),
    fc.tuple(text(30), fc.nat(), fc.boolean()),
  )
  .map(([head, turns, [last, place, asks]]) => {
    const messages = [...head, ...turns.flat()]
    return [...messages, { role: 'user', content: asks ? questionAbout(messages, place) : last }]
  })

function turn(): fc.Arbitrary<Message[]> {
  return fc
    .tuple(
      text(60),
      fc.array(step(), { maxLength: 2, size: 'small' }),
      fc.option(text(120), { nil: undefined, freq: 9 }),
    )
    .map(([content, steps, answer]) => [
      { role: 'user', content },
      ...steps.flat(),
      ...(answer === undefined ? [] : [{ role: 'assistant', content: answer }]),
    ])
}

/** One to three calls in OpenAI's shape or Ollama's, and their results, the last of which may never have come. */
function step(): fc.Arbitrary<Message[]> {
  const call = fc.record({
    name: fc.constantFrom('search', 'read_file', 'set-lamp', 'lookup2'),
    given: given(),
    said: text(60),
  })
  return fc
    .tuple(
      fc.array(call, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.oneof(fc.constant(''), text(15)),
      fc.nat({ max: 9 }),
    )
    .map(([calls, openAI, content, luck]) => [
      {
        role: 'assistant',
        content,
        tool_calls: calls.map(({ name, given: values }, index) =>
          openAI
            ? { id: `call_${index}`, type: 'function', function: { name, arguments: JSON.stringify(values) } }
            : { function: { name, arguments: values } },
        ),
      },
      ...calls
        .map(({ name, said }, index) => ({
          role: 'tool',
          content: said,
          ...(openAI ? { tool_call_id: `call_${index}` } : { tool_name: name }),
        }))
        .slice(0, luck === 0 ? -1 : calls.length),
    ])
}

function given(): fc.Arbitrary<Record<string, unknown>> {
  const value = fc.oneof(
    text(8),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.nat({ max: 99 }), { maxLength: 12 }),
  )
  return fc.dictionary(
    fc.constantFrom('about', 'path', 'limit', 'nested', 'colour'),
    fc.oneof(value, fc.record({ inner: value })),
    { maxKeys: 4 },
  )
}

/** Asks in the words of something that was said before. */
function questionAbout(messages: readonly Message[], place: number): string {
  const said = messages[place % messages.length]?.content
  return `What was it that you said about ${String(said).split(/\s+/).slice(0, 8).join(' ')}?`
}
