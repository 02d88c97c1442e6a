import fc from 'fast-check'
import type { Message } from 'minutebook'
import type { EndEvent } from 'minutebook/wire'

/** One thing that a client does: it adds something to its chat, sends it in its own way, and gets an answer or not. */
export interface Step {
  readonly add: 'user' | 'parts' | 'picture' | 'results' | 'late system' | 'nothing' | 'prefill'
  readonly way: Way
  readonly edit: number | undefined
  readonly answer: Message | undefined
  readonly trusted: boolean
  readonly alone: boolean
  /** Whether the thread was found by what is sent, and not by its name. */
  readonly onlySent: boolean
  readonly id: string | undefined
  readonly text: string
}

/** How a client sends what it has. */
export interface Way {
  readonly dated: boolean
  readonly stripped: 'nothing' | 'thinking' | 'older thinking'
  readonly last: number
  readonly spelled: 'as is' | 'parts' | 'spaced' | 'renumbered' | 'trimmed' | 'null fields'
  readonly tools: number
}

const word = fc.constantFrom('the', 'lamp', ' storm', 'red ', '中文', '\ud800', '__proto__', '[NOTE', '')
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))

/** Fields that no protocol knows, too. */
const extra = fc.record(
  {
    refusal: fc.constant(null),
    annotations: fc.array(text, { maxLength: 2 }),
    ['__proto__']: fc.constant('own'),
    form: text,
    entry: text,
    message: text,
  },
  { requiredKeys: [] },
)

const answer = (wire: Wire): fc.Arbitrary<Message> =>
  fc
    .tuple(
      text,
      fc.option(text, { nil: undefined }),
      fc.array(fc.constantFrom('look', 'search'), { maxLength: 2 }),
      extra,
    )
    .map(([content, thinking, names, fields]) => ({
      ...fields,
      role: 'assistant',
      content: names.length > 0 && wire === 'openai' ? null : content,
      ...(thinking !== undefined && { [wire === 'openai' ? 'reasoning' : 'thinking']: thinking }),
      ...(names.length > 0 && { tool_calls: names.map((name, index) => callOf(wire, name, index)) }),
    }))

export type Wire = 'ollama' | 'openai'

function callOf(wire: Wire, name: string, index: number): object {
  if (wire === 'openai')
    return { id: `call_${index}`, type: 'function', function: { name, arguments: `{"q":${index},"deep":{"a":[1]}}` } }
  return { function: { name, arguments: { q: index, deep: { a: [1] } } } }
}

export const stepOf = (wire: Wire): fc.Arbitrary<Step> =>
  fc.record({
    add: fc.constantFrom('user', 'user', 'user', 'parts', 'picture', 'results', 'late system', 'nothing', 'prefill'),
    way: fc.record({
      dated: fc.boolean(),
      stripped: fc.constantFrom('nothing', 'thinking', 'older thinking'),
      last: fc.constantFrom(999, 999, 999, 8, 5, 3),
      spelled: fc.constantFrom('as is', 'as is', 'parts', 'spaced', 'renumbered', 'trimmed', 'null fields'),
      tools: fc.nat({ max: 3 }),
    }),
    edit: fc.option(fc.nat({ max: 9 }), { nil: undefined, freq: 8 }),
    answer: fc.option(answer(wire), { nil: undefined, freq: 6 }),
    trusted: fc.boolean(),
    alone: fc.constantFrom(false, false, false, false, true),
    onlySent: fc.boolean(),
    id: fc.constantFrom(undefined, undefined, 'one', 'two', 'three'),
    text,
  })

export const chatOf = (wire: Wire): fc.Arbitrary<Step[]> =>
  fc.array(stepOf(wire), { minLength: 1, maxLength: 9, size: 'max' })

/** What the client adds to what it has. */
export function added(kept: readonly Message[], { add, text: said }: Step, wire: Wire): Message[] {
  const open = kept.at(-1)?.tool_calls as readonly { id?: string; function: { name: string } }[] | undefined
  if (add === 'results' && open)
    return open.map(({ id, function: { name } }, index) => ({
      role: 'tool',
      content: `${said} ${index}`,
      ...(wire === 'openai' ? { tool_call_id: id } : { tool_name: name }),
    }))
  if (add === 'late system')
    return [
      { role: 'system', content: said },
      { role: 'user', content: 'and?' },
    ]
  if (add === 'prefill')
    return [
      { role: 'user', content: said },
      { role: 'assistant', content: 'It is' },
    ]
  if (add === 'nothing' && kept.length > 0) return []
  if (add === 'picture')
    return [
      wire === 'ollama'
        ? { role: 'user', content: said, images: ['aGVsbG8='] }
        : {
            role: 'user',
            content: [
              { type: 'text', text: said },
              { type: 'image_url', image_url: { url: 'data:,x' } },
            ],
          },
    ]
  return [{ role: 'user', content: add === 'parts' ? [{ type: 'text', text: said }] : said }]
}

/** What the client sends of what it has, and how it writes it. */
export function sentBy(kept: readonly Message[], { dated, stripped, last, spelled }: Way, day: number): Message[] {
  const lastAnswer = kept.findLastIndex(({ role }) => role === 'assistant')
  const sent = kept
    .slice(-last)
    .map((message, index, all) =>
      spell(strip(message, stripped, kept.length - all.length + index === lastAnswer), spelled),
    )
  return dated ? [{ role: 'system', content: `It is day ${day}.` }, ...sent] : sent
}

function strip(message: Message, stripped: Way['stripped'], isLast: boolean): Message {
  if (stripped === 'nothing' || (stripped === 'older thinking' && isLast)) return message
  return Object.fromEntries(
    Object.entries(message).filter(([name]) => name !== 'thinking' && name !== 'reasoning'),
  ) as unknown as Message
}

function spell(message: Message, spelled: Way['spelled']): Message {
  const { content, tool_calls: calls } = message
  if (spelled === 'parts' && typeof content === 'string')
    return { ...message, content: [{ type: 'text', text: content }] }
  if (spelled === 'trimmed' && typeof content === 'string') return { ...message, content: content.trim() }
  if (spelled === 'null fields') return { ...message, name: null, audio: null } as Message
  if (spelled === 'as is' || !Array.isArray(calls)) return message
  return {
    ...message,
    tool_calls: (calls as { function: { arguments: unknown } }[]).map((call, index) =>
      spelled === 'renumbered' ? { ...call, id: `other_${index}` } : respaced(call),
    ),
  }
}

function respaced<C extends { readonly function: { readonly arguments: unknown } }>(call: C): C {
  const { arguments: given } = call.function
  return typeof given === 'string'
    ? { ...call, function: { ...call.function, arguments: JSON.stringify(JSON.parse(given), null, 1) } }
    : call
}

export const tools: readonly (readonly object[])[] = [
  [],
  [tool('look')],
  [tool('look'), tool('search')],
  [tool('search'), { type: 'custom', custom: { name: 'odd' } }, tool('look')],
]

function tool(name: string): object {
  return {
    type: 'function',
    function: { name, description: `To ${name}.`, parameters: { type: 'object', properties: {} } },
  }
}

export function endOf(message: Message): EndEvent {
  return { type: 'end', message, finish: Array.isArray(message.tool_calls) ? 'calls' : 'stop', usage: { prompt: 10 } }
}
