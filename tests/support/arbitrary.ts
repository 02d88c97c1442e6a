import fc from 'fast-check'
import {
  defaultPolicy,
  firstAndRecent,
  lastMessages,
  tiered,
  type Digester,
  type Entry,
  type Message,
  type Policy,
  type Profile,
} from 'minutebook'
import { entriesOf, journal, note, pinned, type Log } from './entries.ts'

/** A conversation as clients send it: turns with tool loops, and whatever else turns up in the wild. */
export const conversation: fc.Arbitrary<Message[]> = fc
  .tuple(
    fc.array(
      text(12).map((content) => ({ role: 'system', content })),
      { maxLength: 2 },
    ),
    fc.array(fc.oneof({ weight: 6, arbitrary: turn() }, { weight: 1, arbitrary: stray() }), { maxLength: 12 }),
    fc.option(
      text(40).map((content) => ({ role: 'user', content })),
      { nil: undefined, freq: 4 },
    ),
  )
  .map(([head, turns, last]) => [...head, ...turns.flat(), ...(last ? [last] : [])])

/**
 * The same with notes and journal entries anywhere in it. Each begins with a word of its own: `canary0.`, `canary1.`, …
 */
export const noted: fc.Arbitrary<Entry[]> = fc
  .tuple(conversation, fc.array(anyNote(), { maxLength: 8 }))
  .map(([messages, notes]) => {
    const said: (Message | Note)[] = [...messages]
    for (const each of notes) said.splice(placeFor(each, said), 0, each)
    let number = 0
    return entriesOf(...said.map((each) => ('role' in each ? each : each.write(`canary${number++}. ${each.text}`))))
  })

/** The same with pinned entries among it. */
const pinnedLog: fc.Arbitrary<Entry[]> = fc
  .tuple(noted, fc.array(fc.nat({ max: 99 }), { maxLength: 4 }))
  .map(([entries, places]) => {
    const spoken = entries.filter(({ kind }) => kind === 'user' || kind === 'assistant' || kind === 'tool')
    const chosen = new Set(places.map((place) => spoken[place % Math.max(1, spoken.length)]))
    return entries.map((entry) => (chosen.has(entry) ? pinned(entry) : entry))
  })

/** What every property of the compiler is proved with. */
export const logs: readonly (readonly [name: string, log: fc.Arbitrary<Log>])[] = [
  ['messages', conversation],
  ['entries with notes', noted],
  ['entries with pins', pinnedLog],
]

/** A policy of every kind; recall off unless asked for. */
const preset: fc.Arbitrary<Policy> = fc.oneof(
  fc.nat({ max: 12 }).map((count) => lastMessages(count)),
  fc.nat({ max: 4 }).map((verbatim) => tiered({ verbatim })),
  fc.constant(firstAndRecent()),
)

export const still: fc.Arbitrary<Policy> = fc.oneof(
  preset,
  fc.constant(defaultPolicy({ recall: 'off', epochs: false })),
)

export const anyPolicy: fc.Arbitrary<Policy> = fc
  .tuple(
    fc.oneof(
      still,
      fc.constantFrom('off' as const, 'gated' as const, 'eager' as const).map((recall) => defaultPolicy({ recall })),
    ),
    fc.constantFrom<Policy['notes']>(
      undefined,
      { role: 'user' },
      { last: 10, place: 'system' },
      { last: 2, place: 'system', role: 'user' },
    ),
  )
  .map(([policy, notes]) => (notes ? { ...policy, notes } : policy))

/** None, or some that write more than a line of the policy may take, of what they see. */
export const anyDigesters: fc.Arbitrary<readonly Digester[]> = fc
  .tuple(fc.boolean(), fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }))
  .map(([some, line]) =>
    some
      ? [
          {
            id: 'typed@1',
            tool: 'lookup',
            line,
            digest: (value, { call, question }) => [call?.name, call?.input, question, value].map(String).join(' '),
          },
          { id: 'lamp@1', tool: 'set_lamp', digest: (value) => (value === '' ? undefined : `lamp ${String(value)}`) },
        ]
      : [],
  )

/** Small windows often, where it is tight; the whole range now and then. */
export const windowSize: fc.Arbitrary<number> = fc.oneof(
  { weight: 5, arbitrary: fc.nat({ max: 400 }) },
  { weight: 1, arbitrary: fc.nat({ max: 8192 }) },
)

