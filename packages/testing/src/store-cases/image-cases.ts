import type { Entry, Message } from 'minutebook'
import { checksum, entryOf, payloadOf, sha256 } from 'minutebook/store'
import { assistant, call, ollamaPicture, picture, user } from '../builders.ts'
import { casesOf, chain, eachOf, equal, holds, thread, upTo, write, type StoreCase } from './harness.ts'

/** A text like that of an image, of which no two are alike. */
export function imageOf(name: string, length = 20_000): string {
  let text = ''
  while (text.length < length) text += sha256(`${name} ${text.length}`)
  return text.slice(0, length)
}

const one = imageOf('one')

/** Messages that hold an image, each in another place. */
function holding(image: string): readonly Message[] {
  return [
    ollamaPicture('in a list', image),
    picture('in a part', image),
    {
      role: 'assistant',
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }],
      tool_calls: [call('c', 'look')],
    },
    {
      role: 'tool',
      tool_call_id: 'c',
      content: [
        { type: 'text', text: 'seen' },
        { type: 'file', file: { file_data: image, name: 'a.png' } },
      ],
    },
    {
      role: 'user',
      content: [[{ deep: [{ deeper: image }] }, null, 1], { type: 'input_audio', input_audio: { data: image } }],
      images: ['short', image, image],
    },
  ]
}

/** Messages that look like a place of an image, or like a payload with images, but are only text. */
const lookalikes: Readonly<Record<string, (image: string) => Message>> = {
  'the hash as text': (image) => user(sha256(image)),
  'the hash as an image': (image) => ollamaPicture('look', sha256(image), ''),
  'a list of places as a field': (image) =>
    ({
      ...user('look'),
      images: [''],
      places: [[0, sha256(image)]],
      entry: { images: [[0, sha256(image)]] },
    }) as Message,
  'a payload with places as text': (image) =>
    user(`{"images":[[0,"${sha256(image)}"]],"entry":{"version":2,"raw":{"images":[""]}}}`),
  'a payload with places as an image': (image) =>
    ollamaPicture('look', `{"images":[[0,"${sha256(image)}"]],"entry":{}}${' '.repeat(2000)}`),
  'a part that is a payload': (image) => ({
    role: 'user',
    content: [
      { images: [[0, sha256(image)]], entry: { raw: { images: [''] } } },
      { type: 'image_url', image_url: { url: '' } },
    ],
  }),
}

/** Images that must come back as they were. */
const texts: Readonly<Record<string, string>> = {
  'of 1,023 characters': imageOf('a', 1023),
  'of 1,024 characters': imageOf('a', 1024),
  'of a million characters': imageOf('a', 1_000_000),
  'with quotes, backslashes and line ends': `"\\\n\r\u2028`.repeat(1000),
  'beyond ASCII': '😀é天'.repeat(1000),
  'with a zero character': `${imageOf('a')}\u0000`,
  'with half a character': `${imageOf('a')}\ud800`,
}

/** An image is kept once for a thread, and readers cannot see that. */
export const imageCases: readonly StoreCase[] = [
  ...eachOf(
    'image',
    Object.entries(texts),
    ([name]) => `one ${name} comes back whole`,
    async ([, text], { store }) => {
      const entries = chain(holding(text))
      const { entries: answered } = await write(store, thread, entries)
      const read = await store.read(thread)
      equal(read.map(payloadOf), entries.map(payloadOf), 'the stored forms')
      equal(
        read.map((entry) => [entry.images, entry.checksum]),
        entries.map((entry) => [entry.images, checksum(entry)]),
        'images and checksums',
      )
      equal(answered, read, 'what the append answered')
    },
  ),
  ...eachOf(
    'image',
    Object.entries(lookalikes),
    ([name]) => `${name} is only what was said`,
    async ([, message], { store }) => {
      const entries = chain([ollamaPicture('look', one), message(one), picture('again', one)])
      await write(store, thread, entries)
      equal((await store.read(thread)).map(payloadOf), entries.map(payloadOf), 'the stored forms')
      await store.erase(thread, [entries[0]!.id, entries[2]!.id])
      equal(payloadOf((await store.read(thread))[1]!), payloadOf(entries[1]!), 'the stored form without the others')
    },
  ),
  ...casesOf('image', {
    'texts that differ in half a character are two images': async ({ store }) => {
      const halves = ['\ud800', '\ufffd', '\udfff'].map((half) => half.repeat(2000))
      const entries = chain(halves.map((half) => ollamaPicture('look', half)))
      await write(store, thread, entries)
      equal(
        (await store.read(thread)).map(({ images }) => images),
        halves.map((half) => [half]),
        'the images',
      )
    },
    'names of fields that mean something elsewhere are names': async ({ store }) => {
      const part = JSON.parse(
        `{"type":"image","__proto__":{"polluted":"${one}"},"constructor":{"prototype":"${one}"},"10":"${one}","2":"${one}"}`,
      ) as object
      const [entry] = chain([{ role: 'user', content: [part] }])
      await write(store, thread, [entry!])
      equal(payloadOf((await store.read(thread))[0]!), payloadOf(entry!), 'the stored form')
      holds((Object.prototype as { polluted?: unknown }).polluted === undefined, 'no prototype is changed')
    },
    'many images in one message come back in their places': async ({ store }) => {
      const many = upTo(300).map((index) => imageOf(`${index % 100}`, 1100 + (index % 7)))
      const [entry] = chain([{ ...picture('look', ...many), images: many.toReversed() }])
      await write(store, thread, [entry!])
      equal(payloadOf((await store.read(thread))[0]!), payloadOf(entry!), 'the stored form')
    },
    'every kind of read gives it whole': async ({ store }) => {
      const [first, second] = chain([picture('the red lamp', one), assistant('on')]) as [Entry, Entry]
      const pending = entryOf(ollamaPicture('the blue lamp', one), second, { kind: 'pending', key: 'k' })
      const branch = chain([ollamaPicture('the green lamp', one)], first)
      await write(store, thread, [first, second, pending, ...branch])
      const expected = [first, second, pending, ...branch].map(payloadOf)
      const read = async (range?: Parameters<typeof store.read>[1]): Promise<string[]> =>
        (await store.read(thread, range)).map(payloadOf)
      equal(await read(), expected, 'the log')
      equal(await read({ from: 2, to: 3 }), expected.slice(2, 3), 'a range')
      equal(await read({ last: 1 }), expected.slice(3), 'the end')
      equal(await read({ key: 'k' }), expected.slice(2, 3), 'what was sent under a key')
      equal(await read({ head: second.id }), expected.slice(0, 3), 'a branch')
      equal(await read({ head: branch[0]!.id, last: 1 }), expected.slice(3), 'the end of a branch')
      equal(
        (await write(store, thread, [first, second, pending, ...branch])).entries.map(payloadOf),
        expected,
        'a retry',
      )
      equal(
        (await store.search('lamp')).map(({ text }) => text),
        ['the green lamp', 'the red lamp'],
        'a search',
      )
    },
  }),
]
