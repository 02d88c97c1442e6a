import { compile, type Message, type Profile } from 'minutebook'
import { assistant, call, findIllegal, result, system, user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../../../tests/support/refusal.ts'

const f = call('1', 'f', { a: 1 })
const g = call('2', 'g')
const ollama: Message = {
  role: 'assistant',
  content: '',
  tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }],
}

const send = (messages: Message[], profile: Profile): Message[] =>
  compile(messages, { window: 1000, counter: words, profile }).messages

/** A message as `assistant: text → f(arguments) #id` and a result as `tool: text #id`; a line break shows as ¶. */
function line({ role, content, tool_calls, tool_call_id, tool_name }: Message): string {
  const calls = ((tool_calls ?? []) as { id?: string; function: { name: string; arguments: unknown } }[]).map(
    ({ id, function: { name, arguments: given } }) =>
      ` → ${name}(${typeof given === 'string' ? given : `object ${JSON.stringify(given)}`})${id === undefined ? '' : ` #${id}`}`,
  )
  const text = typeof content === 'string' ? content.replaceAll('\n', '¶') : JSON.stringify(content)
  const address = (tool_call_id ?? tool_name) as string | undefined
  return `${role}: ${text}${calls.join('')}${address === undefined ? '' : ` #${address}`}`
}

