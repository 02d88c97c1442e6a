import type { Entry, Message } from 'minutebook'
import { checksum, entryOf, payloadOf, sha256 } from 'minutebook/store'
import { assistant, call, ollamaPicture, picture, result, user } from '../builders.ts'
import {
  casesOf,
  chain,
  eachOf,
  equal,
  hang,
  holds,
  idsOf,
  talk,
  thread,
  upTo,
  write,
  type StoreCase,
} from './harness.ts'

/** A text like that of an image, of which no two are alike. */
function imageOf(name: string, length = 20_000): string {
  let text = ''
  while (text.length < length) text += sha256(`${name} ${text.length}`)
  return text.slice(0, length)
}

const [one, other] = [imageOf('one'), imageOf('other')] as const

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

/** What may look like a place of an image, or like a payload that has some, and is only what somebody said. */
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

/** An image is kept once for a thread, and nobody who reads can tell. */
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
    'said ten times it is kept once': async ({ store, images }) => {
      const entries = chain(
        upTo(10).map((index) =>
          index % 2 === 0 ? picture(`${index}`, one) : ollamaPicture(`${index}`, `data:image/png;base64,${one}`),
        ),
      )
      for (const entry of entries) await write(store, thread, [entry])
      equal((await images?.()) ?? 1, 1, 'how many images are kept')
      equal((await store.erase(thread)).images, 1, 'how many go with the thread')
      equal((await images?.()) ?? 0, 0, 'how many are kept then')
    },
    'in another thread it is another': async ({ store, images }) => {
      const entries = chain([picture('look', one)])
      for (const name of ['one', 'two']) await write(store, name, entries)
      equal((await images?.()) ?? 2, 2, 'how many images are kept')
      equal((await store.erase('one')).images, 1, 'how many go with the one')
      equal((await store.read('two')).map(payloadOf), entries.map(payloadOf), 'the other')
      equal((await store.erase('two')).images, 1, 'how many go with the other')
    },
    'it goes with the last entry that holds it, and not before': async ({ store, images }) => {
      const entries = chain([picture('a', one, other), assistant('so'), picture('b', one), picture('c', one)])
      await write(store, thread, entries)
      equal((await store.erase(thread, [entries[0]!.id])).images, 1, 'how many go with the first')
      equal((await images?.()) ?? 1, 1, 'how many are kept')
      equal(
        (await store.erase(thread, [entries[0]!.id, entries[1]!.id])).images,
        0,
        'how many go with one that has none',
      )
      equal((await store.erase(thread, [entries[3]!.id])).images, 0, 'how many go with the last but one')
      equal(payloadOf((await store.read(thread))[2]!), payloadOf(entries[2]!), 'the one that is left')
      equal((await store.erase(thread, [entries[2]!.id])).images, 1, 'how many go with the last')
      equal((await images?.()) ?? 0, 0, 'how many are kept then')
      equal(
        (await store.read(thread)).map(({ status }) => status),
        ['erased', 'erased', 'erased', 'erased'],
        'the log',
      )
    },
    'two that are erased at once take what both hold': async ({ store, images }) => {
      const entries = chain([picture('a', one), picture('b', one)])
      await write(store, thread, entries)
      equal((await store.erase(thread, idsOf(entries))).images, 1, 'how many go')
      equal((await images?.()) ?? 0, 0, 'how many are kept')
    },
    'it goes with what was sent under the same key': async ({ store }) => {
      const [first] = talk(1)
      const pending = entryOf(picture('busy', one), first, { kind: 'pending', key: 'k' })
      const admitted = entryOf(picture('busy', one), first, { key: 'k' })
      await write(store, thread, [first!, pending, admitted])
      equal((await store.erase(thread, [admitted.id])).images, 1, 'how many go')
    },
    'said again after it was erased it is there again': async ({ store, images }) => {
      const [first, second] = chain([picture('a', one), assistant('so')]) as [Entry, Entry]
      await write(store, thread, [first, second])
      await store.erase(thread, [first.id])
      const again = chain([picture('a', one)], second)
      await write(store, thread, [first, second, ...again])
      equal(
        (await store.read(thread)).map(({ status, images: held }) => [status, held.length]),
        [
          ['erased', 0],
          ['complete', 0],
          ['complete', 1],
        ],
        'the log',
      )
      equal(payloadOf((await store.read(thread))[2]!), payloadOf(again[0]!), 'what was said again')
      equal((await images?.()) ?? 1, 1, 'how many images are kept')
    },
    'a retry brings back no image of what is erased': async ({ store, images }) => {
      const entries = chain([picture('a', one)])
      await write(store, thread, entries)
      await store.erase(thread)
      await write(store, thread, entries)
      equal((await images?.()) ?? 0, 0, 'how many images are kept')
    },
    'an append that is refused leaves no image': async ({ store, images }) => {
      await write(store, thread, talk(1))
      const stray = entryOf(picture('stray', one), entryOf(user('elsewhere')))
      equal((await store.append(thread, [stray])).ok, false, 'behind a parent that is not there')
      equal((await store.append(thread, chain([picture('late', one)]), { head: null })).ok, false, 'after another head')
      equal((await images?.()) ?? 0, 0, 'how many images are kept')
      equal((await store.erase(thread)).images, 0, 'how many go with the thread')
    },
    'written by many at once it is kept once, and by all': async ({ store, images }) => {
      const entries = upTo(20).map((index) =>
        entryOf(index % 2 === 0 ? picture(`${index}`, one, other) : result('c', `seen ${index}`)),
      )
      await Promise.all(entries.map((entry) => write(store, thread, [entry])))
      const read = await store.read(thread)
      equal(read.map(payloadOf).toSorted(), entries.map(payloadOf).toSorted(), 'the stored forms')
      equal((await images?.()) ?? 2, 2, 'how many images are kept')
    },
    'erased and said again by many at once it is where it is held': async ({ store }) => {
      const [base] = talk(1)
      await write(store, thread, [base!])
      await Promise.all(
        upTo(15).map(async (index) => {
          const entry = entryOf(picture(`${index}`, one), base)
          await write(store, thread, [entry])
          if (index % 3 > 0) await store.erase(thread, [entry.id])
          // Whoever reads meanwhile finds each of them whole or erased.
          for (const { status, images } of (await store.read(thread)).slice(1))
            equal(images.length, status === 'erased' ? 0 : 1, `the images of one that is ${status}`)
        }),
      )
      equal((await store.read(thread)).filter(({ images }) => images.length === 1).length, 5, 'how many hold it')
      equal((await store.erase(thread)).images, 1, 'how many go with the thread')
    },
    'a thread without images is erased without any': async ({ store }) => {
      await write(store, thread, [...talk(2), hang('note', 'a note', talk(2)[1])])
      equal([(await store.erase(thread)).images, (await store.erase('nowhere')).images], [0, 0], 'how many go')
    },
  }),
  ...eachOf<'entries' | 'images'>(
    'image',
    ['entries', 'images'],
    (part) => `nothing is written if a fault keeps the store from writing ${part}`,
    async (part, { store, failing, images }) => {
      const [first, second] = chain([picture('a', one), picture('b', one, other)]) as [Entry, Entry]
      await write(store, thread, [first])
      const mend = await failing?.(part)
      // A store that writes both at once has nothing between them that could fail.
      if (!mend) return
      for (const name of [thread, 'new']) {
        const failed = await store.append(name, name === 'new' ? [first, second] : [second]).then(
          () => false,
          () => true,
        )
        holds(failed, 'the append fails')
      }
      await mend()
      equal(
        [(await store.read(thread)).map(payloadOf), await store.read('new')],
        [[payloadOf(first)], []],
        'what there is',
      )
      equal((await images?.()) ?? 1, 1, 'how many images are kept')
      await write(store, thread, [second])
      equal((await store.read(thread)).map(payloadOf), [first, second].map(payloadOf), 'what there is then')
    },
  ),
]
