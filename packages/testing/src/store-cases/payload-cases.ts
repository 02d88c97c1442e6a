import type { Kind, Message } from 'minutebook'
import { maxJsonDepth, entryOf, origins, payloadOf, traits, type EntryFacts } from 'minutebook/store'
import { assistant, call, result, user } from '../builders.ts'
import { casesOf, chain, eachOf, equal, hang, holds, thread, write, type StoreCase } from './harness.ts'

/** Messages that must come back as they were, to the byte of their JSON. */
const messages: Readonly<Record<string, Message>> = {
  'plain text': user('hello'),
  'keys in their order': { z: 1, role: 'user', a: 2, content: 'x', m: { y: 1, b: 2 } } as Message,
  'keys that look like numbers': { role: 'user', content: 'x', map: { 10: 'ten', 2: 'two', '01': 'one' } } as Message,
  'a zero character': user('before\u0000after'),
  'control characters': user('\u0001\u001b[31m\u007f\u0085'),
  'a lone high surrogate': user('a\ud83d'),
  'a lone low surrogate': user('\ude00b'),
  'surrogates in the wrong order': user('\ude00\ud83d'),
  'a key that is a lone surrogate': { role: 'user', content: 'x', '\ud800': '\udfff' } as Message,
  'a key that is a zero character': { role: 'user', content: 'x', '\u0000': '\u0000' } as Message,
  'a key __proto__': JSON.parse(
    '{"role":"user","content":"x","__proto__":{"polluted":true},"nested":{"__proto__":[1]}}',
  ) as Message,
  'keys constructor and toString': JSON.parse(
    '{"role":"user","content":"x","constructor":{"prototype":{"polluted":1}},"toString":"no","hasOwnProperty":0}',
  ) as Message,
  'emoji, with joiners and skin': user('👩🏽‍🚀 🏳️‍🌈 👨‍👩‍👧‍👦 🇺🇳'),
  'text from right to left, with marks': user('שלום \u202eעולם\u202c \u200fمرحبا'),
  'Chinese, Japanese, Korean, Thai, Hindi': user('今天天气很好 こんにちは 안녕하세요 สวัสดี नमस्ते'),
  'composed and decomposed accents': user('\u00e9 e\u0301 \u1e9b\u0323'),
  'line ends of every kind': user('a\nb\r\nc\rd\u2028e\u2029f\u0085g'),
  'a byte order mark': user('\ufefftext\ufeff'),
  noncharacters: user('\ufffe\uffff\u{1ffff}'),
  'white space alone': user(' \t\n\u00a0\u3000'),
  'an empty text': user(''),
  'null content': assistant(null),
  'no content': { role: 'assistant' },
  'JSON inside text': user('{"a":"b\\"c","d":[null]}'),
  'SQL inside text': user(`'; drop table entry; -- " \` $1 ?1 :name %s`),
  'a text of a million characters': user('0123456789'.repeat(100_000)),
  'a text of 300,000 characters beyond the basic plane': user('😀'.repeat(150_000)),
  'a very large number': { role: 'user', content: 'x', number: 1e21, other: 123456789012345680000 } as Message,
  'numbers at the edges': {
    role: 'user',
    content: 'x',
    numbers: [-0, 0, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53, 0.1, -1],
  } as Message,
  'what JSON has no word for': {
    role: 'user',
    content: 'x',
    numbers: [NaN, Infinity, undefined],
    gone: undefined,
  } as Message,
  'booleans, nulls and empty things': {
    role: 'user',
    content: 'x',
    yes: true,
    no: false,
    nothing: null,
    list: [],
    object: {},
    '': '',
  } as Message,
  'a role in capitals': { role: 'USER', content: 'x' },
  'the role developer': { role: 'developer', content: 'x' },
  'text in parts': {
    role: 'user',
    content: [{ type: 'text', text: 'a' }, 'b', { type: 'text', text: 'c', cache: true }],
  },
  'an image part': {
    role: 'user',
    content: [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      { type: 'text', text: 'look' },
    ],
  },
  'images next to the text': { ...user('look'), images: ['iVBORw0KGgo=', 'R0lGODlhAQABAAAAACw='] } as Message,
  'calls with arguments as text': assistant('so', call('call_1', 'set_lamp', { on: true }), call('call_2', 'wait')),
  'calls with arguments as values': {
    role: 'assistant',
    content: '',
    tool_calls: [{ function: { name: 'set_lamp', arguments: { b: 1, a: [2, { c: null }] } } }],
  },
  'a custom call': {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'run', input: 'ls' } }],
  },
  'call arguments that are not JSON': {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', function: { name: 'run', arguments: '{"a":' } }],
  },
  'a result by call id': result('call_1', '{"ok":true}'),
  'a result by tool name': { role: 'tool', content: 'on', tool_name: 'set_lamp' },
  'the old role function': { role: 'function', name: 'set_lamp', content: 'on' } as Message,
  'reasoning in all its fields': {
    ...assistant('a'),
    thinking: 'b',
    reasoning: 'c',
    reasoning_content: 'd',
  } as Message,
  'fields that have no reader': {
    ...user('a'),
    name: 'Ada',
    metadata: { deep: { deeper: ['x'] } },
    tool_calls: 'none of ours',
  } as Message,
  'a thousand fields': {
    role: 'user',
    content: 'x',
    ...Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field ${999 - index}`, index])),
  } as Message,
  'content as deep as it may be': { role: 'user', content: [nested(maxJsonDepth - 2)] },
  'arguments as deep as they may be': {
    role: 'assistant',
    content: null,
    tool_calls: [{ function: { name: 'run', arguments: nested(maxJsonDepth - 1) } }],
  },
}

const statuses = ['complete', 'partial', 'cancelled', 'failed', 'erased'] as const
const facts: readonly EntryFacts[] = [
  ...statuses.map((status) => ({ status })),
  ...origins.map((origin) => ({ origin })),
  { speaker: 'Ada' },
  { context: { user: 'ada', roles: ['editor', null] } },
  { options: { temperature: 0.5, seed: -7, stop: ['END'], output: { type: 'object', required: ['b', 'a'] } } },
  { speaker: '' },
  { speaker: 'O\'Brien "x" \ud800' },
  { time: '2026-11-15T12:00:00.000Z' },
  { time: '' },
  { key: 'tab-1' },
  { key: '' },
  { key: '__proto__' },
  { key: '\u0000\ud800' },
  { status: 'partial', origin: 'import', speaker: 'Ada', time: '1970-01-01T00:00:00Z', key: 'k' },
]

export const payloadCases: readonly StoreCase[] = [
  ...eachOf(
    'payload',
    Object.entries(messages),
    ([name]) => name,
    async ([, message], { store }) => {
      const entry = entryOf(message)
      const answered = (await write(store, thread, [entry])).entries[0]!
      const [read] = await store.read(thread)
      holds(read !== undefined, 'an entry is read')
      equal(JSON.stringify(read.raw), JSON.stringify(message), 'the message')
      equal(payloadOf(read), payloadOf(entry), 'the stored form')
      equal([read.text, read.images, read.id], [entry.text, entry.images, entry.id], 'text, images and id')
      equal(answered, read, 'what the append answered')
      holds((Object.prototype as { polluted?: unknown }).polluted === undefined, 'no prototype is changed')
    },
  ),
  ...eachOf(
    'kind',
    Object.keys(traits) as Kind[],
    (kind) => `an entry of the kind ${kind} comes back as one`,
    async (kind, { store }) => {
      const [before] = chain([user('before')])
      const entry = traits[kind].chained
        ? entryOf({ role: traits[kind].role, content: 'said' }, before, { kind })
        : hang(kind, 'said', before)
      await write(store, thread, [before!, entry])
      const read = (await store.read(thread))[1]
      equal(
        [read?.kind, read?.text, read?.origin, read?.parent, read?.id],
        [kind, 'said', traits[kind].origin, before!.id, entry.id],
        'the entry',
      )
      equal((await store.read(thread, { head: entry.id })).at(-1)?.kind, kind, 'the end of its branch')
    },
  ),
  ...eachOf(
    'facts',
    facts,
    (given) => `${JSON.stringify(given)} comes back`,
    async (given, { store }) => {
      const entry = entryOf(assistant('said'), undefined, given)
      await write(store, thread, [entry])
      const [read] = await store.read(thread)
      equal(payloadOf(read!), payloadOf(entry), 'the stored form')
      for (const name of ['status', 'origin', 'speaker', 'time', 'key'] as const) {
        equal(read![name], entry[name], name)
        equal(name in read!, name in entry, `whether ${name} is there`)
      }
    },
  ),
  ...casesOf('payload', {
    'an entry that may not be read back is not taken': async ({ store }) => {
      const bytes = entryOf({ ...user('look'), images: [new Uint8Array([1, 2, 3])] } as Message)
      const outcome = await store.append(thread, [bytes]).then(
        ({ ok }) => (ok ? 'written' : 'refused'),
        () => 'error',
      )
      equal(outcome, 'error', 'the outcome of appending bytes that JSON cannot hold')
      equal(await store.read(thread), [], 'the log')
    },
    'all of these messages in one thread come back in order': async ({ store }) => {
      const entries = chain(Object.values(messages))
      await write(store, thread, entries)
      equal((await store.read(thread)).map(payloadOf), entries.map(payloadOf), 'the stored forms')
    },
  }),
]

function nested(levels: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { in: value }
  return value
}