/** Profile, what goes in, what comes out. */
const table: [string, Profile, Message[], string[]][] = [
  [
    'no demand',
    {},
    [system('s'), user('q'), system('late'), assistant('a', f)],
    [
      'system: s',
      'user: q',
      'system: late',
      'assistant: a → f({"a":1}) #1',
      'tool: (interrupted: this call has no result) #1',
    ],
  ],

  [
    'systemFirstOnly',
    { systemFirstOnly: true },
    [system('s'), user('q'), system('late'), assistant('a')],
    ['system: s¶¶late', 'user: q', 'assistant: a'],
  ],
  ['systemFirstOnly', { systemFirstOnly: true }, [user('q'), system('late')], ['system: late', 'user: q']],
  ['systemFirstOnly', { systemFirstOnly: true }, [user('q'), user('r')], ['user: q', 'user: r']],

  [
    'mustAlternate',
    { mustAlternate: true },
    [system('s'), user('q'), user('r'), assistant('a'), assistant('b'), user('t')],
    ['system: s', 'user: q¶¶r', 'assistant: a¶¶b', 'user: t'],
  ],
  [
    'mustAlternate',
    { mustAlternate: true },
    [assistant('a'), user('q')],
    ['user: [the conversation starts here]', 'assistant: a', 'user: q'],
  ],
  ['mustAlternate', { mustAlternate: true }, [user('q'), system('late'), user('r')], ['system: late', 'user: q¶¶r']],
  [
    'mustAlternate',
    { mustAlternate: true },
    [user('q'), assistant('', f), result('1', 'r'), user('t')],
    ['user: q', 'assistant:  → f({"a":1}) #1', 'tool: r #1', 'assistant: [no answer was given]', 'user: t'],
  ],
  [
    'mustAlternate',
    { mustAlternate: true },
    [user('q'), assistant('', f), result('1', 'r'), assistant('', g), result('2', 'r'), assistant('a')],
    ['user: q', 'assistant:  → f({"a":1}) #1', 'tool: r #1', 'assistant:  → g({}) #2', 'tool: r #2', 'assistant: a'],
  ],

  [
    'noSystem',
    { noSystem: true },
    [system('s'), user('q'), system('late'), assistant('a')],
    ['user: s¶¶late¶¶[The rest of this message is what the user said]¶q', 'assistant: a'],
  ],
  ['noSystem', { noSystem: true }, [system('s'), assistant('a'), user('q')], ['user: s', 'assistant: a', 'user: q']],
  ['noSystem', { noSystem: true }, [system('s')], ['user: s']],

  [
    'needsUser',
    { needsUser: true },
    [system('s'), assistant('a'), user('q')],
    ['system: s', 'user: [the conversation starts here]', 'assistant: a', 'user: q'],
  ],
  ['needsUser', { needsUser: true }, [system('s'), user('q')], ['system: s', 'user: q']],

  [
    'noTools',
    { noTools: true },
    [user('q'), assistant('look', f, g), result('1', 'r1'), result('2', 'r2'), assistant('a')],
    [
      'user: q',
      'assistant: look',
      'user: [The assistant called f with]¶> {"a":1}',
      'user: [The assistant called g with]¶> {}',
      'user: [f returned]¶> r1',
      'user: [g returned]¶> r2',
      'assistant: a',
    ],
  ],
  [
    'noTools',
    { noTools: true },
    [user('q'), ollama],
    [
      'user: q',
      'user: [The assistant called f with]¶> {"a":1}',
      'user: [f returned]¶> (interrupted: this call has no result)',
    ],
  ],
  [
    'noTools',
    { noTools: true },
    [user('q'), result('9', 'r')],
    ['user: q', 'user: [A tool result without a call]¶> r'],
  ],

  [
    'answerAfterTool',
    { answerAfterTool: true },
    [user('q'), assistant('', g), result('2', 'r'), user('t')],
    ['user: q', 'assistant:  → g({}) #2', 'tool: r #2', 'assistant: [no answer was given]', 'user: t'],
  ],
  [
    'answerAfterTool',
    { answerAfterTool: true },
    [user('q'), assistant('', g), result('2', 'r'), assistant('a'), user('t')],
    ['user: q', 'assistant:  → g({}) #2', 'tool: r #2', 'assistant: a', 'user: t'],
  ],

  [
    'argumentsAs object',
    { argumentsAs: 'object' },
    [user('q'), assistant('', f)],
    ['user: q', 'assistant:  → f(object {"a":1}) #1', 'tool: (interrupted: this call has no result) #1'],
  ],
  [
    'argumentsAs object',
    { argumentsAs: 'object' },
    [user('q'), assistant('', { ...f, function: { name: 'f', arguments: 'no JSON' } })],
    ['user: q', 'assistant:  → f(object {"value":"no JSON"}) #1', 'tool: (interrupted: this call has no result) #1'],
  ],
  [
    'argumentsAs string',
    { argumentsAs: 'string' },
    [user('q'), ollama],
    ['user: q', 'assistant:  → f({"a":1})', 'tool: (interrupted: this call has no result) #f'],
  ],

  [
    'oneCallAtATime',
    { oneCallAtATime: true },
    [user('q'), assistant('look', f, g), result('2', 'r2'), result('1', 'r1'), assistant('a')],
    [
      'user: q',
      'assistant: look → f({"a":1}) #1',
      'tool: r1 #1',
      'assistant:  → g({}) #2',
      'tool: r2 #2',
      'assistant: a',
    ],
  ],
  [
    'oneCallAtATime',
    { oneCallAtATime: true },
    [user('q'), assistant('', f, g), result('2', 'r2')],
    [
      'user: q',
      'assistant:  → f({"a":1}) #1',
      'tool: (interrupted: this call has no result) #1',
      'assistant:  → g({}) #2',
      'tool: r2 #2',
    ],
  ],

  [
    'callsWithoutText',
    { callsWithoutText: true },
    [user('q'), assistant('look', f), result('1', 'r'), assistant('a')],
    ['user: q', 'assistant: look', 'assistant:  → f({"a":1}) #1', 'tool: r #1', 'assistant: a'],
  ],
  [
    'callsWithoutText',
    { callsWithoutText: true, mustAlternate: true },
    [user('q'), assistant('look', f), result('1', 'r'), assistant('a')],
    [
      'user: q',
      'assistant:  → f({"a":1}) #1',
      'tool: [The assistant said]¶> look¶¶[The rest of this message is the result]¶r #1',
      'assistant: a',
    ],
  ],

  [
    'nineCharacterIds',
    { nineCharacterIds: true },
    [user('q'), assistant('', f, call('abcDEF123', 'g')), result('1', 'r'), result('abcDEF123', 'r')],
    ['user: q', 'assistant:  → f({"a":1}) #call00001 → g({}) #abcDEF123', 'tool: r #call00001', 'tool: r #abcDEF123'],
  ],
  [
    'nineCharacterIds',
    { nineCharacterIds: true },
    [user('q'), ollama, { role: 'tool', content: 'r', tool_name: 'f' }],
    ['user: q', 'assistant:  → f(object {"a":1}) #call00001', 'tool: r #call00001'],
  ],

  [
    'normalized',
    { normalized: true },
    [user('q'), assistant(null, f, g), result('2', 'r2'), result('1', 'r1'), assistant('')],
    ['user: q', 'assistant:  → f({"a":1}) #1 → g({}) #2', 'tool: r1 #1', 'tool: r2 #2'],
  ],
  [
    'normalized',
    { normalized: true },
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: 'c', tool_calls: [] },
    ],
    ['user: ab', 'assistant: c'],
  ],
  [
    'normalized',
    { normalized: true },
    [user('q'), ollama, { role: 'tool', content: 'r', tool_name: 'f' }],
    ['user: q', 'assistant:  → f(object {"a":1}) #call00001', 'tool: r #call00001'],
  ],
]

