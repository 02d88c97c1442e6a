/** Random chats of Anthropic's Messages protocol that its API accepts. */
import { dot } from '@minutebook/testing'
import { omittedThinking, redactedThinking, signedThinking } from '@minutebook/testing/server'
import fc from 'fast-check'
import { text } from './arbitrary.ts'

/** A block of content, of whatever type. */
export interface TestBlock {
  readonly type: string
  readonly [field: string]: unknown
}

/** A message of the protocol. */
export interface TestTurn {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly TestBlock[]
}

/** What stands in a request next to its model. */
export interface AnthropicChat {
  readonly max_tokens: number
  readonly messages: readonly TestTurn[]
  readonly system?: string | readonly TestBlock[]
  readonly tools?: readonly object[]
  readonly thinking?: object
}

/** Chats with these numbers in the input of their calls. */
export function anthropicChat(numbers: fc.Arbitrary<unknown>): fc.Arbitrary<AnthropicChat> {
  return fc
    .record({
      system: fc.option(
        fc.oneof(
          said(20),
          fc.array(
            said(12).map((each) => textBlock(each)),
            { minLength: 1, maxLength: 2 },
          ),
        ),
        { nil: undefined },
      ),
      turns: fc.array(turn(numbers), { minLength: 1, maxLength: 5 }),
      last: userTurn(),
      end: fc.constantFrom('answer', 'question', 'results'),
      isTooled: fc.boolean(),
      wantsThoughts: fc.constantFrom(undefined, 'enabled', 'adaptive', 'disabled'),
      marks: fc.array(fc.nat(), { maxLength: 4 }),
    })
    .map(({ system, turns, last, end, isTooled, wantsThoughts, marks }) => {
      const messages = numbered(ended(turns.flat(), last, end))
      return marked(
        {
          max_tokens: 4096,
          messages,
          ...(system !== undefined && { system }),
          ...(isTooled && { tools }),
          ...(wantsThoughts !== undefined && { thinking: thinkingFor(messages, wantsThoughts) }),
        },
        marks,
      )
    })
}

const tools = [
  { name: 'lookup', description: 'Looks up.', input_schema: { type: 'object', properties: { q: { type: 'string' } } } },
  { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
]

/** A text that is not blank. */
function said(most: number): fc.Arbitrary<string> {
  return text(most).map((each) => (each.trim() === '' ? `lamp${each}` : each))
}

function textBlock(each: string): TestBlock {
  return { type: 'text', text: each }
}

/** A user, any number of steps with calls, and an answer. */
function turn(numbers: fc.Arbitrary<unknown>): fc.Arbitrary<TestTurn[]> {
  return fc
    .tuple(userTurn(), fc.array(step(numbers), { maxLength: 3 }), fc.option(answer(), { nil: undefined, freq: 6 }))
    .map(([user, steps, last]) => [user, ...steps.flat(), ...(last ? [last] : [])])
}

function userTurn(): fc.Arbitrary<TestTurn> {
  return fc
    .oneof<fc.Arbitrary<string | TestBlock[]>[]>(said(20), fc.array(userBlock(), { minLength: 1, maxLength: 3 }))
    .map((content) => ({ role: 'user', content }))
}

function userBlock(): fc.Arbitrary<TestBlock> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: said(12).map((each) => textBlock(each)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...pictures) },
    { weight: 1, arbitrary: said(30).chain((data) => fc.constantFrom(...papers(data))) },
    { weight: 1, arbitrary: unknownBlock() },
  )
}

const pictures: readonly TestBlock[] = [
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot } },
  { type: 'image', source: { type: 'url', url: 'https://example.com/lamp.png' } },
]

function papers(data: string): TestBlock[] {
  return [
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title: 'Lamps' },
    { type: 'document', source: { type: 'content', content: [textBlock(data)] }, citations: { enabled: true } },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQ=' } },
  ]
}

function unknownBlock(): fc.Arbitrary<TestBlock> {
  return text(4).map((own) => ({ type: 'kind_of_tomorrow', own, list: [null, { own }], id: 'k1' }))
}

function answer(): fc.Arbitrary<TestTurn> {
  const block = fc.oneof(
    { weight: 6, arbitrary: said(15).map((each) => textBlock(each)) },
    { weight: 1, arbitrary: unknownBlock() },
  )
  return fc
    .oneof<fc.Arbitrary<string | TestBlock[]>[]>(
      said(20),
      fc
        .tuple(fc.array(thought(), { maxLength: 2 }), fc.array(block, { minLength: 1, maxLength: 2 }))
        .map((parts) => parts.flat()),
    )
    .map((content) => ({ role: 'assistant', content }))
}

function thought(): fc.Arbitrary<TestBlock> {
  return text(15).chain((each) =>
    fc.constantFrom<TestBlock>(
      { ...signedThinking(each) },
      { ...omittedThinking(each) },
      { ...redactedThinking(each) },
    ),
  )
}

