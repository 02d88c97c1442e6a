import fc from 'fast-check'
import type { Message } from 'minutebook'
import { noteInstruction, splitNotes, takeNotes } from 'minutebook/wire'
import { noteTool } from '../../src/turns/notes.ts'
import { assistant, call } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'

const block = '\n[NOTE TO SELF: x]'
const image = { type: 'image_url', image_url: { url: 'data:,' } }
const part = (text: string): { type: string; text: string } => ({ type: 'text', text })
const note = call('n', 'note_to_self', { text: ' y ' })
const lookup = call('l', 'lookup', { q: 1 })
const ollamaNote = { function: { name: 'note_to_self', arguments: { text: 'y' } } }
const noteWith = (given: unknown): Message => ({
  role: 'assistant',
  content: 'Done.',
  tool_calls: [{ function: { name: 'note_to_self', arguments: given } }],
})

describe('notes are taken', () => {
  test.each<[string, Message, Message, string[]]>([
    ['from the end of a text', assistant(`Done.${block}`), assistant('Done.'), ['x']],
    [
      'from the last text part',
      { role: 'assistant', content: [part('a'), part(`b${block}`), image] },
      { role: 'assistant', content: [part('a'), part('b'), image] },
      ['x'],
    ],
    [
      'from a part that is a bare text',
      { role: 'assistant', content: [`a${block}`] },
      { role: 'assistant', content: ['a'] },
      ['x'],
    ],
    [
      'from a part that is nothing else, which goes',
      { role: 'assistant', content: [part('a'), part(block)] },
      { role: 'assistant', content: [part('a')] },
      ['x'],
    ],
    [
      'from the only part, which stays',
      { role: 'assistant', content: [part(block)] },
      { role: 'assistant', content: [part('')] },
      ['x'],
    ],
    ['from a call', assistant('Done.', note), assistant('Done.'), ['y']],
    [
      "from a call of Ollama's",
      { role: 'assistant', content: '', tool_calls: [ollamaNote] },
      { role: 'assistant', content: '' },
      ['y'],
    ],
    [
      'from a custom call',
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ type: 'custom', custom: { name: 'note_to_self', input: 'y' } }],
      },
      { role: 'assistant', content: null },
      ['y'],
    ],
    [
      'from calls among others, in order',
      assistant('', note, lookup, call('m', 'note_to_self', { text: 'z' })),
      assistant('', lookup),
      ['y', 'z'],
    ],
    ['from calls first, then from the text', assistant(`Done.${block}`, note), assistant('Done.'), ['y', 'x']],
    ['from a message without content', { role: 'assistant', tool_calls: [ollamaNote] }, { role: 'assistant' }, ['y']],
    [
      'with capitals in the role',
      { role: 'Assistant', content: `a${block}` },
      { role: 'Assistant', content: 'a' },
      ['x'],
    ],
    [
      'and other fields are left alone',
      { role: 'assistant', content: `a${block}`, refusal: null, tool_calls: null } as Message,
      { role: 'assistant', content: 'a', refusal: null, tool_calls: null } as Message,
      ['x'],
    ],
    ['given as a bare JSON text', noteWith('"y"'), assistant('Done.'), ['y']],
    ['given as a text that is no JSON', noteWith('remember y'), assistant('Done.'), ['remember y']],
    [
      'unless they are empty: the block goes, the call stays',
      assistant('Done. [NOTE TO SELF: ]', call('n', 'note_to_self', { text: ' ' })),
      assistant('Done.', call('n', 'note_to_self', { text: ' ' })),
      [],
    ],
    ['unless they are no text: the call stays', noteWith({ text: 7 }), noteWith({ text: 7 }), []],
    ['unless there are no arguments: the call stays', noteWith(undefined), noteWith(undefined), []],
    [
      'and are cut where they are too long',
      noteWith({ text: 'y'.repeat(5000) }),
      assistant('Done.'),
      [`${'y'.repeat(3940)}\n(1060 more characters were left out)`],
    ],
  ])('%s', (_, message, rest, notes) => {
    const before = structuredClone(message)
    const taken = takeNotes(message)
    expect(taken).toEqual({ message: rest, notes, earlier: [] })
    expect(Object.keys(taken.message)).toEqual(Object.keys(message).filter((key) => key in rest))
    expect(message).toEqual(before)
  })
})

describe('the very same message comes back', () => {
  test.each<[string, Message]>([
    ['without a note', assistant('Done.', lookup)],
    ['without anything', { role: 'assistant' }],
    ['with parts', { role: 'assistant', content: [part('a'), image] }],
    ['with a part that is no text', { role: 'assistant', content: [image] }],
    ['with a block in a part that is not the last', { role: 'assistant', content: [part(`a${block}`), part('b')] }],
    ['with a quoted block', assistant('Write `[NOTE TO SELF: x]`')],
    [
      'with calls that cannot be read',
      { role: 'assistant', content: 'a', tool_calls: [null, 7, {}, { function: null }] },
    ],
    ['with calls that are no list', { role: 'assistant', content: 'a', tool_calls: 'note_to_self' }],
    ['with content that is neither text nor parts', { role: 'assistant', content: { text: block } }],
    ['from a user', { role: 'user', content: `a${block}` }],
    ['from a tool', { role: 'tool', content: `a${block}` }],
    ['from an operator', { role: 'system', content: `a${block}`, tool_calls: [ollamaNote] }],
  ])('%s', (_, message) => {
    const taken = takeNotes(message)
    expect(taken.message).toBe(message)
    expect(taken.notes).toEqual([])
  })
})

test('whatever it says, a message that is not the assistant’s yields no note', () => {
  const text = fc
    .array(fc.constantFrom('[NOTE TO SELF: x]', '[NOTE TO SELF:', ']', ' ', '\n', 'word'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.constantFrom('user', 'tool', 'system', 'developer', 'function'), text, (role, content) => {
      const message = { role, content, tool_calls: [ollamaNote] }
      expect(takeNotes(message)).toEqual({ message, notes: [], earlier: [] })
    }),
  )
})

describe('the instruction', () => {
  test('shows the form that is read', () => {
    const line = noteInstruction.split('\n').find((candidate) => candidate.startsWith('['))
    expect(splitNotes(`Done.\n${line}`)).toEqual({ text: 'Done.', notes: ['what you did, and what may matter next'] })
  })

  test('says that nobody sees it and that nothing secret belongs there', () => {
    expect(noteInstruction).toContain('the user never sees it')
    expect(noteInstruction).toContain('nothing secret')
  })
})

test('a call of the tool as its schema has it is a note', () => {
  const { name, parameters } = noteTool.function
  expect(parameters).toMatchObject({ type: 'object', required: Object.keys(parameters['properties'] as object) })
  const [field] = parameters['required'] as string[]
  expect(takeNotes(assistant('', call('1', name, { [field!]: 'x' }))).notes).toEqual(['x'])
})