describe('a profile', () => {
  test.each(table)('%s', (_, profile, messages, expected) => {
    const sent = send(messages, profile)
    expect(sent.map(line)).toEqual(expected)
    expect(findIllegal(sent, profile)).toBeUndefined()
  })

  test('every flag has a row', () => {
    const flags = new Set(table.flatMap(([, profile]) => Object.keys(profile)))
    expect([...flags].toSorted()).toEqual([
      'answerAfterTool',
      'argumentsAs',
      'callsWithoutText',
      'mustAlternate',
      'needsUser',
      'nineCharacterIds',
      'noSystem',
      'noTools',
      'normalized',
      'oneCallAtATime',
      'systemFirstOnly',
    ])
  })

  test('that needs a user refuses a conversation without one', () => {
    const error = refusal(() => send([system('s'), assistant('a')], { needsUser: true }))
    expect(error.code).toBe('no_user')
    expect(error.message).toContain('Add one')
  })
})

describe('messages that need no change', () => {
  const log = [system('s'), user('q'), assistant('', f), result('1', 'r'), assistant('a')]

  test.each<[string, Profile]>([
    ['no profile', {}],
    [
      'every demand they meet',
      {
        systemFirstOnly: true,
        mustAlternate: true,
        needsUser: true,
        answerAfterTool: true,
        oneCallAtATime: true,
        callsWithoutText: true,
      },
    ],
  ])('are the very objects that were passed: %s', (_, profile) => {
    const sent = send(log, profile)
    expect(sent).toHaveLength(log.length)
    for (const [index, message] of sent.entries()) expect(message).toBe(log[index])
  })

  test('stay as they were where a copy of them is changed', () => {
    const before = structuredClone(log)
    send(log, { noTools: true, noSystem: true, mustAlternate: true })
    expect(log).toEqual(before)
  })
})

describe('what a message carries besides', () => {
  test('a developer stays one', () => {
    expect(
      send([{ role: 'developer', content: [{ type: 'text', text: 's' }] }, user('q')], { normalized: true })[0],
    ).toEqual({ role: 'developer', content: 's' })
  })

  test('images of both messages are in the merged one', () => {
    const [merged] = send(
      [
        { role: 'user', content: 'a', images: ['A'] },
        { role: 'user', content: 'b', images: ['B'] },
      ],
      { mustAlternate: true },
    )
    expect(merged).toMatchObject({ content: 'a\n\nb', images: ['A', 'B'] })
  })

  test('image parts of both messages are in the merged one', () => {
    const part = (url: string): unknown => ({ type: 'image_url', image_url: { url } })
    const [merged] = send(
      [
        { role: 'user', content: [{ type: 'text', text: 'a' }, part('A')] },
        { role: 'user', content: [part('B'), { type: 'text', text: 'b' }] },
      ],
      { mustAlternate: true },
    )
    expect(merged?.content).toEqual([{ type: 'text', text: 'a\n\nb' }, part('A'), part('B')])
  })

  test('unknown fields of a call and a message pass through', () => {
    const odd = { ...assistant('', { ...f, index: 0 } as typeof f), custom: 1 }
    const [, sent] = send([user('q'), odd], { nineCharacterIds: true })
    expect(sent).toMatchObject({ custom: 1, tool_calls: [{ index: 0, type: 'function' }] })
  })
})
