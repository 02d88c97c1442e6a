import type { StoredSegment } from 'minutebook/store'
import { casesOf, eachOf, equal, talk, thread, write, type StoreCase } from './harness.ts'

function segment(name: string, ...pieces: number[][]): StoredSegment {
  return { name, pieces: pieces.map((bytes) => new Uint8Array(bytes)) }
}

const plain = (pieces: readonly (Uint8Array | undefined)[] | undefined): unknown =>
  pieces?.map((piece) => piece && [...piece])

const everyByte = Array.from({ length: 256 }, (_, byte) => byte)

export const segmentCases: readonly StoreCase[] = [
  ...casesOf('segment', {
    'there is none at first': async ({ store }) => {
      await write(store, thread, talk(1))
      equal(await store.segments.list(thread), [], 'the names')
      equal(await store.segments.load(thread, 'a'), undefined, 'the segment')
      equal(await store.segments.read(thread, [{ segment: 'a', piece: 0 }]), [undefined], 'the piece')
    },
    'there is none in a thread that is not there': async ({ store }) => {
      equal(await store.segments.list('nowhere'), [], 'the names')
      equal(await store.segments.load('nowhere', 'a'), undefined, 'the segment')
      equal(await store.segments.read('nowhere', [{ segment: 'a', piece: 0 }]), [undefined], 'the piece')
    },
    'all pieces come back in order, byte for byte': async ({ store }) => {
      await write(store, thread, talk(1))
      const pieces = [[], [0], everyByte, [255, 0, 255]]
      await store.segments.change(thread, { stored: [segment('a', ...pieces)], removed: [] }, 0)
      equal(plain(await store.segments.load(thread, 'a')), pieces, 'the pieces')
      equal(await store.segments.list(thread), ['a'], 'the names')
    },
    'pieces come in the order in which they are asked for': async ({ store }) => {
      await write(store, thread, talk(1))
      const stored = [segment('a', [1], [2]), segment('b', [3])]
      await store.segments.change(thread, { stored, removed: [] }, 0)
      const wanted = [
        { segment: 'b', piece: 0 },
        { segment: 'a', piece: 1 },
        { segment: 'c', piece: 0 },
        { segment: 'a', piece: 2 },
        { segment: 'a', piece: 1 },
        { segment: 'a', piece: 0 },
      ]
      equal(plain(await store.segments.read(thread, wanted)), [[3], [2], undefined, undefined, [2], [1]], 'the pieces')
    },
    'many pieces are read at once': async ({ store }) => {
      await write(store, thread, talk(1))
      const pieces = Array.from({ length: 700 }, (_, piece) => [piece % 256, piece >> 8])
      await store.segments.change(thread, { stored: [segment('a', ...pieces)], removed: [] }, 0)
      const wanted = pieces.map((_, piece) => ({ segment: 'a', piece })).toReversed()
      equal(plain(await store.segments.read(thread, wanted)), pieces.toReversed(), 'the pieces')
      equal(await store.segments.read(thread, []), [], 'no pieces')
    },
    'a large piece comes back whole': async ({ store }) => {
      await write(store, thread, talk(1))
      const large = Array.from({ length: 300_000 }, (_, place) => (place * 7) % 256)
      await store.segments.change(thread, { stored: [segment('a', large)], removed: [] }, 0)
      const [piece] = await store.segments.read(thread, [{ segment: 'a', piece: 0 }])
      equal(piece && [...piece].every((byte, place) => byte === large[place]), true, 'the bytes')
      equal(piece?.length, large.length, 'their number')
    },
    'one replaces others in one change': async ({ store }) => {
      await write(store, thread, talk(1))
      await store.segments.change(thread, { stored: [segment('a', [1]), segment('b', [2])], removed: [] }, 0)
      await store.segments.change(thread, { stored: [segment('c', [1, 2])], removed: ['a', 'b', 'x'] }, 0)
      equal(await store.segments.list(thread), ['c'], 'the names')
      equal(await store.segments.load(thread, 'a'), undefined, 'one that was removed')
      equal(plain(await store.segments.read(thread, [{ segment: 'b', piece: 0 }])), [undefined], 'its piece')
    },
    'one that is there stays as it is': async ({ store }) => {
      await write(store, thread, talk(1))
      await store.segments.change(thread, { stored: [segment('a', [1])], removed: [] }, 0)
      await store.segments.change(thread, { stored: [segment('a', [2], [3])], removed: [] }, 0)
      equal(plain(await store.segments.load(thread, 'a')), [[1]], 'the pieces')
    },
    'threads are told apart': async ({ store }) => {
      for (const each of ['one', 'two']) await write(store, each, talk(1))
      await store.segments.change('one', { stored: [segment('a', [1])], removed: [] }, 0)
      await store.segments.change('two', { stored: [segment('a', [2])], removed: [] }, 0)
      await store.segments.change('three', { stored: [], removed: ['a'] }, 0)
      equal(
        [plain(await store.segments.load('one', 'a')), plain(await store.segments.load('two', 'a'))],
        [[[1]], [[2]]],
        'the pieces',
      )
    },
    'a caller who changes the bytes afterwards changes nothing': async ({ store }) => {
      await write(store, thread, talk(1))
      const given = segment('a', [1])
      await store.segments.change(thread, { stored: [given], removed: [] }, 0)
      given.pieces[0]![0] = 9
      const [read] = await store.segments.read(thread, [{ segment: 'a', piece: 0 }])
      read![0] = 8
      equal(plain(await store.segments.load(thread, 'a')), [[1]], 'the pieces')
    },
    'what was made before an erasure is not stored after it, and nothing made before remains': async ({ store }) => {
      const entries = talk(3)
      await write(store, thread, entries)
      const { erasures } = await store.standing(thread)
      await store.segments.change(thread, { stored: [segment('a', [1])], removed: [] }, erasures)
      await store.erase(thread, [entries[0]!.id])
      equal(await store.segments.list(thread), [], 'the names')
      await store.segments.change(thread, { stored: [segment('b', [1])], removed: [] }, erasures)
      equal(await store.segments.list(thread), [], 'the names')
      const now = await store.standing(thread)
      await store.segments.change(thread, { stored: [segment('b', [1])], removed: [] }, now.erasures)
      equal(plain(await store.segments.load(thread, 'b')), [[1]], 'the pieces')
    },
    'a thread that is removed leaves none': async ({ store }) => {
      await write(store, thread, talk(2))
      await store.segments.change(thread, { stored: [segment('a', [1])], removed: [] }, 0)
      await store.remove(thread)
      equal(await store.segments.list(thread), [], 'the names')
      equal(await store.segments.load(thread, 'a'), undefined, 'the segment')
    },
    'an append leaves segments alone': async ({ store }) => {
      await write(store, thread, talk(2))
      await store.segments.change(thread, { stored: [segment('a', [1])], removed: [] }, 0)
      await write(store, thread, talk(4))
      equal(await store.segments.list(thread), ['a'], 'the names')
    },
  }),
  ...eachOf(
    'segment',
    ['a', 'A', 'a ', '', '\ud800', '\u0000', 'x'.repeat(200)],
    (name) => `the name ${JSON.stringify(name).slice(0, 40)} is told from others`,
    async (name, { store }) => {
      await write(store, thread, talk(1))
      await store.segments.change(thread, { stored: [segment(name, [1]), segment('other', [2])], removed: [] }, 0)
      equal(plain(await store.segments.load(thread, name)), [[1]], 'the pieces')
      equal((await store.segments.list(thread)).includes(name), true, 'that it is listed')
      await store.segments.change(thread, { stored: [], removed: [name] }, 0)
      equal(await store.segments.list(thread), ['other'], 'the names')
    },
  ),
]