/** Calls with all their results at the beginning of the next message, in any order, and perhaps more behind them. */
function step(numbers: fc.Arbitrary<unknown>): fc.Arbitrary<TestTurn[]> {
  return fc
    .record({
      thoughts: fc.array(thought(), { maxLength: 2 }),
      text: fc.option(said(6), { nil: undefined }),
      calls: fc.array(fc.record({ number: numbers, q: text(5), result: resultFields(), isLate: fc.boolean() }), {
        minLength: 1,
        maxLength: 3,
      }),
      more: fc.array(userBlock(), { maxLength: 1 }),
    })
    .map(({ thoughts, text: before, calls, more }) => {
      const uses = calls.map(({ number, q }, index) => ({
        type: 'tool_use',
        id: `${index}`,
        name: index === 0 ? 'lookup' : 'set_lamp',
        input: index === 2 ? {} : { q, number, deep: [{ q }] },
      }))
      const results = calls
        .map(({ result, isLate }, index) => ({
          isLate,
          block: { type: 'tool_result', tool_use_id: `${index}`, ...result },
        }))
        .toSorted((one, other) => Number(one.isLate) - Number(other.isLate))
        .map(({ block }) => block)
      return [
        { role: 'assistant', content: [...thoughts, ...(before === undefined ? [] : [textBlock(before)]), ...uses] },
        { role: 'user', content: [...results, ...more] },
      ]
    })
}

function resultFields(): fc.Arbitrary<object> {
  return fc.oneof<fc.Arbitrary<object>[]>(
    text(20).map((content) => ({ content })),
    fc.constant({}),
    text(8).map((content) => ({ content, is_error: true })),
    fc
      .array(
        fc.oneof<fc.Arbitrary<TestBlock>[]>(
          said(10).map((each) => textBlock(each)),
          fc.constantFrom(...pictures),
        ),
        {
          maxLength: 2,
        },
      )
      .map((content) => ({ content, is_error: false })),
  )
}

/** Ends with an answer that the model is to continue, with a question, or with the results of calls. */
function ended(turns: readonly TestTurn[], last: TestTurn, end: string): readonly TestTurn[] {
  if (end === 'answer') return [...turns, last, { role: 'assistant', content: 'The lamp is' }]
  const newest = turns.findLastIndex(({ content }) => typeof content !== 'string' && content[0]?.type === 'tool_result')
  return end === 'results' && newest > 0 ? turns.slice(0, newest + 1) : [...turns, last]
}

/** Gives every call an id of its own. */
function numbered(turns: readonly TestTurn[]): readonly TestTurn[] {
  let step = 0
  return turns.map((each) => {
    if (typeof each.content === 'string') return each
    const calls = each.content.some(({ type }) => type === 'tool_use')
    if (calls) step++
    const named = (id: unknown): string => `toolu_${step}_${String(id)}`
    return {
      ...each,
      content: each.content.map((block) => {
        if (block.type === 'tool_use') return { ...block, id: named(block['id']) }
        return block.type === 'tool_result' ? { ...block, tool_use_id: named(block['tool_use_id']) } : block
      }),
    }
  })
}

/** Thoughts can only be asked for if the newest message with calls begins with one. */
function thinkingFor(turns: readonly TestTurn[], type: 'enabled' | 'adaptive' | 'disabled'): object {
  if (type !== 'enabled') return { type }
  const content = turns.findLast(({ role }) => role === 'assistant')?.content ?? []
  const first = typeof content === 'string' ? undefined : content[0]?.type
  const isOpen = typeof content !== 'string' && content.some((block) => block.type === 'tool_use')
  return isOpen && !first?.endsWith('thinking') ? { type: 'adaptive' } : { type, budget_tokens: 1024 }
}

/** Marks these of all blocks for the prompt cache; a place that cannot be marked is left out. */
function marked(chat: AnthropicChat, places: readonly number[]): AnthropicChat {
  const mark = { cache_control: { type: 'ephemeral' } }
  const count = [
    ...(chat.tools ?? []),
    ...listOf(chat.system),
    ...chat.messages.flatMap(({ content }) => listOf(content)),
  ].length
  const chosen = new Set(places.map((place) => place % Math.max(1, count)))
  let place = 0
  const each = <T extends object>(block: T): T => {
    const { type } = block as { readonly type?: string }
    const isChosen = chosen.has(place++) && !type?.endsWith('thinking') && type !== 'kind_of_tomorrow'
    return isChosen ? { ...block, ...mark } : block
  }
  const all = <T>(content: T | readonly TestBlock[]): T | readonly TestBlock[] =>
    Array.isArray(content) ? (content as readonly TestBlock[]).map(each) : content
  return {
    ...chat,
    ...(chat.tools && { tools: chat.tools.map(each) }),
    ...(chat.system !== undefined && { system: all(chat.system) }),
    messages: chat.messages.map((message) => ({ ...message, content: all(message.content) })),
  }
}

function listOf(content: unknown): readonly object[] {
  return Array.isArray(content) ? content : []
}
