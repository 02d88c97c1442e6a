import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visible, type Entry, type Kind, type Message, type VisibleEntry } from 'minutebook'
import { type Origin, entryOf, traits } from 'minutebook/store'
import { splitNotes } from 'minutebook/wire'
import { assistant, call, ollamaAssistant, ollamaCall, result, system, user } from '@minutebook/testing'
import { visibleMessages } from '../../src/log/visible.ts'
import { payloadOf, tombstone } from '../../src/log/stored-entry.ts'
import { conversation } from '../../../../tests/support/arbitrary.ts'
import { branchOf, type Line } from '../support/lines.ts'

const block = '[NOTE TO SELF: canary]'
const note = call('n', 'note_to_self', { text: 'canary' })
const lookup = call('l', 'lookup')
const ollamaNote = ollamaAssistant('', ollamaCall('note_to_self', { text: 'canary' }))

/** A message with one call that has these arguments. */
function calling(given: unknown): Message {
  return { role: 'assistant', tool_calls: [{ id: 'l', function: { name: 'lookup', arguments: given } }] }
}

/** What is seen, as `kind: text`, with the names of calls. */
function seen(entries: readonly Entry[]): string[] {
  return visible(entries).map(
    ({ kind, text, calls }) => `${kind}: ${text}${calls.map(({ name }) => ` +${name}`).join('')}`,
  )
}

describe('people see', () => {
  test.each<[string, Line[], string[]]>([
    [
      'what was said, not what was told to the model',
      [system('rules'), user('hi'), assistant('hello')],
      ['user: hi', 'assistant: hello'],
    ],
    [
      'calls and results',
      [user('hi'), assistant('', lookup), result('l', 'found'), assistant('yes')],
      ['user: hi', 'assistant:  +lookup', 'tool: found', 'assistant: yes'],
    ],
    [
      'neither notes nor journal',
      [user('hi'), assistant('hello'), [system('canary'), { kind: 'note' }], [system('canary'), { kind: 'journal' }]],
      ['user: hi', 'assistant: hello'],
    ],
    [
      'why a turn stopped, and no more of it',
      [user('hi'), [system('{"reason":"The turn was cancelled.","code":"canary"}'), { kind: 'stop' }]],
      ['user: hi', 'stop: The turn was cancelled.'],
    ],
    [
      'that a turn stopped, where it says no more',
      [user('hi'), [system('canary'), { kind: 'stop' }], [system('{"reason":1}'), { kind: 'stop' }]],
      ['user: hi', 'stop: ', 'stop: '],
    ],
    [
      'an answer without the block that is still in it',
      [user('hi'), assistant(`hello\n${block}`)],
      ['user: hi', 'assistant: hello'],
    ],
    ['no answer that was nothing but a block', [user('hi'), assistant(block)], ['user: hi']],
    ['an answer that is empty', [user('hi'), [assistant(''), { status: 'cancelled' }]], ['user: hi', 'assistant: ']],
    [
      'calls without notes among them',
      [user('hi'), assistant('', note, lookup), result('n', 'canary'), result('l', 'found')],
      ['user: hi', 'assistant:  +lookup', 'tool: found'],
    ],
    [
      'no entry that was nothing but a note by call',
      [user('hi'), assistant('', note), result('n', 'canary'), assistant('hello')],
      ['user: hi', 'assistant: hello'],
    ],
    [
      'what was said beside a note by call',
      [user('hi'), assistant('hello', note), result('n', 'canary')],
      ['user: hi', 'assistant: hello'],
    ],
    [
      "notes of Ollama's neither",
      [user('hi'), ollamaNote, { role: 'tool', content: 'canary' }, assistant('hello')],
      ['user: hi', 'assistant: hello'],
    ],
    [
      'notes of an imported log neither',
      [user('hi'), [ollamaNote, { origin: 'import' }], [{ role: 'tool', content: 'canary' }, { origin: 'import' }]],
      ['user: hi'],
    ],
    [
      'no result that names the tool, where its call is missing',
      [{ role: 'tool', content: 'canary', tool_name: 'note_to_self' }, user('hi')],
      ['user: hi'],
    ],
    [
      'a result of another tool with a note between',
      [user('hi'), assistant('', lookup), [system('canary'), { kind: 'note' }], result('l', 'found')],
      ['user: hi', 'assistant:  +lookup', 'tool: found'],
    ],
  ])('%s', (_, lines, expected) => {
    const entries = branchOf(lines)
    expect(seen(entries)).toEqual(expected)
    expect(JSON.stringify(visible(entries))).not.toContain('canary')
  })

  test.each<[string, Line]>([
    ['a user', user(`hi ${block}`)],
    ['a tool', result('1', `found ${block}`)],
    ['an imported assistant', [assistant(`hello ${block}`), { origin: 'import' }]],
    ['a user who quotes an unclosed one', user('what is [NOTE TO SELF: ?')],
  ])('a block that %s wrote, as it was written', (_, line) => {
    const [entry] = branchOf([line])
    expect(visible([entry!])[0]?.text).toBe(entry!.text)
  })

  test('an entry without the message as it came and without reasoning', () => {
    const message = { role: 'assistant', content: 'hello', thinking: 'canary', secret: 'canary' } as Message
    const entry = entryOf(message, undefined, { speaker: 'Ada', time: '2026-01-01', key: 'canary' })
    const { id, parent, seq } = entry
    expect(visible([entry])).toEqual([
      {
        id,
        parent,
        seq,
        kind: 'assistant',
        origin: 'model',
        status: 'complete',
        text: 'hello',
        calls: [],
        images: [],
        speaker: 'Ada',
        time: '2026-01-01',
      },
    ])
  })

  test('images, and which call a result answers', () => {
    const [asked, , answered] = visible(
      branchOf([{ role: 'user', content: 'look', images: ['AA'] }, assistant('', lookup), result('l', 'found')]),
    )
    expect(asked?.images).toEqual(['AA'])
    expect(answered?.answers).toEqual({ id: 'l' })
  })

  test.each([
    ['a JSON text', '{"bed":3}', { bed: 3 }],
    ['a value', { bed: 3 }, { bed: 3 }],
    ['an empty text', '', {}],
    ['no JSON', '{"bed":', undefined],
  ])('the arguments of a call as a value, if they are %s', (_, given, input) => {
    const [entry] = branchOf([calling(given)]) as [Entry]
    const [shown] = visible([entry])
    expect(shown?.calls[0]?.input).toEqual(input)
    expect(shown?.calls[0]?.arguments).toEqual(entry.calls[0]?.arguments)
    expect(payloadOf(entry)).not.toContain('"input"')
  })

  test.each([
    ['{"sown":true}', { sown: true }],
    ['null', null],
    ['12', 12],
    ['', ''],
    ['in bed 3', 'in bed 3'],
  ])('the result %j also as a value', (text, output) => {
    const shown = visible(branchOf([assistant('', lookup), result('l', text), assistant('Done.')]))
    expect(shown.map((entry) => entry.output)).toEqual([undefined, output, undefined])
  })

  test.each([
    ['OpenAI', { id: 'n', type: 'function', function: { name: 'note_to_self', arguments: '{"text":"canary"}' } }],
    ['Ollama', { function: { name: 'note_to_self', arguments: { text: 'canary' } } }],
    ['a custom tool', { id: 'n', type: 'custom', custom: { name: 'note_to_self', input: 'canary' } }],
  ])('no note by a call of %s, nor does a client get it with the messages', (_, made) => {
    const entries = branchOf([user('hi'), { role: 'assistant', content: '', tool_calls: [made, lookup] } as Message])
    expect(seen(entries)).toEqual(['user: hi', 'assistant:  +lookup'])
    expect(visibleMessages(entries)[1]).toMatchObject({ tool_calls: [lookup] })
    expect(JSON.stringify(visibleMessages(entries))).not.toContain('canary')
  })

  test('an erased entry as an empty one', () => {
    const [asked, called] = branchOf([user('canary'), assistant('canary', call('l', 'canary'))]) as [Entry, Entry]
    const erased: Entry[] = [tombstone(asked), { ...called, status: 'erased' }]
    expect(visible(erased)).toMatchObject([
      { id: asked.id, status: 'erased', text: '' },
      { id: called.id, status: 'erased', text: '', calls: [] },
    ])
    expect(JSON.stringify(visible(erased))).not.toContain('canary')
  })

  test('results with their calls, also where branches are written in turns', () => {
    const [asked] = branchOf([user('hi')]) as [Entry]
    const left = entryOf(assistant('', note), asked)
    const right = entryOf(assistant('', lookup, call('n', 'list')), asked)
    const rightResult = entryOf(result('n', 'listed'), right)
    const leftResult = entryOf(result('n', 'canary'), left)
    expect(seen([asked, left, right, leftResult, rightResult])).toEqual([
      'user: hi',
      'assistant:  +lookup +list',
      'tool: listed',
    ])
  })
})

