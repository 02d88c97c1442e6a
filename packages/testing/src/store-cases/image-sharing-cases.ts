import type { Entry } from 'minutebook'
import { entryOf, payloadOf } from 'minutebook/store'
import { assistant, ollamaPicture, picture, result, user } from '../builders.ts'
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
import { imageOf } from './image-cases.ts'

const [one, other] = [imageOf('one'), imageOf('other')] as const

/** An image that several entries of a thread hold is kept once, and goes with the last of them. */
export const imageSharingCases: readonly StoreCase[] = [
  ...casesOf('image', {
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
          // A reader at the same time finds each of them whole or erased.
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
      const restore = await failing?.(part)
      // A store that writes both at once has nothing between them that could fail.
      if (!restore) return
      for (const name of [thread, 'new']) {
        const failed = await store.append(name, name === 'new' ? [first, second] : [second]).then(
          () => false,
          () => true,
        )
        holds(failed, 'the append fails')
      }
      await restore()
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
