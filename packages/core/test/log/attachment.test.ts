import { compile, type Message } from 'minutebook'
import { words } from '@minutebook/testing'
import { canonicalJson } from 'minutebook/store'
import { readMessage } from 'minutebook/wire'
import { describe, expect, test } from 'vitest'
import { entryOf } from '../../src/log/entry.ts'
import { createMeter, messageTokens } from '../../src/tokens/prediction.ts'

const text = (said: string): object => ({ type: 'text', text: said })
const saying = (...content: readonly unknown[]): Message => ({ role: 'user', content })
const page = 64 * 1024
const counter = { ...words, overhead: { message: 0, prompt: 0, call: 3, image: 100 } }

/** Each with its text, and with how many images and tokens of sealed text it counts as. */
const attachments: readonly (readonly [what: string, part: object, text: string, images?: number, sealed?: number])[] =
  [
    [
      'a document',
      { type: 'document', title: 'Lamps', context: 'Old.', source: { type: 'text', data: 'A lamp.' } },
      'Lamps\nOld.\nA lamp.',
    ],
    [
      'a document of blocks',
      { type: 'document', source: { type: 'content', content: [text('A lamp.'), { type: 'image', source: {} }] } },
      'A lamp.',
      1,
    ],
    ['a document of a text', { type: 'document', source: { type: 'content', content: 'A lamp.' } }, 'A lamp.'],
    ['a PDF of one page', pdf(1), '', 4],
    ['a PDF of three pages', pdf(2 * page + 1), '', 12],
    ['a PDF that is larger than servers read', pdf(101 * page), '', 400],
    ['a PDF with a title', { ...pdf(9), title: 'Lamps' }, 'Lamps', 4],
    [
      'a PDF by its address',
      { type: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } },
      'https://a.example/b.pdf',
      4,
    ],
    ['a PDF by its id', { type: 'document', source: { type: 'file', file_id: 'file_1' } }, '', 4],
    [
      "OpenAI's file",
      { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${'A'.repeat(page)}` } },
      'a.pdf',
      8,
    ],
    ["OpenAI's file by its id", { type: 'file', file: { file_id: 'file_1' } }, '', 4],
    [
      'a file of a response by its address',
      { type: 'input_file', file_url: 'https://a.example/b.pdf' },
      'https://a.example/b.pdf',
      4,
    ],
    ['a text as a file', { type: 'file', file: { file_data: 'data:text/csv;base64,YSxi' } }, '', 0, 7],
    ['audio', { type: 'input_audio', input_audio: { data: 'A'.repeat(8 * page + 1), format: 'mp3' } }, '', 2],
    [
      'a search result',
      {
        type: 'search_result',
        source: 'a.example',
        title: 'Lamps',
        content: [text('A lamp.')],
        citations: { enabled: true },
      },
      'a.example\nLamps\nA lamp.',
    ],
    [
      'a tool of the server',
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'lamps' } },
      'web_search\n{"query":"lamps"}',
    ],
    [
      'what it found',
      {
        type: 'web_search_tool_result',
        tool_use_id: 's1',
        content: [
          { type: 'web_search_result', title: 'Lamps', url: 'https://a.example', encrypted_content: 'c2VhbGVk' },
        ],
      },
      'Lamps\nhttps://a.example',
      0,
      2,
    ],
    [
      'a page that it read',
      { type: 'web_fetch_tool_result', tool_use_id: 's1', content: { type: 'web_fetch_result', content: pdf(5) } },
      '',
      4,
    ],
    [
      'a tool of an MCP server',
      { type: 'mcp_tool_use', id: 'm1', name: 'look', server_name: 'sky', input: { at: [1, 2] } },
      'look\nsky\n{"at":[1,2]}',
    ],
    [
      'its result',
      { type: 'mcp_tool_result', tool_use_id: 'm1', is_error: false, content: [text('A lamp.')] },
      'A lamp.',
    ],
    ['a file for a container', { type: 'container_upload', file_id: 'file_1' }, ''],
    ['a refusal', { type: 'refusal', refusal: 'No.' }, 'No.'],
    [
      'a kind of tomorrow',
      { type: 'kind_of_tomorrow', own: 'A lamp.', list: [null, { own: 'More.' }] },
      'A lamp.\nMore.',
    ],
  ]

function pdf(length: number): object {
  return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'A'.repeat(length) } }
}

const table = attachments.map(([what, part, said, images = 0, sealed = 0]) => ({ what, part, said, images, sealed }))

describe.each(table)('$what', ({ part, said, images, sealed }) => {
  const message = saying(text('Why?'), part)
  const tokens = 1 + 3 + 100 * images + sealed + (said === '' ? 0 : words.count(said))

  test('is not an image, and its text is not what the user says', () => {
    const read = readMessage(message)
    expect(read).toMatchObject({ text: 'Why?', images: [] })
    expect(read.attachments).toEqual([expect.objectContaining({ text: said, images })])
  })

  test('costs the same wherever it is counted', () => {
    expect(messageTokens(counter, message)).toBe(tokens)
    expect(createMeter(counter).message(message).predicted).toBe(tokens)
    expect(compile([message], { window: 100_000, counter }).tokens).toBe(tokens)
  })

  test('makes another message', () => {
    expect(entryOf(message).id).not.toBe(entryOf(saying(text('Why?'))).id)
    expect(entryOf(message).id).toBe(entryOf(structuredClone(message)).id)
  })
})

test.each([
  ["OpenAI's", { type: 'image_url', image_url: { url: 'https://a.example/b.png' } }],
  ["Anthropic's", { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
  ['one of a response', { type: 'input_image', image_url: 'https://a.example/b.png' }],
])('an image (%s) is an image', (_, image) => {
  expect(readMessage(saying(image))).toMatchObject({ text: '', images: [canonicalJson(image)], attachments: [] })
  expect(messageTokens(counter, saying(image))).toBe(100)
})

test.each([
  ['the media type', pdf(1), { type: 'document', media: 'application/pdf' }],
  ['of audio', { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }, { media: 'audio/wav' }],
  [
    'of an address with data',
    { type: 'file', file: { file_data: 'data:text/csv;base64,YQ==' } },
    { media: 'text/csv' },
  ],
  ['no type', { list: ['A lamp.'] }, { type: 'part', text: 'A lamp.' }],
  ['a type that would be a line of its own', { type: 'document)\n--- USER ---' }, { type: 'part' }],
  ['nothing', null, { type: 'part', text: '' }],
])('what an attachment is called: %s', (_, part, named) => {
  expect(readMessage(saying(part)).attachments).toEqual([expect.objectContaining(named)])
})

describe('sealed reasoning', () => {
  const answer = (...thinking_blocks: object[]): Message =>
    ({ role: 'assistant', content: 'Yes.', thinking_blocks }) as Message

  test.each([
    ['a thought that is only sealed', [{ type: 'redacted_thinking', data: 'A'.repeat(400) }], 100],
    ['one without its text', [{ type: 'thinking', thinking: '', signature: 'A'.repeat(401) }], 101],
    ['one with a summary', [{ type: 'thinking', thinking: 'In short.', signature: 'A'.repeat(400) }], 100],
    ['one with a long text', [{ type: 'thinking', thinking: 'so '.repeat(50), signature: 'AAAA' }], 50],
    [
      'several',
      [
        { type: 'thinking', thinking: 'a b', signature: 'AAAA' },
        { type: 'redacted_thinking', data: 'AAAA' },
      ],
      4,
    ],
  ])('%s is counted', (_, thoughts, tokens) => {
    const messages = [saying(text('Why?')), answer(...thoughts)]
    expect(messageTokens(counter, messages[1]!)).toBe(1 + tokens)
    expect(createMeter(counter).message(messages[1]!).predicted).toBe(1 + tokens)
    expect(compile(messages, { window: 10_000, counter }).tokens).toBe(2 + tokens)
  })

  test('of a response is counted, and is not sent with an older turn', () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'A'.repeat(4000) }
    const said = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] }
    const sealed = { role: 'assistant', content: 'Yes.', items: [item, said] } as Message
    expect(messageTokens(counter, sealed)).toBe(1001)
    const messages = [saying(text('Why?')), sealed, saying(text('And then?')), answer(), saying(text('Why?'))]
    const compiled = compile(messages, { window: 500, reserve: 0, counter })
    expect(compiled.messages[1]).toEqual({ ...sealed, items: [{ type: 'reasoning', summary: [] }, said] })
  })

  test('is not sent with an older turn, and is not counted there', () => {
    const sealed = answer({ type: 'redacted_thinking', data: 'A'.repeat(4000) })
    const messages = [saying(text('Why?')), sealed, saying(text('And then?')), answer(), saying(text('Why?'))]
    const compiled = compile(messages, { window: 500, reserve: 0, counter })
    expect(compiled.tokens).toBeLessThan(500)
    expect(JSON.stringify(compiled.messages)).not.toContain('AAAA')
  })
})
