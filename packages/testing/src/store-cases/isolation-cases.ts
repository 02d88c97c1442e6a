import { user } from '../builders.ts'
import { chain, eachOf, equal, refuse, seqsOf, talk, texts, write, type StoreCase } from './harness.ts'

/** Names that a careless store takes for one another, or for something else. */
const pairs: readonly (readonly [one: string, other: string])[] = [
  ['Thread', 'thread'],
  ['thread', 'thread '],
  ['thread', ' thread'],
  ['', ' '],
  ['', 'null'],
  ['1', '01'],
  ['1', '1.0'],
  ['10', '1e1'],
  ['a', 'a\u0000'],
  ['a\u0000b', 'a\u0000c'],
  ['\u0000', ''],
  ['\u00e9', 'e\u0301'],
  ['\u212b', '\u00c5'],
  ['straße', 'STRASSE'],
  ['ﬁ', 'fi'],
  ['\ud800', '\ud801'],
  ['\ud800', '\ufffd'],
  ['😀', '\ud83d'],
  ['\u200b', ''],
  ['a/b', 'a%2Fb'],
  ['../a', 'a'],
  [`'`, `''`],
  [`' or 1=1 --`, `x`],
  [`"; drop table entry; --`, `"`],
  ['%', 'anything'],
  ['_', 'a'],
  ['*', 'a'],
  ['$1', '?1'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['"', '\\"'],
  ['__proto__', 'constructor'],
  ['toString', 'hasOwnProperty'],
  ['a'.repeat(10_000), 'a'.repeat(10_001)],
]

export const isolationCases: readonly StoreCase[] = [
  ...eachOf(
    'isolation',
    pairs,
    (pair) => `${pair.map(short).join(' and ')} are two threads`,
    async ([one, other], { store }) => {
      await write(store, one, chain([user('the canary of the one')]))
      equal(await store.read(other), [], 'the other thread before it is written to')
      equal(
        seqsOf((await write(store, other, chain([user('said in the other'), user('more')]), { head: null })).entries),
        [0, 1],
        'its seqs',
      )
      equal((await store.claim(other)).term, 1, 'its term')
      await store.snapshots.save(one, 'state', { id: 'a', seq: 0, value: 'of the one' })
      equal(await texts(store, one), ['the canary of the one'], 'the one thread')
      equal(await store.search('canary', { thread: other }), [], 'what is found in the other')
      equal(
        (await store.search('canary')).map((found) => found.thread),
        [one],
        'where it is found',
      )
      equal(
        (await store.list()).threads.map((listed) => [listed.thread, listed.length, listed.term]),
        [
          [other, 2, 1],
          [one, 1, 0],
        ],
        'the list',
      )
      equal(await store.snapshots.load(other, 'state'), undefined, 'the snapshot of the other')
      await store.erase(other)
      equal(await texts(store, one), ['the canary of the one'], 'the one thread after the other is erased')
      equal((await store.snapshots.load(one, 'state'))?.value, 'of the one', 'its snapshot')
    },
  ),
  ...eachOf(
    'isolation',
    [[100, 3]] as const,
    ([threads]) => `${threads} threads written to in turns stay apart`,
    async ([threads, rounds], { store }) => {
      const names = Array.from({ length: threads }, (_, index) => `thread ${index}`)
      for (let round = 1; round <= rounds; round++) {
        await Promise.all(names.map((name) => write(store, name, talk(round, undefined, name))))
      }
      for (const name of names)
        equal(
          await texts(store, name),
          [0, 1, 2].map((index) => `${name} ${index}`),
          name,
        )
      equal(
        await refuse(store, names[0]!, talk(2, undefined, names[1]).slice(1)),
        'absent',
        'an entry whose parent is in another thread',
      )
    },
  ),
]

function short(name: string): string {
  return name.length > 40 ? `${name.length} characters` : JSON.stringify(name)
}