describe('in any log', () => {
  const kinds = Object.keys(traits) as Kind[]
  const origins: Origin[] = ['operator', 'user', 'model', 'tool', 'import', 'minutebook']

  test('only the text of model answers is ever shortened', () => {
    const text = fc
      .array(fc.constantFrom(block, '[NOTE TO SELF:', ']', ' ', '\n', 'word'))
      .map((parts) => parts.join(''))
    const roles = fc.constantFrom('user', 'assistant', 'tool')
    fc.assert(
      fc.property(roles, fc.constantFrom(...origins), text, (role, origin, content) => {
        const entry = entryOf({ role, content }, undefined, { origin })
        const [shown] = visible([entry])
        if (role === 'assistant' && origin === 'model')
          expect(shown?.text ?? '').toBe(splitNotes(content, 'exact').text)
        else expect(shown?.text).toBe(content)
      }),
    )
  })

  test('who changes what is shown does not change the log', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const entries = branchOf([calling(given), result('l', JSON.stringify(given))])
        const before = JSON.stringify(entries)
        for (const { calls, output } of visible(entries))
          for (const value of [...calls.map(({ input }) => input), output]) Object.assign(Object(value), { changed: 1 })
        expect(JSON.stringify(entries)).toBe(before)
      }),
    )
  })

  test('no kind is shown that is not for people', () => {
    for (const kind of kinds) {
      const shown = visible([entryOf({ role: traits[kind].role, content: 'hi' }, undefined, { kind })])
      expect(shown.map((entry) => entry.kind)).toEqual(traits[kind].visible ? [kind] : [])
    }
  })

  test('notes that are added to it change nothing that is seen', () => {
    const places = fc.array(fc.nat({ max: 40 }), { maxLength: 4 })
    fc.assert(
      fc.property(conversation, places, (messages, where) => {
        const entries = branchOf(messages)
        const noted = entries.flatMap((entry, index) =>
          where.includes(index) ? [entry, entryOf(system('canary'), entry, { kind: 'note' })] : [entry],
        )
        const told = noted.map((entry) =>
          entry.kind === 'assistant' && entry.text ? { ...entry, text: `${entry.text}\n${block}` } : entry,
        )
        expect(JSON.stringify(visible(told))).not.toContain('canary')
        expect(texts(visible(told))).toEqual(texts(visible(entries)))
      }),
    )
  })
})

function texts(entries: readonly VisibleEntry[]): string[] {
  return entries.map(({ text, kind }) => (kind === 'assistant' ? text.trimEnd() : text))
}
