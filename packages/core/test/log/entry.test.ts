import { describe, expect, test } from 'vitest'
import type { Entry, Message } from 'minutebook'
import { checksum, entryOf, type EntryFacts } from 'minutebook/store'
import { assistant, call, result, user } from '@minutebook/testing'
import { isEntry } from '../../src/log/entry.ts'

const question = entryOf(user('What time is it?'))
const answer = entryOf(assistant('Noon.'), question)

/** The id of a message that follows the question. */
const id = (message: Message, facts?: EntryFacts): string => entryOf(message, question, facts).id
const calls = (name: string, given: unknown, callId?: string): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ ...(callId && { id: callId }), function: { name, arguments: given } }],
})

describe('an id does not change with', () => {
  test.each<[string, string, string]>([
    ['the origin', id(user('a'), { origin: 'import' }), id(user('a'), { origin: 'user' })],
    ['the time', id(user('a'), { time: '2026-01-01T00:00:00Z' }), id(user('a'))],
    ['the speaker', id(user('a'), { speaker: 'Ada' }), id(user('a'))],
    ['the status', id(assistant('a'), { status: 'partial' }), id(assistant('a'))],
    ['the reasoning', id({ ...assistant('a'), reasoning: 'because' } as Message), id(assistant('a'))],
    ["a call's id", id(calls('now', '{}', 'call_1')), id(calls('now', '{}', 'call_2'))],
    ["a result's call id", id(result('call_1', 'noon')), id(result('call_2', 'noon'))],
    ['arguments as text or as a value', id(calls('now', '{"a":1,"b":[2]}')), id(calls('now', { a: 1, b: [2] }))],
    [
      'the order and spacing of arguments',
      id(calls('now', '{ "b": [2],\n "a": 1 }')),
      id(calls('now', '{"a":1,"b":[2]}')),
    ],
    ['absent arguments or empty ones', id(calls('now', undefined)), id(calls('now', '{}'))],
    [
      'text in parts or in one',
      id({
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }),
      id(user('ab')),
    ],
    ['null, empty or absent content', id(assistant(null)), id({ role: 'assistant', content: '' })],
    ['the spelling of the role', id({ role: 'developer', content: 'a' }), id({ role: 'System', content: 'a' })],
    [
      "the order of an image part's keys",
      id({ role: 'user', content: [{ type: 'image_url', url: 'x' }] }),
      id({ role: 'user', content: [{ url: 'x', type: 'image_url' }] }),
    ],
    ['fields that nobody reads', id({ ...user('a'), custom: 1 } as Message), id(user('a'))],
  ])('%s', (_, one, other) => {
    expect(one).toBe(other)
  })
})

describe('an id changes with', () => {
  test.each<[string, string, string]>([
    ['the parent', id(user('a')), entryOf(user('a'), answer).id],
    ['having no parent', id(user('a')), entryOf(user('a')).id],
    ['the kind', id(user('a')), id(assistant('a'))],
    ['the kind that the caller gives', id(assistant('a'), { kind: 'note' }), id(assistant('a'))],
    ['the text', id(user('a')), id(user('a '))],
    ['half a surrogate pair', id(user('\ud800')), id(user('\ud801'))],
    ["a call's name", id(calls('now', '{}')), id(calls('then', '{}'))],
    ["a call's arguments", id(calls('now', '{"a":1}')), id(calls('now', '{"a":2}'))],
    ['arguments that are no JSON', id(calls('now', '{"a":1')), id(calls('now', '{"a":1 '))],
    [
      'the order of the calls',
      id(assistant(null, call('1', 'a'), call('2', 'b'))),
      id(assistant(null, call('1', 'b'), call('2', 'a'))),
    ],
    ['the images', id({ ...user('a'), images: ['x'] } as Message), id({ ...user('a'), images: ['y'] } as Message)],
    ['having images', id({ ...user('a'), images: ['x'] } as Message), id(user('a'))],
    ['what is text and what is a call', id(calls('a', '"b"')), id(calls('a","b', '""'))],
  ])('%s', (_, one, other) => {
    expect(one).not.toBe(other)
  })
})

describe('an entry', () => {
  test('is the same when its append is retried', () => {
    expect(entryOf(assistant('Noon.'), question)).toEqual(answer)
  })

  test('has the place, parent and defaults that follow from the entry before it', () => {
    expect([question.seq, question.parent, question.origin]).toEqual([0, null, 'user'])
    expect([answer.seq, answer.parent, answer.origin, answer.status, answer.version]).toEqual([
      1,
      question.id,
      'model',
      'complete',
      2,
    ])
  })

  test('carries the very message it was made of', () => {
    const message = { ...user('a'), custom: { kept: true } }
    expect(entryOf(message).raw).toBe(message)
  })

  test('that is a note hangs off the chain: what follows does not know it', () => {
    const note = entryOf(assistant('She asks for the time.'), answer, { kind: 'note' })
    const withNote = entryOf(user('Thanks'), note)
    const without = entryOf(user('Thanks'), answer)
    expect(note.parent).toBe(answer.id)
    expect(withNote.parent).toBe(answer.id)
    expect(withNote.id).toBe(without.id)
    expect([note.seq, withNote.seq, without.seq]).toEqual([2, 3, 2])
  })

  test('two notes in a row hang off the same entry', () => {
    const one = entryOf(assistant('one'), answer, { kind: 'note' })
    const two = entryOf(assistant('two'), one, { kind: 'journal' })
    expect([one.parent, two.parent]).toEqual([answer.id, answer.id])
    expect(two.origin).toBe('minutebook')
  })

  test('is told from a message by its fields', () => {
    expect([isEntry(question), isEntry(user('a')), isEntry({ ...user('a'), id: 'mine' } as Message)]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('a checksum', () => {
  test.each<[string, Partial<Entry>]>([
    ['the origin', { origin: 'import' }],
    ['the time', { time: '2026-01-01T00:00:00Z' }],
    ['the speaker', { speaker: 'Ada' }],
    ['the status', { status: 'failed' }],
    ['the parent', { parent: null }],
    ['the key', { key: 'tab-1' }],
    ['a field of the message', { raw: { ...answer.raw, custom: 1 } as Message }],
  ])('changes with %s', (_, changed) => {
    expect(checksum({ ...answer, ...changed })).not.toBe(checksum(answer))
  })

  test('does not cover the place, which the store gives, nor what is read from the message', () => {
    const elsewhere: Entry = { ...answer, seq: 7, text: 'Noon!', reasoning: 'because' }
    expect(checksum(elsewhere)).toBe(checksum(answer))
  })

  test('does not change with the order of the fields, as a store may give them back', () => {
    const reordered = Object.fromEntries(Object.entries(answer).toReversed()) as unknown as Entry
    expect(checksum(reordered)).toBe(checksum(answer))
    expect(checksum(JSON.parse(JSON.stringify(answer)) as Entry)).toBe(checksum(answer))
  })
})
