import { user } from '@minutebook/testing'
import type { UpstreamAnswer } from '@minutebook/testing/server'
import fc from 'fast-check'
import { splitNotes } from 'minutebook/wire'
import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { ollamaProtocol, openAiProtocol } from '../../../testing/src/upstream/protocols.ts'
import { relayChat } from '../../src/gateway/gateway.ts'
import { createNoteFilter } from '../../src/gateway/note-filter.ts'
import { ollama } from '../../src/protocol/ollama.ts'
import { openAi } from '../../src/protocol/openai.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { paths, post } from './support/post.ts'

const wires = [
  { name: 'ollama' as const, protocol: ollama, upstream: ollamaProtocol },
  { name: 'openai' as const, protocol: openAi, upstream: openAiProtocol },
]
const facts = { model: 'm', request: {}, number: 0, usage: undefined }

const piece = fc.oneof(
  fc.constantFrom('[NOTE TO SELF: ', 'canary', ']', ' ', '\n', '[NOTE', ' TO SELF:', '`', 'word '),
  fc.constantFrom('\n**Note to self:** ', '\n> Note to self - ', '\n```\n', '**', '\n- ', '.'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)

describe.each(wires)('notes in answers of $name', ({ name, protocol, upstream }) => {
  const textOf = (stream: string): string => {
    const reply = protocol.reply()
    const lines = stream
      .split('\n')
      .map((line) => line.replace('data: ', ''))
      .filter((line) => line !== '' && line !== '[DONE]')
    const events = lines.flatMap((line) => reply.push(JSON.parse(line)))
    return events.map((event) => (event.type === 'text' ? event.text : '')).join('')
  }

  test('never reach the client, however the answer is cut into pieces; all else does', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 50 }), (text, step) => {
        const answer: UpstreamAnswer = { text }
        const bytes = Buffer.from(upstream.chunks(answer, facts).join(''))
        const tap = createNoteFilter(protocol, protocol.framing)
        let out = ''
        for (let from = 0; from < bytes.length; from += step)
          out += tap.push(bytes.subarray(from, from + step))?.toString() ?? ''
        out += tap.end()?.toString() ?? ''
        const early = textOf(out)
        out += tap.held().toString()
        const { text: visible } = splitNotes(text.join(''))
        expect(textOf(out)).toBe(visible)
        expect(tap.shown).toBe(visible)
        expect(visible.startsWith(early)).toBe(true)
        expect(tap.answer().message.content ?? '').toBe(text.join(''))
      }),
    )
  })

  test('that were cut off in the middle stay hidden', () => {
    const answer: UpstreamAnswer = { text: ['Yes.', ' [NOTE TO SELF: canary'], finish: 'length' }
    for (const framing of [protocol.framing, 'whole'] as const) {
      const tap = createNoteFilter(protocol, framing)
      const text = framing === 'whole' ? upstream.whole(answer, facts) : upstream.chunks(answer, facts).join('')
      const out = [tap.push(Buffer.from(text)), tap.end(), tap.held()].map((bytes) => bytes?.toString() ?? '').join('')
      expect(out).toContain('Yes.')
      expect(out).not.toContain('canary')
    }
  })

  test.each([
    [true, 'The answer. [NOTE TO SELF: canary words]'],
    [false, 'The answer. [NOTE TO SELF: canary words]'],
    [true, 'The answer.\n\n**Note to self:** canary words'],
    [false, 'The answer.\n```\nNOTE TO SELF - canary words\n```'],
  ])('are on record and not in the response, streamed: %s, %j', async (stream, answer) => {
    const { running } = await gatewayBefore(
      { answer },
      { policy: { preset: 'default', notes: true } },
      { chat: relayChat() },
    )
    const answered = await post(
      running.url,
      paths[name],
      { model: 'strict', stream, messages: [user('Hello')] },
      { 'idempotency-key': 'k', te: 'trailers' },
    )
    const again = await post(
      running.url,
      paths[name],
      { model: 'strict', stream: !stream, messages: [user('Hello')] },
      { 'idempotency-key': 'k' },
    )
    for (const { status, text, headers } of [answered, again]) {
      expect(status).toBe(200)
      expect(text).toContain('answer.')
      expect(text + JSON.stringify(headers)).not.toContain('canary')
      expect(text).not.toMatch(/note to self/i)
    }
    const { store } = running.services.stores.of('default')
    const log = await store.read(String(answered.headers['minutebook-thread']))
    expect(log.filter(({ kind }) => kind === 'note').map(({ text }) => text)).toEqual(['canary words'])
    expect(
      log.filter(({ kind }) => kind === 'receipt').map(({ text }) => (JSON.parse(text) as { mode: string }).mode),
    ).toEqual(['rewritten'])
  })
})