export const anyProfile: fc.Arbitrary<Profile> = fc.record(
  {
    systemFirstOnly: fc.boolean(),
    mustAlternate: fc.boolean(),
    noSystem: fc.boolean(),
    onlyTheirSystem: fc.boolean(),
    needsUser: fc.boolean(),
    noTools: fc.boolean(),
    answerAfterTool: fc.boolean(),
    argumentsAs: fc.constantFrom('object' as const, 'string' as const),
    oneCallAtATime: fc.boolean(),
    callsWithoutText: fc.boolean(),
    nineCharacterIds: fc.boolean(),
    normalized: fc.boolean(),
  },
  { requiredKeys: [] },
)

export function text(most: number): fc.Arbitrary<string> {
  const word = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.constantFrom('the', 'lamp', 'storm', 'red', 'blue', 'server', 'note', 'ten', 'Harry', 'test'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '<|endoftext|>',
        '__proto__',
        '\ud800',
        '\u202e',
        '中文字',
        '#3',
        '[NOTE',
        '"quoted"',
        '---',
      ),
    },
  )
  return fc
    .oneof({ weight: 12, arbitrary: fc.nat({ max: most }) }, { weight: 1, arbitrary: fc.nat({ max: most * 12 }) })
    .chain((length) => fc.array(word, { minLength: length, maxLength: length, size: 'max' }))
    .chain((parts) => fc.constantFrom(' ', ' ', '\n').map((separator) => parts.join(separator)))
}

/** User, any number of call steps, perhaps an answer. */
function turn(): fc.Arbitrary<Message[]> {
  return fc
    .tuple(text(20), fc.array(step(), { maxLength: 3 }), fc.option(answer(), { nil: undefined, freq: 6 }))
    .map(([content, steps, last]) => [{ role: 'user', content }, ...steps.flat(), ...(last ? [last] : [])])
}

function answer(): fc.Arbitrary<Message> {
  return fc
    .tuple(text(25), fc.option(text(10), { nil: undefined, freq: 1 }))
    .map(([content, thinking]) => ({ role: 'assistant', content, ...(thinking !== undefined && { thinking }) }))
}

/** Calls in either protocol's shape with their results, some of which never came, in any order. */
function step(): fc.Arbitrary<Message[]> {
  const name = fc.constantFrom('lookup', 'search', 'set_lamp')
  return fc
    .tuple(
      fc.array(name, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      text(4),
      fc.array(fc.tuple(text(15), fc.nat({ max: 9 })), { minLength: 3, maxLength: 3 }),
    )
    .map(([names, openai, content, results]) => {
      const calls = names.map((called, index) =>
        openai
          ? { id: `call_${index}`, type: 'function', function: { name: called, arguments: `{"q":${index}}` } }
          : { function: { name: called, arguments: { q: index } } },
      )
      const answers = names
        .map((called, index) => ({ called, index, answered: results[index]! }))
        .filter(({ answered: [, luck] }) => luck > 1)
        .toSorted((left, right) => (left.answered[1] > 6 ? -1 : 0) - (right.answered[1] > 6 ? -1 : 0))
        .map(({ called, index, answered: [said] }) => ({
          role: 'tool',
          content: said,
          ...(openai ? { tool_call_id: `call_${index}` } : { tool_name: called }),
        }))
      return [{ role: 'assistant', content, tool_calls: calls }, ...answers]
    })
}

/** What a careless client sends: late system messages, orphan results, answers to nobody. */
function stray(): fc.Arbitrary<Message[]> {
  return fc.oneof<fc.Arbitrary<Message[]>[]>(
    text(8).map((content) => [{ role: 'system', content }]),
    text(8).map((content) => [{ role: 'tool', content, tool_call_id: 'nobody' }]),
    answer().map((message) => [message]),
    text(8).map((content) => [{ role: 'user', content: [{ type: 'text', text: content }] }]),
    fc.constant([{ role: 'user', content: '[Several conversation turns removed to conserve context.]' }]),
    fc.constant([
      { role: 'user', content: 'look' },
      { role: 'system', content: '[Several conversation turns removed to conserve context.]' },
    ]),
  )
}

interface Note {
  readonly write: (text: string) => Entry
  readonly text: string
  readonly place: number
  /** Right after something that calls tools, before the results. */
  readonly amid: boolean
}

function anyNote(): fc.Arbitrary<Note> {
  return fc.record({
    write: fc.constantFrom(note, journal),
    text: text(8),
    place: fc.nat({ max: 99 }),
    amid: fc.boolean(),
  })
}

function placeFor({ place, amid }: Note, said: readonly (Message | Note)[]): number {
  const calling = said.flatMap((each, index) => ('role' in each && each.tool_calls !== undefined ? [index + 1] : []))
  return amid && calling.length > 0 ? calling[place % calling.length]! : place % (said.length + 1)
}
